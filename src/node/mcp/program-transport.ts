// Speaks with a server that is inside the program which runs Deft: each message goes to the program, and its answer comes back.
import { type Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';

/** One JSON-RPC message of Deft for a server by its name. The answer is one of the server, or undefined where there is none. */
export type AskProgram = (server: string, message: unknown, signal: AbortSignal) => Promise<unknown>;

export interface ProgramServers {
  ask: AskProgram;
  /** What a server says by itself goes to the listener. */
  listen(server: string, listener: (message: unknown) => void): () => void;
}

export function createProgramTransport(server: string, { ask, listen }: ProgramServers): Transport {
  const closed = new AbortController();
  let forget: (() => void) | undefined;
  const take = (value: unknown): void => {
    const read = JSONRPCMessageSchema.safeParse(value);
    if (read.success && !closed.signal.aborted) transport.onmessage?.(read.data);
  };
  const transport: Transport = {
    async start() {
      forget = listen(server, take);
    },
    async send(message: JSONRPCMessage) {
      const answer = await ask(server, message, closed.signal);
      // A notification has no answer, whatever comes back.
      if ('id' in message && 'method' in message) take(answer);
    },
    async close() {
      if (closed.signal.aborted) return;
      closed.abort();
      forget?.();
      transport.onclose?.();
    },
  };
  return transport;
}
