// The port of MCP servers over plain data, for tools that only ask it.
import {
  type McpCallOutcome,
  type McpResource,
  type McpServers,
  type McpServerState,
  type McpServerStatus,
} from '../../../src/core/ports/mcp';
import { entryOf } from './run-servers';

export interface GivenServer {
  state?: McpServerState;
  resources?: Omit<McpResource, 'server'>[];
  read?: (uri: string) => McpCallOutcome;
}

export function givenServers(
  servers: Record<string, GivenServer>,
  settled: () => void = () => undefined,
): Partial<McpServers> {
  return {
    list: () =>
      Object.entries(servers).map(([name, { state }]): McpServerStatus => ({
        entry: entryOf(name, { type: 'stdio', command: 'x', args: [], env: {} }),
        state: state ?? { kind: 'connected' },
        tools: [],
        prompts: [],
        resources: 0,
      })),
    onChange: () => () => undefined,
    settled: async () => settled(),
    resources: async (server) =>
      Object.entries(servers).flatMap(([name, { resources = [] }]) =>
        server === undefined || server === name ? resources.map((resource) => ({ server: name, ...resource })) : [],
      ),
    readResource: async (server, uri) =>
      servers[server]?.read?.(uri) ?? { outcome: 'failed', message: `The MCP server ${server} no longer exists.` },
  };
}
