// What a server sent, as a message of the protocol. An answer in a wrong shape becomes an error: whoever asked would wait for it until their time is over.
import { ErrorCode, type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import { ownError } from './failure-text';
import { isObject } from '../../shared/plain-object';

export interface ReadMessage {
  /** Undefined where it is none, and answers nothing. */
  message: JSONRPCMessage | undefined;
  /** It is what the server has sent. */
  isSound: boolean;
}

export function readMessage(text: string): ReadMessage {
  const value = parsed(text);
  const read = JSONRPCMessageSchema.safeParse(value);
  if (read.success) return { message: read.data, isSound: true };
  const id =
    isObject(value) && !('method' in value) && ('result' in value || 'error' in value) ? value['id'] : undefined;
  if (typeof id !== 'string' && typeof id !== 'number') return { message: undefined, isSound: false };
  return {
    message: {
      jsonrpc: '2.0',
      id,
      error: {
        code: ErrorCode.InternalError,
        message: "Its answer does not conform to the protocol: see the server's log.",
        data: ownError,
      },
    },
    isSound: false,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
