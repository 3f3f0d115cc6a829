// Continues in a copy of a chat's session, which is left as it is.
import { setImmediate as nextTask } from 'node:timers/promises';
import { forkEnd, forkRecords, writtenPrompt } from '../../../core/sessions/fork-records';
import { type AgentSession } from '../../../core/feature/agent-session';
import { wholeRecords } from '../../../core/sessions/light-records';
import { type SessionCopy } from './chat-needs';

interface ForkedChat {
  readonly readOnly: boolean;
  session(): Promise<AgentSession>;
  openCopy(copy: SessionCopy, agreed: boolean): Promise<void>;
}

/** Of all of it, or of what precedes the prompt with this uuid, which is returned to be rewritten. `agreed`: the user leaves what is at work. */
export async function forkChat(
  chat: ForkedChat,
  before?: string,
  agreed = false,
): Promise<ReturnType<typeof writtenPrompt>> {
  if (chat.readOnly) return undefined;
  const { records: own, settings } = await chat.session();
  const { checkpoints } = settings;
  // Before the present session is left.
  if (before !== undefined) forkEnd(own, before);
  const records = await wholeRecords(own, { pause: nextTask, now: () => performance.now() });
  await chat.openCopy(
    {
      records: (id) => forkRecords(records, id, before),
      ...(checkpoints === undefined ? {} : { checkpoints: ({ id }) => checkpoints.copyTo(id) }),
    },
    agreed,
  );
  return before === undefined ? undefined : writtenPrompt(records, before);
}
