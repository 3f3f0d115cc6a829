// /goal, /loop and /btw: what the agent keeps at, what is sent again and again, and questions beside the conversation.
import { maxGoalChars } from '../../../core/goal/session-goal';
import { readLoopLine } from '../../../core/prompt/loop-line';
import { type Chat } from '../chat';

export async function goalCommand(chat: Chat, rest: string): Promise<void> {
  if (chat.readOnly) return readOnly(chat);
  const { goal } = await chat.session();
  if (goal === undefined) return;
  if (rest === '') return chat.notice('info', goal.condition === '' ? 'There is no goal.' : 'Goal', goal.condition === '' ? 'Type /goal and what is to be reached: /goal npm test passes.' : `${goal.condition}\n/goal clear takes it back.`);
  if (/^(clear|none|off|stop)$/i.test(rest)) {
    if (goal.condition === '') return chat.notice('info', 'There is no goal.', 'Nothing was changed.');
    goal.clear();
    return chat.notice('info', 'The goal is taken back.', 'A turn that runs ends by itself.');
  }
  if (rest.length > maxGoalChars) return chat.notice('info', 'That goal is too long.', `${maxGoalChars.toLocaleString('en')} characters are the most: put the details into a file and name it.`);
  goal.set(rest);
  await chat.send({ text: `My goal for you, until it is reached: ${rest}`, shownAs: `/goal ${rest}`, mentionsIn: rest, images: [] });
}

export function loopCommand(chat: Chat, rest: string): void {
  if (chat.readOnly) return readOnly(chat);
  const { loop } = chat.beside;
  if (/^(stop|off|clear|end)$/i.test(rest)) return chat.notice('info', loop.stop() ? 'The loop is stopped.' : 'There is no loop.', 'A turn that runs goes on.');
  const line = readLoopLine(rest);
  if (typeof line === 'string') chat.notice('info', 'There is no loop yet.', line);
  else loop.start(line);
}

export async function sideQuestion(chat: Chat, rest: string): Promise<void> {
  if (chat.readOnly) return readOnly(chat);
  if (rest === '') return chat.notice('info', 'Ask something beside the conversation.', 'Type /btw and your question. The answer knows the conversation and stays out of it.');
  await chat.beside.ask(rest);
}

function readOnly(chat: Chat): void {
  chat.notice('info', 'This session is shown read-only.', 'Continue it in a copy first.');
}
