// Tells the user of servers that cannot be used when they are first wanted, and what becomes of those that were still connecting.
import { type McpServers, type McpServerState } from '../ports/mcp';

/** One sentence about one server; a later one about the same server takes its place. */
export type TellOfServer = (name: string, sentence: string) => void;

/** Each once: a connection that breaks later is another matter. Servers in `told` are left out, and those that are told of are added to it. */
export function reportServers(
  servers: Pick<McpServers, 'list' | 'onChange'>,
  tell: TellOfServer,
  told = new Set<string>(),
): void {
  const late = new Set<string>();
  for (const { entry, state } of servers.list()) {
    if (told.has(entry.name)) continue;
    if (state.kind !== 'connecting') tellOfFailure(entry.name, state, tell, told);
    else {
      late.add(entry.name);
      told.add(entry.name);
      tell(entry.name, `The MCP server ${entry.name} is still connecting. Its tools join when it is there.`);
    }
  }
  if (late.size === 0) return;
  const forget = servers.onChange(() => {
    for (const { entry, state } of servers.list()) {
      if (state.kind === 'connecting' || !late.delete(entry.name)) continue;
      if (state.kind === 'connected') tell(entry.name, `The MCP server ${entry.name} has joined.`);
      else tellOfFailure(entry.name, state, tell, told);
    }
    if (late.size === 0) forget();
  });
}

function tellOfFailure(name: string, state: McpServerState, tell: TellOfServer, told: Set<string>): void {
  const why =
    state.kind === 'failed' ? state.why : state.kind === 'needs-sign-in' ? 'it needs a sign-in first.' : undefined;
  if (why === undefined) return;
  told.add(name);
  tell(name, `The MCP server ${name} cannot be used: ${why}`);
}
