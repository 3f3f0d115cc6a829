// /goal, /loop and /btw: what the agent keeps at, what is sent again and again, and questions beside the conversation.
import { maxGoalChars } from '../../../core/features/goal/session-goal';
import { readLoopLine } from '../../../core/prompt/loop-line';
import { type Chat } from '../conversation/chat';

export async function goalCommand(chat: Chat, rest: string): Promise<void> {
  if (chat.readOnly) return readOnly(chat);
  const { goal } = await chat.session();
  if (goal === undefined) return;
  if (rest === '')
    return chat.notice(
      'info',
      goal.condition === '' ? 'There is no goal.' : 'Goal',
      goal.condition === ''
        ? 'Type /goal and what is to be reached: /goal npm test passes.'
        : `${goal.condition}\n/goal clear takes it back.`,
    );
  if (/^(clear|none|off|stop)$/i.test(rest)) {
    if (goal.condition === '') return chat.notice('info', 'There is no goal.', 'Nothing was changed.');
    goal.clear();
    return chat.notice('info', 'The goal is taken back.', 'A turn that runs ends by itself.');
  }
  if (rest.length > maxGoalChars)
    return chat.notice(
      'info',
      'That goal is too long.',
      `${maxGoalChars.toLocaleString('en')} characters are the most: put the details into a file and name it.`,
    );
  goal.set(rest);
  await chat.send({
    text: `My goal for you, until it is reached: ${rest}`,
    shownAs: `/goal ${rest}`,
    mentionsIn: rest,
    images: [],
  });
}

export function loopCommand(
  chat: Pick<Chat, 'readOnly' | 'beside' | 'notice'> & { poster: Pick<Chat['poster'], 'state'> },
  rest: string,
): void {
  if (chat.readOnly) return readOnly(chat);
  const { loop } = chat.beside;
  const now = chat.poster.state.loop;
  if (/^(stop|off|clear|end)$/i.test(rest))
    return loop.stop()
      ? chat.notice('info', 'The loop is stopped.', 'A turn that runs goes on.')
      : chat.notice('info', 'There is no loop.', 'Nothing was changed.');
  if (rest === '' && now !== null)
    return chat.notice(
      'info',
      `A loop runs, ${now.pace}.`,
      `${now.prompt}\n/loop stop ends it; /loop and another prompt takes its place.`,
    );
  const line = readLoopLine(rest);
  if (typeof line === 'string')
    return chat.notice('info', now === null ? 'There is no loop yet.' : 'The loop goes on as it was.', line);
  if (now !== null) chat.notice('info', 'A new loop takes the place of the one before.', `Until now: ${now.prompt}`);
  loop.start(line);
}

export async function sideQuestion(chat: Chat, rest: string): Promise<void> {
  if (chat.readOnly) return readOnly(chat);
  if (rest === '')
    return chat.notice(
      'info',
      'Ask something beside the conversation.',
      'Type /btw and your question. The answer knows the conversation and stays out of it.',
    );
  await chat.beside.ask(rest);
}

function readOnly(chat: Pick<Chat, 'notice'>): void {
  chat.notice('info', 'This session is shown read-only.', 'Continue it in a copy first.');
}
