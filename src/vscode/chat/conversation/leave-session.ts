// Leaves a chat's session for another one: its user agrees where something is at work, and reads what continues without it.
import { HostClosed } from '../../../core/loop/host-closed';
import { type AddNotice } from './chat-notices';
import { type ChatSession } from './chat-session';
import { commandsContinue, isAtWork, type LeftFor, type LeftWork } from './left-work';

interface LeavingParts {
  chat: { readonly work: LeftWork; readonly notice: AddNotice };
  services: { confirmLeaving(work: LeftWork, to: LeftFor): Promise<boolean> };
  current: Pick<ChatSession, 'inTurn' | 'isClosed'>;
}

/** Why a turn stops that is left: as after a reload, what waits is asked again when the session is opened. */
export const leaving = new HostClosed();

/** `to` is undefined where the user has agreed already. */
export async function leaveFor(
  to: LeftFor | undefined,
  step: () => Promise<void>,
  { chat, services, current }: LeavingParts,
): Promise<void> {
  if (to !== undefined && isAtWork(chat.work) && !(await services.confirmLeaving(chat.work, to))) return;
  const { sessionId, title, commands } = chat.work;
  await current.inTurn(step);
  if (commands.length === 0 || current.isClosed || chat.work.sessionId === sessionId) return;
  chat.notice('info', `Commands of “${title}” continue.`, commandsContinue({ commands }), {
    label: 'Show',
    command: 'showTasks',
  });
}
