// The MCP servers that an editor names for a session, as files name them.
import { type McpServer } from '@agentclientprotocol/sdk';

export function serversConfig(servers: readonly McpServer[]): string[] {
  if (servers.length === 0) return [];
  const entries = servers.map((server): [string, unknown] => {
    if ('url' in server) {
      const { type, url, headers } = server;
      return [server.name, { type, url, headers: valuesOf(headers) }];
    }
    const { command, args, env } = server;
    return [server.name, { command, args, env: valuesOf(env) }];
  });
  return [JSON.stringify({ mcpServers: Object.fromEntries(entries) })];
}

function valuesOf(list: readonly { name: string; value: string }[]): Record<string, string> {
  return Object.fromEntries(list.map(({ name, value }) => [name, value]));
}
