// How long servers are waited for before a request: briefly at the start of a run, and in every host for those that are needed, whose tools are in it from the start.
import { type McpServerEntry, type McpServers, type McpServerState } from '../ports/mcp';
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

/** Events of a session. */
export type ServerWait = { type: 'servers_awaited'; names: readonly string[] } | { type: 'servers_settled' };

/** Before each turn, in a window as in a run; mostly all of them are there. A tool that a server marks is known only with its server. */
export async function settleNeeded(
  servers: Pick<McpServers, 'settled' | 'list' | 'onChange'>,
  signal: AbortSignal,
  emit: (event: ServerWait) => void,
): Promise<void> {
  let told = '';
  const tell = (): void => {
    const names = servers
      .list()
      .flatMap(({ entry, state }) => (isNeeded(entry) && isComing(state) ? [entry.name] : []));
    if (names.join() === told) return;
    told = names.join();
    emit(names.length > 0 ? { type: 'servers_awaited', names } : { type: 'servers_settled' });
  };
  const forget = servers.onChange(tell);
  tell();
  try {
    await servers.settled(undefined, signal, isNeeded);
  } finally {
    forget();
    // Those that have not come by now are not waited for any longer.
    if (told !== '') emit({ type: 'servers_settled' });
  }
}

function isComing({ kind }: McpServerState): boolean {
  return kind === 'connecting' || kind === 'reconnecting';
}

function isNeeded({ alwaysLoad }: Pick<McpServerEntry, 'alwaysLoad'>): boolean {
  return alwaysLoad;
}
