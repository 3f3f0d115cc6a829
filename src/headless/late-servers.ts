// Tells the user of servers that could not be used at the start of a run, and what becomes of those that were still connecting.
import { type RunConnections } from './run-connections';
import { type RunBasis } from './run-basis';
import { hooksLeftOut, hooksLocked, serversLeftOut } from './left-out';
import { settleServers } from '../core/mcp/settle-servers';
import { timesFromVariables } from '../core/mcp/limits';
import { type McpServers, type McpServerState, type McpServerStatus } from '../core/ports/mcp';

/** Each once: a connection that breaks later is another matter. */
export function reportServers(servers: Pick<McpServers, 'list' | 'onChange'>, warn: (sentence: string) => void): void {
  const late = new Set<string>();
  for (const { entry, state } of servers.list()) {
    if (state.kind !== 'connecting') warnOfFailure(entry.name, state, warn);
    else {
      late.add(entry.name);
      warn(`The MCP server ${entry.name} is still connecting. Its tools join when it is there.`);
    }
  }
  if (late.size === 0) return;
  const forget = servers.onChange(() => {
    for (const { entry, state } of servers.list()) {
      if (state.kind === 'connecting' || !late.delete(entry.name)) continue;
      if (state.kind === 'connected') warn(`The MCP server ${entry.name} has joined.`);
      else warnOfFailure(entry.name, state, warn);
    }
    if (late.size === 0) forget();
  });
}

function warnOfFailure(name: string, state: McpServerState, warn: (sentence: string) => void): void {
  if (state.kind === 'failed') warn(`The MCP server ${name} cannot be used: ${state.why}`);
  else if (state.kind === 'needs-sign-in') warn(`The MCP server ${name} cannot be used: the user must sign in first.`);
}

/** Servers are waited for briefly: a program that runs Deft cannot wait for them itself, and one that hangs must not hold it up. */
export async function settledServers(
  { host, environment }: RunBasis,
  { mcp, hooks }: RunConnections,
): Promise<readonly McpServerStatus[]> {
  const { warn } = host;
  if (mcp !== undefined) await settleServers(mcp, timesFromVariables(environment).connectMs, host.interruption.signal);
  for (const sentence of mcp?.problems() ?? []) warn(sentence);
  const servers = mcp?.list() ?? [];
  if (mcp !== undefined) reportServers(mcp, warn);
  for (const sentence of [hooksLeftOut(hooks.atStart), hooksLocked(hooks.atStart), serversLeftOut(servers)])
    if (sentence !== undefined) warn(sentence);
  return servers;
}
