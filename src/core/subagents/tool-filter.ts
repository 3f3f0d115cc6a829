// Which tools an agent gets: what no agent has, what only some have, and what its own file says.
import { canonicalToolName } from '../permissions/rules/rule-syntax';
import { type AgentDefinition } from './agent-definition';

/** By name or any older name. */
interface ToolNames extends Iterable<string> {
  has(name: string): boolean;
}

function toolNames(names: readonly string[]): ToolNames {
  const canonical = new Set(names.map(canonicalToolName));
  return { has: (name) => canonical.has(canonicalToolName(name)), [Symbol.iterator]: () => names[Symbol.iterator]() };
}

/** For no agent. Below the depth limit Agent stays, for agents that plan ExitPlanMode. */
export const ALWAYS_EXCLUDED_TOOLS = toolNames(['ExitPlanMode', 'EnterPlanMode', 'Task', 'AskUserQuestion']);

/** For agents of Deft's own only, where they are for any. */
export const BUILTIN_ONLY_TOOLS = toolNames([...ALWAYS_EXCLUDED_TOOLS, 'Config', 'TeamCreate', 'TeamDelete']);

/** All that agents in the background get, in addition to tools of MCP servers. */
export const ASYNC_SAFE_TOOLS = toolNames([
  ...['Read', 'Edit', 'TodoWrite', 'Grep', 'WebSearch', 'Glob', 'Bash', 'Skill', 'SlashCommand', 'WebFetch'],
  ...['PowerShell', 'Write', 'NotebookEdit', 'ToolSearch', 'TaskStop', 'SendMessage', 'Problems', 'Refactor'],
  'Tests',
]);

/** What waits for the user, for other sessions or for other agents: never for one that somebody else started. */
const alsoExcluded = toolNames(['EndConversation', 'ScheduleWakeup', 'TaskOutput', 'WaitForMcpServers', 'Workflow']);

export interface AgentContext {
  builtIn: boolean;
  background: boolean;
  /** The agent's depth: 1 for one that the conversation starts. */
  depth: number;
  maxDepth: number;
  planning: boolean;
  /** `CLAUDE_CODE_ALLOW_MCP_TOOLS_FOR_SUBAGENTS`: "0" drops tools of servers, "1" keeps them whatever a file says. */
  mcp?: string | undefined;
}

interface Named {
  name: string;
}

export function isMcpTool({ name }: Named): boolean {
  return name.startsWith('mcp__');
}

/** In order: tools of servers by the environment's word, what no agent has, what only Deft's own have, what is fit for the background. */
export function filterToolsByContext<Tool extends Named>(tools: readonly Tool[], context: AgentContext): Tool[] {
  return tools.filter((tool) => {
    if (isMcpTool(tool)) return context.mcp !== '0';
    const name = canonicalToolName(tool.name);
    const granted =
      (name === 'Agent' && context.depth < context.maxDepth) || (name === 'ExitPlanMode' && context.planning);
    if (alsoExcluded.has(name)) return false;
    if (ALWAYS_EXCLUDED_TOOLS.has(name) && !granted) return false;
    if (!context.builtIn && BUILTIN_ONLY_TOOLS.has(name) && !granted) return false;
    return !context.background || ASYNC_SAFE_TOOLS.has(name);
  });
}

export type ResolvedTools<Tool> =
  { tools: Tool[]; /** Entries that name no tool. */ unknown: string[] } | { error: string };

/** What its file leaves of these tools: first without those that it refuses, then those that it names. */
export function resolveAgentTools<Tool extends Named>(
  tools: readonly Tool[],
  agent: Pick<AgentDefinition, 'name' | 'tools' | 'disallowedTools'>,
  mcp?: string,
): ResolvedTools<Tool> {
  const stays = (tool: Tool): boolean => mcp === '1' && isMcpTool(tool);
  const refused = agent.disallowedTools ?? [];
  const left = tools.filter((tool) => stays(tool) || !refused.some((entry) => covers(entry, tool)));
  const wanted = agent.tools;
  const chosen =
    wanted === undefined ? left : left.filter((tool) => stays(tool) || wanted.some((entry) => covers(entry, tool)));
  const unknown = (wanted ?? []).filter((entry) => !tools.some((tool) => covers(entry, tool)));
  if (chosen.length > 0) return { tools: chosen, unknown };
  const named = wanted === undefined ? '' : ` It names ${wanted.join(', ')}.`;
  return {
    error: `The agent ${agent.name} would have no tools.${named} Available to it: ${tools.map(({ name }) => name).join(', ') || 'none'}. Use another agent, or fix its \`tools\` and \`disallowedTools\`.`,
  };
}

/** A file or an option that lists tools has this one by name: a pattern asks for none that is off by default. */
export function namesTool(entries: readonly string[], name: string): boolean {
  return entries.some((entry) => !entry.trim().endsWith('*') && covers(entry, { name }));
}

/** `Bash`, an older name, `Bash(git *)` as its tool, `mcp__server`, `mcp__server__*`, `mcp__*`. */
function covers(entry: string, { name }: Named): boolean {
  const written = entry.replace(/\(.*\)$/s, '').trim();
  if (written.endsWith('*'))
    return name.startsWith(written.slice(0, -1)) && (written !== '*' || !name.startsWith('mcp__'));
  if (written.startsWith('mcp__') && !written.slice(5).includes('__')) return name.startsWith(`${written}__`);
  return canonicalToolName(written) === canonicalToolName(name);
}
