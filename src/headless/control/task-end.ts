// How a task in the background has ended, in the words of the public format.
import { endWords } from '../../core/features/subagents/subagent-texts';
import { type CommandEnd } from '../../core/ports/command-end';
import { type KnownRecord } from '../../core/ports/record';

export type TaskEnd = 'completed' | 'failed' | 'stopped';

export function taskEnd({ end, message }: Extract<KnownRecord, { subtype: 'background_end' }>): TaskEnd {
  return end === undefined ? agentEnd(message) : commandEnd(end);
}

/** Its end says it in words; one that was lost has failed. */
function agentEnd(message: string): TaskEnd {
  const states = ['completed', 'stopped'] as const;
  return states.find((state) => message.endsWith(` ${endWords[state]}.`)) ?? 'failed';
}

function commandEnd(end: CommandEnd): TaskEnd {
  if (end.state === 'exited') return end.code === 0 ? 'completed' : 'failed';
  const byUser = end.state === 'killed' && end.by !== 'timeout' && end.by !== 'limit';
  return byUser || end.state === 'interrupted' || end.state === 'closed' ? 'stopped' : 'failed';
}
