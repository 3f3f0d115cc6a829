// Waits for servers at the start of a run, and tells what of them and of hooks is left out.
import { type RunConnections } from './run-connections';
import { type RunBasis } from './run-basis';
import { hooksLeftOut, hooksLocked, serversLeftOut } from './left-out';
import { settleServers } from '../core/mcp/settle-servers';
import { timesFromVariables } from '../core/mcp/limits';
import { reportServers } from '../core/mcp/late-servers';
import { type McpServerStatus } from '../core/ports/mcp';

/** Servers are waited for briefly: a program that runs Deft cannot wait for them itself, and one that hangs must not hold it up. */
export async function settledServers(
  { host, environment }: RunBasis,
  { mcp, hooks }: RunConnections,
): Promise<readonly McpServerStatus[]> {
  const { warn } = host;
  if (mcp !== undefined) await settleServers(mcp, timesFromVariables(environment).connectMs, host.interruption.signal);
  for (const sentence of mcp?.problems() ?? []) warn(sentence);
  const servers = mcp?.list() ?? [];
  if (mcp !== undefined) reportServers(mcp, (_name, sentence) => warn(sentence));
  for (const sentence of [hooksLeftOut(hooks.atStart), hooksLocked(hooks.atStart), serversLeftOut(servers)])
    if (sentence !== undefined) warn(sentence);
  return servers;
}
