// A teammate's session: that of an agent, with the team's tools and notes.
import { canonicalToolName } from '../../permissions/rules/rule-syntax';
import { createToolRegistry, type ToolRegistry } from '../../tools/registry';
import { type AgentOpening } from '../subagents/agent-team';
import notes from './teammate-notes.md';

/** What every teammate has, whatever its file lists, unless the file refuses it. */
const teamTools = ['SendMessage', 'TaskCreate', 'TaskUpdate', 'TaskGet', 'TaskList'];

/** `registry`: all tools of the conversation. */
export function teammateOpening(
  own: AgentOpening,
  { name, team }: { name: string; team: string },
  registry: ToolRegistry,
  refused: readonly string[],
): AgentOpening {
  const { settings } = own;
  const without = new Set(refused.map(canonicalToolName));
  const added = teamTools.flatMap((tool) => (without.has(tool) ? [] : (registry.find(tool) ?? [])));
  const teamNotes = notes.trim().replaceAll('{name}', name).replaceAll('{team}', team);
  return {
    ...own,
    settings: {
      ...settings,
      registry: createToolRegistry([...settings.registry.all(), ...added]),
      requests: { ...settings.requests, systemPrompt: `${settings.requests?.systemPrompt ?? ''}\n\n${teamNotes}` },
    },
  };
}
