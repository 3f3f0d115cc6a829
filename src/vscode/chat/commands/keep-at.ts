// /goal, /loop and /btw: what the agent keeps at, what is sent again and again, and questions beside the conversation.
import { maxGoalChars } from '../../../core/features/goal/session-goal';
import { readLoopLine } from '../../../core/prompt/loop-line';
import { type Chat } from '../conversation/chat';
import { goal } from '../../../core/features/goal/goal-key';

export async function goalCommand(chat: Chat, rest: string): Promise<void> {
  if (chat.readOnly) return readOnly(chat);
  const kept = (await chat.session()).feature(goal);
  if (kept === undefined) return;
  if (rest === '')
    return chat.notice(
      'info',
      kept.condition === '' ? 'There is no goal.' : 'Goal',
      kept.condition === ''
        ? 'Type /goal and what is to be reached: /goal npm test passes.'
        : `${kept.condition}\n/goal clear takes it back.`,
    );
  if (/^(clear|none|off|stop)$/i.test(rest)) {
    if (kept.condition === '') return chat.notice('info', 'There is no goal.', 'Nothing was changed.');
    kept.clear();
    return chat.notice('info', 'Goal cleared.', 'The current turn will finish.');
  }
  if (rest.length > maxGoalChars)
    return chat.notice(
      'info',
      'That goal is too long.',
      `${maxGoalChars.toLocaleString('en')} characters are the most: put the details into a file and name it.`,
    );
  kept.set(rest);
  await chat.send({
    text: `My goal for you, until it is reached: ${rest}`,
    shownAs: `/goal ${rest}`,
    mentionsIn: rest,
    images: [],
  });
}

export function loopCommand(
  chat: Pick<Chat, 'readOnly' | 'sideWork' | 'notice'> & { poster: Pick<Chat['poster'], 'state'> },
  rest: string,
): void {
  if (chat.readOnly) return readOnly(chat);
  const { loop } = chat.sideWork;
  const now = chat.poster.state.loop;
  if (/^(stop|off|clear|end)$/i.test(rest))
    return loop.stop()
      ? chat.notice('info', 'Loop stopped.', 'The current turn continues.')
      : chat.notice('info', 'There is no loop.', 'Nothing was changed.');
  if (rest === '' && now !== null)
    return chat.notice(
      'info',
      `A loop runs, ${now.pace}.`,
      `${now.prompt}\n/loop stop ends it; /loop and another prompt takes its place.`,
    );
  const line = readLoopLine(rest);
  if (typeof line === 'string')
    return chat.notice('info', now === null ? 'There is no loop yet.' : 'The loop continues unchanged.', line);
  if (now !== null) chat.notice('info', 'A new loop replaces the previous one.', `Until now: ${now.prompt}`);
  loop.start(line);
}

export async function sideQuestion(chat: Chat, rest: string): Promise<void> {
  if (chat.readOnly) return readOnly(chat);
  if (rest === '')
    return chat.notice(
      'info',
      'Ask a side question.',
      'Type /btw and your question. The answer takes the conversation into account but is not added to it.',
    );
  await chat.sideWork.ask(rest);
}

function readOnly(chat: Pick<Chat, 'notice'>): void {
  chat.notice('info', 'This session is shown read-only.', 'Continue it in a copy first.');
}
