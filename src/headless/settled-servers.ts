// Waits for the MCP servers of a run, and says what of servers and hooks does not run.
import { timesFromVariables } from '../core/mcp/limits';
import { settleServers } from '../core/mcp/settle-servers';
import { type McpServerStatus } from '../core/ports/mcp';
import { reportServers } from './late-servers';
import { hooksLeftOut, hooksLocked, serversLeftOut } from './left-out';
import { type RunBasis } from './run-basis';
import { type RunConnections } from './run-connections';

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
