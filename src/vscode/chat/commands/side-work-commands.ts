// /loop and /btw: what is sent again and again, and side questions.
import { readLoopLine } from '../../../core/prompt/loop-line';
import { type Chat } from '../conversation/chat';
import { tellReadOnly } from './feature-command';

export function loopCommand(chat: Pick<Chat, 'readOnly' | 'sideWork' | 'notice'>, rest: string): void {
  if (chat.readOnly) return tellReadOnly(chat);
  const { loop } = chat.sideWork;
  const now = loop.current;
  if (/^(stop|off|clear|end)$/i.test(rest))
    return loop.stop()
      ? chat.notice('info', 'Loop stopped.', 'The current turn continues.')
      : chat.notice('info', 'There is no loop.', 'Nothing was changed.');
  if (rest === '' && now !== undefined)
    return chat.notice(
      'info',
      `A loop runs, ${now.pace}.`,
      `${now.prompt}\n/loop stop ends it; /loop and another prompt takes its place.`,
    );
  const line = readLoopLine(rest);
  if (typeof line === 'string')
    return chat.notice('info', now === undefined ? 'There is no loop yet.' : 'The loop continues unchanged.', line);
  if (now !== undefined) chat.notice('info', 'A new loop replaces the previous one.', `Until now: ${now.prompt}`);
  loop.start(line);
}

export async function sideQuestion(chat: Chat, rest: string): Promise<void> {
  if (chat.readOnly) return tellReadOnly(chat);
  if (rest === '')
    return chat.notice(
      'info',
      'Ask a side question.',
      'Type /btw and your question. The answer takes the conversation into account but is not added to it.',
    );
  await chat.sideWork.ask(rest);
}
