// What runs beside the conversation, as a program asks for it: ends a task, and moves what a call waits for into the background.
import { type AgentSession } from '../../core/feature/agent-session';
import { backgroundRefusal, moveToBackground } from '../../core/features/subagents/move-to-background';
import { isLight } from '../../core/sessions/light-records';
import { type ControlRequest } from './control-messages';

type Answer = Readonly<Record<string, unknown>> | string;

/** An agent or a command in the background. */
export async function stopTask({ fields }: ControlRequest, session: AgentSession): Promise<Answer> {
  const id = fields['task_id'];
  if (typeof id !== 'string' || id === '') return 'stop_task takes a `task_id`.';
  const stopped = (await session.ports.terminal.stop(id, 'user')) || (await session.controls.end(id));
  return stopped ? {} : `Nothing runs under the ID ${id}.`;
}

/** Commands and agents that calls wait for: the call ends, and what it started goes on. */
export function backgroundTasks({ fields }: ControlRequest, session: AgentSession): Answer {
  const id = fields['tool_use_id'];
  if (id !== undefined && typeof id !== 'string') return 'background_tasks takes a `tool_use_id`, or none for all.';
  const refusal = backgroundRefusal(session);
  if (refusal !== undefined) return refusal;
  if (id !== undefined) return { backgrounded: moveToBackground(session, id) };
  for (const call of openCalls(session)) moveToBackground(session, call);
  return { backgrounded: true };
}

/** IDs of calls of the conversation without a result. */
function openCalls({ records }: AgentSession): string[] {
  const open = new Set<string>();
  for (const record of records) {
    // Compacted: it has had its result long since.
    if (isLight(record)) continue;
    if (record.type === 'assistant')
      for (const block of record.message.content) if (block.type === 'tool_use') open.add(block.id);
    if (record.type === 'user' && typeof record.message.content !== 'string')
      for (const block of record.message.content) if (block.type === 'tool_result') open.delete(block.tool_use_id);
  }
  return [...open];
}
