// Reads skills and plugins anew while a run goes on, as a program asks for it.
import path from 'node:path';
import { type AgentSession } from '../../core/feature/agent-session';
import { subagents } from '../../core/features/subagents/subagents-key';
import { type McpServers } from '../../core/ports/mcp';
import { type AgentDefinition } from '../../core/subagents/agent-definition';
import { defined } from '../../shared/defined';
import { type ControlRequest } from './control-messages';
import { RefusedRequest } from './control-channel';
import { statusRow } from './control-servers';
import { isPlugins, withoutServers } from './initialize-options';

type Answer = Readonly<Record<string, unknown>> | string;

/** What a program may name, as it is now. */
export interface Offered {
  commands: readonly { name: string; description: string; argumentHint: string }[];
  agents: readonly Pick<AgentDefinition, 'name' | 'description' | 'model'>[];
  skills: readonly { name: string; description: string; argumentHint?: string | undefined }[];
}

/** Plugins as they are now: nothing of them counts before `apply`. */
export interface PluginsAnew {
  /** Names of their servers, as the run has them and as it would. */
  servers: { before: readonly string[]; after: readonly string[] };
  problems: readonly string[];
  apply(): Promise<void>;
}

export interface ReloadTarget {
  session: AgentSession;
  mcp: McpServers | undefined;
  reload: {
    /** Looks again at what there is; later answers of `initialize` have it too. */
    offered(): Promise<Offered>;
    /** Messages wait for their turns. */
    waits(): boolean;
    /** A sentence where plugins of the program are not allowed. */
    readPlugins(more: { given: string[]; withoutServers: string[] }): Promise<PluginsAnew | string>;
    /** As the init message has them. */
    plugins(): readonly { name: string; path: string }[];
  };
  warn(message: string): void;
}

export async function reloadSkills(_request: ControlRequest, { reload }: ReloadTarget): Promise<Answer> {
  const { skills } = await reload.offered();
  return {
    skills: skills.map(({ name, description, argumentHint = '' }) => ({ name, description, argumentHint })),
  };
}

export async function reloadPlugins({ fields }: ControlRequest, target: ReloadTarget): Promise<Answer> {
  const { add_plugins: added = [], hold_on_cache_impact: holds, refuse_if_busy: refuses } = fields;
  if (!isPlugins(added) || !added.every((one) => path.isAbsolute(one.path)))
    return 'reload_plugins takes `add_plugins` as a list of {"type":"local","path"} with absolute paths.';
  if (refuses === true && isBusy(target))
    throw new RefusedRequest('reload_plugins_busy', 'The session is busy: nothing was reloaded.');
  const more = { given: added.map((one) => one.path), withoutServers: withoutServers(added) };
  const found = await target.reload.readPlugins(more);
  if (typeof found === 'string') return found;
  const impact = holds === true ? impactOf(found, target) : undefined;
  if (impact !== undefined) return { ...(await partsOf(target)), error_count: 0, held: true, cache_impact: impact };
  for (const problem of found.problems) target.warn(problem);
  await found.apply();
  return {
    ...(await partsOf(target)),
    error_count: found.problems.length,
    ...(holds === true ? { held: false } : {}),
  };
}

async function partsOf({ mcp, reload }: ReloadTarget): Promise<Record<string, unknown>> {
  const { commands, agents } = await reload.offered();
  return {
    commands,
    agents: agents.map(({ name, description, model }) => ({ name, description, ...defined({ model }) })),
    plugins: reload.plugins(),
    mcpServers: (mcp?.list() ?? []).map(statusRow),
  };
}

/** The servers whose tools would come or go; undefined where no conversation has been cached with them, or where none would. */
function impactOf(
  { servers: { before, after } }: PluginsAnew,
  { session }: ReloadTarget,
): Record<string, unknown> | undefined {
  if (!session.records.some(({ type }) => type === 'assistant')) return undefined;
  const added = after.filter((name) => !before.includes(name));
  const removed = before.filter((name) => !after.includes(name));
  return added.length === 0 && removed.length === 0
    ? undefined
    : { mcp_servers_added: added, mcp_servers_removed: removed, lsp_tool_change: null };
}

function isBusy({ session, reload }: ReloadTarget): boolean {
  const agents = session.feature(subagents)?.running.running() ?? [];
  return session.turns.running || reload.waits() || agents.some(({ idle }) => idle !== true);
}
