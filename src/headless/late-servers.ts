// Tells the user of servers that could not be used at the start of a run, and what becomes of those that were still connecting.
import { type McpServers, type McpServerState } from '../core/ports/mcp';

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
