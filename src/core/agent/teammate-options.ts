// A teammate's session: that of an agent, with the team's tools and notes, under its own name, which stays for mail.
import { canonicalToolName } from '../permissions/rules/rule-syntax';
import notes from '../teams/teammate-notes.md';
import { createToolRegistry, type ToolRegistry } from '../tools/registry';
import { type SessionOptions } from './session-options';
import { type AgentRun } from '../features/subagents/running-agents';
import { type TeammateSeat } from './team-room';
import { createTeammateRun } from '../features/teams/teammate-run';

/** What every teammate has, whatever its file lists, unless the file refuses it. */
const teamTools = ['SendMessage', 'TaskCreate', 'TaskUpdate', 'TaskGet', 'TaskList'];

export interface TeammateBeginning {
  id: string;
  seat: TeammateSeat;
  /** All tools of the conversation. */
  registry: ToolRegistry;
  /** `disallowedTools` of its file. */
  refused: readonly string[];
  begin: (options: SessionOptions) => AgentRun;
}

/** In place of the session of an agent that ends with its turn. */
export function beginTeammate(own: SessionOptions, facts: TeammateBeginning): AgentRun {
  const run = createTeammateRun(facts.begin(teammateOptions(own, facts)), facts.seat.life);
  facts.seat.taken(run);
  return run;
}

function teammateOptions(
  own: SessionOptions,
  { id, seat: { life }, registry, refused }: TeammateBeginning,
): SessionOptions {
  const { name, team } = life;
  const without = new Set(refused.map(canonicalToolName));
  const added = teamTools.flatMap((tool) => (without.has(tool) ? [] : (registry.find(tool) ?? [])));
  const label = { id, name };
  const { approver } = own.ports;
  return {
    ...own,
    registry: createToolRegistry([...own.registry.all(), ...added]),
    systemPrompt: `${own.systemPrompt ?? ''}\n\n${notes.trim().replaceAll('{name}', name).replaceAll('{team}', team)}`,
    ports: {
      ...own.ports,
      approver: {
        ask: (request, signal, stillNeeded) =>
          approver.ask({ ...request, agent: request.agent ?? label }, signal, stillNeeded),
      },
    },
    emit: (event) =>
      own.emit(
        event.type === 'approval_asked'
          ? { ...event, request: { ...event.request, agent: event.request.agent ?? label } }
          : event,
      ),
  };
}
