// Servers in memory, for what needs only the port.
import {
  type McpCallOutcome,
  type McpPrompt,
  type McpResource,
  type McpServers,
  type McpServerStatus,
} from '../../../../src/core/ports/mcp';

export interface MemoryServers extends McpServers {
  readonly calls: string[];
}

export interface MemoryServersOptions {
  list?: McpServerStatus[];
  resources?: McpResource[];
  /** What a call gives; it gets the call as text. */
  answer?: (call: string) => McpCallOutcome | Promise<McpCallOutcome>;
}

export function memoryServers({
  list = [],
  resources = [],
  answer = () => ({ outcome: 'failed', message: 'Nobody is there.' }),
}: MemoryServersOptions): MemoryServers {
  const calls: string[] = [];
  const called = async (call: string): Promise<McpCallOutcome> => {
    calls.push(call);
    return answer(call);
  };
  return {
    calls,
    list: () => list,
    problems: () => [],
    onChange: () => () => undefined,
    settled: async () => undefined,
    callTool: (server, tool, input) => called(`call ${server} ${tool} ${JSON.stringify(input)}`),
    resources: async (server) => resources.filter((one) => server === undefined || one.server === server),
    readResource: (server, uri) => called(`read ${server} ${uri}`),
    prompt: (server, name, input) => called(`prompt ${server} ${name} ${JSON.stringify(input)}`),
    reconnect: async () => undefined,
    signIn: async () => undefined,
    signOut: async () => undefined,
    log: () => [],
    dispose: async () => undefined,
  };
}

export function connected(
  name: string,
  more: Partial<McpServerStatus> & { prompts?: McpPrompt[] } = {},
): McpServerStatus {
  const written = JSON.stringify({ command: 'run', args: [name] });
  return {
    entry: {
      name,
      scope: 'user',
      config: { type: 'stdio', command: 'run', args: [name], env: {} },
      alwaysLoad: false,
      written,
    },
    state: { kind: 'connected' },
    tools: [],
    prompts: [],
    resources: 0,
    ...more,
  };
}
