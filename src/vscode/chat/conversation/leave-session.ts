// Leaves a chat's session for another one: its user agrees where something is at work, and reads what continues without it.
import { HostClosed } from '../../../core/loop/host-closed';
import { type AddNotice } from './chat-notices';
import { type ChatServices } from './chat-needs';
import { type ChatSession } from './chat-session';
import { commandsContinue, isAtWork, type LeftWork } from './left-work';

/** Where the chat goes: to the session with this id, to a new one, or, without the key, to something else. */
export interface LeftFor {
  id?: string | undefined;
}

interface LeavingParts {
  chat: { readonly work: LeftWork; readonly notice: AddNotice };
  services: Pick<ChatServices, 'mayLeave'>;
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
  if (to !== undefined && isAtWork(chat.work) && !(await services.mayLeave(chat.work, to))) return;
  const { sessionId, title, commands } = chat.work;
  await current.inTurn(step);
  if (commands.length === 0 || current.isClosed || chat.work.sessionId === sessionId) return;
  chat.notice('info', `Commands of “${title}” continue.`, commandsContinue({ commands }), {
    label: 'Show',
    command: 'showTasks',
  });
}
