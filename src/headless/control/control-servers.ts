// The MCP servers of a run, as a program asks for them and replaces its own.
import { type McpServers, type McpServerStatus } from '../../core/ports/mcp';
import { isObject } from '../../shared/plain-object';
import { type ControlRequest } from './control-messages';
import { serverStates } from './public-words';

/** What the run has, and how it takes others. */
export interface ServersTarget {
  /** Undefined where the run has none. */
  mcp: McpServers | undefined;
  /** Servers of the program in place of those that it named before: names that are new and gone, or a sentence where it may name none. */
  setServers(servers: Readonly<Record<string, unknown>>): Promise<{ added: string[]; removed: string[] } | string>;
}

type Answer = Readonly<Record<string, unknown>> | string;

export function serverStatus(mcp: McpServers | undefined): Answer {
  return { mcpServers: (mcp?.list() ?? []).map(statusRow) };
}

function statusRow({ entry, state, tools }: McpServerStatus): Record<string, unknown> {
  return {
    name: entry.name,
    status: serverStates[state.kind],
    ...(state.kind === 'failed' ? { error: state.why } : {}),
    scope: entry.scope === 'command-line' ? 'dynamic' : entry.scope,
    source: entry.program === true ? 'sdk' : entry.scope === 'command-line' ? 'dynamic' : entry.scope,
    tools: tools.map(({ name, description, annotations: { readOnlyHint, destructiveHint, openWorldHint } }) => ({
      name,
      description,
      annotations: {
        ...(readOnlyHint === undefined ? {} : { readOnly: readOnlyHint }),
        ...(destructiveHint === undefined ? {} : { destructive: destructiveHint }),
        ...(openWorldHint === undefined ? {} : { openWorld: openWorldHint }),
      },
    })),
  };
}

export async function reconnectServer({ fields }: ControlRequest, mcp: McpServers | undefined): Promise<Answer> {
  const name = fields['serverName'];
  if (typeof name !== 'string' || mcp?.list().some(({ entry }) => entry.name === name) !== true)
    return `There is no MCP server ${JSON.stringify(name)}.`;
  await mcp.reconnect(name);
  const state = mcp.list().find(({ entry }) => entry.name === name)?.state;
  return state?.kind === 'failed' ? `The MCP server ${name} cannot be used: ${state.why}` : {};
}

export async function setServers(
  { fields }: ControlRequest,
  { mcp, setServers: replace }: ServersTarget,
): Promise<Answer> {
  const { servers } = fields;
  if (!isObject(servers)) return 'mcp_set_servers takes `servers`, an object of servers by their names.';
  if (mcp === undefined) return 'This run has no MCP servers.';
  const changed = await replace(servers);
  if (typeof changed === 'string') return changed;
  const failed = mcp
    .list()
    .flatMap(({ entry, state }) => (entry.name in servers && state.kind === 'failed' ? [[entry.name, state.why]] : []));
  return { ...changed, errors: Object.fromEntries(failed) as Record<string, string> };
}
