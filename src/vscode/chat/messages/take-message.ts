// Takes what the webview posts: a message goes to its handler; where it is none, or its handler fails, the card that it was to answer waits again.
import { messageOf } from '../../../core/text/errors';
import { answeredCard, type HostMessage, parseWebviewMessage, type WebviewMessage } from '../../../shared/protocol';
import { type Chat } from '../conversation/chat';

export interface MessageTaker {
  handle: (message: WebviewMessage) => Promise<void>;
  post: (message: HostMessage) => void;
  log: (level: 'warn' | 'error', message: string) => void;
  notice: Chat['notice'];
}

/** Gives the message that it was. */
export function takeMessage(value: unknown, { handle, post, log, notice }: MessageTaker): WebviewMessage | undefined {
  const showLog = { label: 'Show log', command: 'showLog' } as const;
  const giveBack = (card: string | undefined): void => {
    if (card !== undefined) post({ type: 'refused', id: card });
  };
  const message = parseWebviewMessage(value);
  if (message === undefined) {
    log('warn', `The webview sent something that is not a message: ${JSON.stringify(value)?.slice(0, 200)}`);
    const card = answeredCard(value);
    giveBack(card);
    if (card !== undefined)
      notice(
        'error',
        'Your answer could not be taken.',
        'It is longer than an answer can be, or was not understood. Shorten it and answer again.',
        showLog,
      );
    return undefined;
  }
  handle(message).catch((error: unknown) => {
    log('error', `${message.type}: ${messageOf(error)}`);
    if (message.type === 'decide' || message.type === 'answer' || message.type === 'answerMcp')
      giveBack(answeredCard(message));
    notice('error', 'That did not work.', messageOf(error), showLog);
  });
  return message;
}
