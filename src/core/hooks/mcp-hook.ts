// Hooks that are tools of MCP servers: what the tool answers counts as what a hook prints.
import { type HookHandlers } from '../ports/hook-handlers';
import { type McpServers } from '../ports/mcp';

export function withMcpTools(handlers: HookHandlers, servers: McpServers | undefined): HookHandlers {
  if (servers === undefined) return handlers;
  return {
    ...handlers,
    async callMcpTool({ server, tool, input }, signal) {
      try {
        const outcome = await servers.callTool(server, tool, { ...input }, { signal });
        if (outcome.outcome === 'failed') return { kind: 'failed', message: outcome.message };
        const text = outcome.content.flatMap((piece) => (piece.type === 'text' ? [piece.text] : [])).join('\n');
        return outcome.isError
          ? { kind: 'failed', message: text === '' ? `${tool} of ${server} failed.` : text }
          : { kind: 'body', text };
      } catch (error) {
        if (signal.aborted) return { kind: 'cancelled' };
        throw error;
      }
    },
  };
}
