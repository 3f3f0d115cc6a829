// Takes what the webview posts: a message goes to its handler, whose answer goes back; whoever asked is informed of a failure.
import { messageOf } from '../../../core/text/errors';
import { type HostMessage } from '../../../shared/host-messages';
import {
  messageTypeOf,
  parseWebviewMessage,
  requestNumber,
  type WebviewMessage,
  webviewMessages,
} from '../../../shared/protocol';
import { type Chat } from '../conversation/chat';

export interface MessageTaker {
  /** Gives the answer to a request. */
  handle: (message: WebviewMessage) => Promise<unknown>;
  post: (message: HostMessage) => void;
  log: (level: 'warn' | 'error', message: string) => void;
  notice: Chat['notice'];
}

/** Gives the message that it was. */
export function takeMessage(value: unknown, { handle, post, log, notice }: MessageTaker): WebviewMessage | undefined {
  const showLog = { label: 'Show log', command: 'showLog' } as const;
  const number = requestNumber(value);
  const fail = (): void => {
    if (number !== undefined) post({ type: 'failed', request: number });
  };
  const message = parseWebviewMessage(value);
  if (message === undefined) {
    log('warn', `The webview sent something that is not a message: ${JSON.stringify(value)?.slice(0, 200)}`);
    fail();
    const type = messageTypeOf(value);
    const definition = type === undefined ? undefined : webviewMessages[type];
    if (definition?.kind === 'request' && definition.ofCard)
      notice(
        'error',
        definition.failed,
        'It is too long, or Deft could not read it. Shorten it and answer again.',
        showLog,
      );
    return undefined;
  }
  handle(message).then(
    (answer) => {
      if (number !== undefined) post({ type: 'answered', request: number, answer });
    },
    (error: unknown) => {
      log('error', `${message.type}: ${messageOf(error)}`);
      fail();
      notice('error', webviewMessages[message.type].failed, messageOf(error), showLog);
    },
  );
  return message;
}
