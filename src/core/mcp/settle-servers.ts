// How long servers are waited for before the first request: briefly, but for those that are needed, whose tools are in it from the start.
import { type McpServers } from '../ports/mcp';
import { startMs } from './limits';

/** `connectMs`: for those that are needed. The others join when they are there. */
export async function settleServers(
  servers: Pick<McpServers, 'settled'>,
  connectMs: number,
  signal: AbortSignal,
): Promise<void> {
  const most = Math.min(startMs, connectMs);
  await servers.settled(most, signal);
  if (connectMs > most) await servers.settled(connectMs - most, signal, ({ alwaysLoad }) => alwaysLoad);
}
