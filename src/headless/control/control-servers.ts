// The MCP servers of a run, as a program asks for them and replaces its own.
import { type McpServers, type McpServerStatus } from '../../core/ports/mcp';
import { defined } from '../../shared/defined';
import { isObject } from '../../shared/plain-object';
import { type ControlRequest } from './control-messages';
import { serverStates } from './public-words';

/** What the run has, and how it takes others. */
export interface ServersTarget {
  /** Undefined where the run has none. */
  mcp: McpServers | undefined;
  /** Servers of the program in place of those that it named before: names that are new and gone, or a sentence where it may name none. */
  setServers(servers: Readonly<Record<string, unknown>>): Promise<{ added: string[]; removed: string[] } | string>;
  /** Ends a server, or lets it start again; resolves when it has connected or cannot. */
  toggleServer(name: string, enabled: boolean): Promise<void>;
}

type Answer = Readonly<Record<string, unknown>> | string;

export function serverStatus(mcp: McpServers | undefined): Answer {
  return { mcpServers: (mcp?.list() ?? []).map(statusRow) };
}

export function statusRow({ entry, state, tools }: McpServerStatus): Record<string, unknown> {
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

export async function toggleServer(
  { fields }: ControlRequest,
  { mcp, toggleServer: toggle }: ServersTarget,
): Promise<Answer> {
  const { serverName: name, enabled } = fields;
  if (typeof enabled !== 'boolean') return 'mcp_toggle takes `enabled`, true or false.';
  if (typeof name !== 'string' || statusOf(name, mcp) === undefined)
    return `There is no MCP server ${JSON.stringify(name)}.`;
  await toggle(name, enabled);
  const state = statusOf(name, mcp)?.state;
  if (!enabled || state === undefined) return {};
  if (state.kind === 'disabled') return `The MCP server ${name} stays off: ${state.why}`;
  if (state.kind === 'unapproved')
    return `The MCP server ${name} stays off: a project names it, and no settings file enables it.`;
  return state.kind === 'failed' ? `The MCP server ${name} cannot be used: ${state.why}` : {};
}

const keptForOthers = /^com\.anthropic\//;

/** For programs that show what a tool has made. What a server inside the program has, the program can read itself. */
export async function readServerResource({ fields }: ControlRequest, mcp: McpServers | undefined): Promise<Answer> {
  const { serverName: name, uri } = fields;
  if (typeof uri !== 'string' || !uri.startsWith('ui://'))
    return `mcp_read_resource reads resources with a ui:// address, not ${JSON.stringify(uri)}.`;
  const found = typeof name === 'string' ? statusOf(name, mcp) : undefined;
  if (mcp === undefined || found === undefined) return `There is no MCP server ${JSON.stringify(name)}.`;
  const { entry, state } = found;
  if (entry.program === true)
    return `The MCP server ${entry.name} is inside the program that asks: read its resources there.`;
  if (state.kind !== 'connected') return `The MCP server ${entry.name} is not connected: mcp_reconnect connects it.`;
  const outcome = await mcp.readResource(entry.name, uri, AbortSignal.timeout(longestReadMs));
  if (outcome.outcome === 'failed') return outcome.message;
  const contents = outcome.content.flatMap((piece) => {
    if (piece.type !== 'resource') return [];
    const { uri: its, mimeType, text, blob, meta = {} } = piece;
    const shown = Object.entries(meta).filter(([key]) => !keptForOthers.test(key));
    return [
      {
        uri: its,
        ...defined({ mimeType, text, blob }),
        ...(shown.length === 0 ? {} : { _meta: Object.fromEntries(shown) }),
      },
    ];
  });
  return { contents };
}

const longestReadMs = 60_000;

function statusOf(name: string, mcp: McpServers | undefined): McpServerStatus | undefined {
  return mcp?.list().find(({ entry }) => entry.name === name);
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
