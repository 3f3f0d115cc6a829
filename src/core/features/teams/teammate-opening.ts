// A teammate's session: that of an agent, with the team's tools and notes, under its own name, which stays for mail.
import { canonicalToolName } from '../../permissions/rules/rule-syntax';
import { createToolRegistry, type ToolRegistry } from '../../tools/registry';
import { type AgentOpening } from '../subagents/agent-team';
import notes from './teammate-notes.md';

/** What every teammate has, whatever its file lists, unless the file refuses it. */
const teamTools = ['SendMessage', 'TaskCreate', 'TaskUpdate', 'TaskGet', 'TaskList'];

/** `registry`: all tools of the conversation. */
export function teammateOpening(
  own: AgentOpening,
  { id, name, team }: { id: string; name: string; team: string },
  registry: ToolRegistry,
  refused: readonly string[],
): AgentOpening {
  const { ports, settings } = own;
  const without = new Set(refused.map(canonicalToolName));
  const added = teamTools.flatMap((tool) => (without.has(tool) ? [] : (registry.find(tool) ?? [])));
  const label = { id, name };
  const { systemPrompt = '' } = settings.requests ?? {};
  return {
    ...own,
    ports: {
      ...ports,
      approver: {
        ask: (request, signal, stillNeeded) =>
          ports.approver.ask({ ...request, agent: request.agent ?? label }, signal, stillNeeded),
      },
    },
    settings: {
      ...settings,
      registry: createToolRegistry([...settings.registry.all(), ...added]),
      requests: {
        ...settings.requests,
        systemPrompt: `${systemPrompt}\n\n${notes.trim().replaceAll('{name}', name).replaceAll('{team}', team)}`,
      },
      emit: (event) =>
        settings.emit(
          event.type === 'approval_asked'
            ? { ...event, request: { ...event.request, agent: event.request.agent ?? label } }
            : event,
        ),
    },
  };
}
