// Whether tasks in the background have ended of which the model does not know: where nobody sends a message, that begins a turn.
import { type SessionEvent } from '../../core/events/session-event';
import { type AgentSession } from '../../core/feature/agent-session';
import { taskEnd } from './task-end';

export interface TaskReports {
  /** Every event of the session. */
  hear(event: SessionEvent): void;
  /** Once the event is over: a turn may begin where none runs. */
  onDue(listener: () => void): void;
  /** Asked where no turn runs. What has reached a request meanwhile is no longer due. */
  isDue(session: AgentSession): boolean;
  /** A turn without a prompt begins, which tells all, or the program has ended one. */
  told(): void;
}

export function createTaskReports(): TaskReports {
  let ended = false;
  let notify = (): void => undefined;
  return {
    hear(event) {
      if (event.type !== 'record') return;
      const { record } = event;
      // With a prompt, the model is told all that there is.
      if (record.type === 'user' && record.isMeta !== true && record.toolState === undefined) ended = false;
      if (record.type !== 'system') return;
      // Whoever stopped it knows: the model reads so with the next message.
      if (record.subtype !== 'background_end' || taskEnd(record) === 'stopped') return;
      ended = true;
      setImmediate(() => notify());
    },
    onDue: (listener) => void (notify = listener),
    isDue({ pending }) {
      ended &&= pending.owesReport || pending.hasReminders;
      return ended;
    },
    told: () => void (ended = false),
  };
}
