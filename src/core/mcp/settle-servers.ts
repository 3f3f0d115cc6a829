// How long servers are waited for before a request: briefly at the start of a run, and in every host for those that are needed, whose tools are in it from the start.
import { type McpServerEntry, type McpServers } from '../ports/mcp';
import { startMs } from './limits';

/** `connectMs`: for those that are needed. The others join when they are there. */
export async function settleServers(
  servers: Pick<McpServers, 'settled'>,
  connectMs: number,
  signal: AbortSignal,
): Promise<void> {
  const most = Math.min(startMs, connectMs);
  await servers.settled(most, signal);
  if (connectMs > most) await servers.settled(connectMs - most, signal, isNeeded);
}

/** Before each turn, in a window as in a run; mostly all of them are there. A tool that a server marks is known only with its server. */
export function settleNeeded(servers: Pick<McpServers, 'settled'>, signal: AbortSignal): Promise<void> {
  return servers.settled(undefined, signal, isNeeded);
}

function isNeeded({ alwaysLoad }: Pick<McpServerEntry, 'alwaysLoad'>): boolean {
  return alwaysLoad;
}
