// The agents that a log says were started: to continue one later, and to find out which are lost.
import { defined } from '../../shared/defined';
import { z } from 'zod/v3';
import { callRecord } from './call-records';
import { hasField } from '../text/has-field';
import { type SessionRecord } from '../ports/record';

export interface StartedAgent {
  id: string;
  name?: string;
  agentType: string;
  description: string;
  toolUseId: string;
  transcript: string;
  /** Its call did not wait for it. */
  background: boolean;
  /** The team that it was started in. */
  team?: string;
}

const output = z.object({
  status: z.string(),
  agentId: z.string(),
  agentType: z.string(),
  description: z.string(),
  transcript: z.string().optional(),
  team_name: z.string().optional(),
});
const input = z.object({ name: z.string().optional() });

function startedAgents(records: readonly SessionRecord[]): StartedAgent[] {
  return records.flatMap((record) => {
    // A schema tried on every result would take most of the time that a long log takes to open.
    if (
      record.type !== 'user' ||
      typeof record.message.content === 'string' ||
      !hasField(record.toolUseResult, 'agentId')
    )
      return [];
    const read = output.safeParse(record.toolUseResult);
    const toolUseId = record.message.content.find((block) => block.type === 'tool_result')?.tool_use_id;
    if (!read.success || toolUseId === undefined) return [];
    const call = callRecord(records, toolUseId)?.message.content.find(
      (block) => block.type === 'tool_use' && block.id === toolUseId,
    );
    const named = input.safeParse(call?.type === 'tool_use' ? call.input : undefined);
    const name = named.success ? named.data.name : undefined;
    const { agentId: id, agentType, description, status, transcript = '', team_name: team } = read.data;
    return [
      {
        id,
        ...defined({ name }),
        agentType,
        description,
        toolUseId,
        transcript,
        background: status === 'async_launched',
        ...defined({ team }),
      },
    ];
  });
}

/** By id; by name the last one. */
export function startedAgent(records: readonly SessionRecord[], to: string): StartedAgent | undefined {
  const all = startedAgents(records);
  return all.find(({ id }) => id === to) ?? all.findLast(({ name }) => name === to);
}

/** Those that were started as teammates of this team. */
export function startedTeammates(records: readonly SessionRecord[], team: string): (StartedAgent & { name: string })[] {
  return startedAgents(records).flatMap((agent) =>
    agent.team === team && agent.name !== undefined ? [{ ...agent, name: agent.name }] : [],
  );
}

/** Those in the background whose end is nowhere in the log. */
export function unendedAgents(records: readonly SessionRecord[]): StartedAgent[] {
  const ended = new Set(
    records.flatMap((record) =>
      record.type === 'system' && record.subtype === 'background_end' && record.toolUseId !== undefined
        ? [record.toolUseId]
        : [],
    ),
  );
  return startedAgents(records).filter(({ background, toolUseId }) => background && !ended.has(toolUseId));
}
