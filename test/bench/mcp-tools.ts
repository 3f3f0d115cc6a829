// A thousand tools of MCP servers: what they add to the request of one more turn.
import { SessionTools } from '../../src/core/session/session-tools';
import { withFeatureTools } from '../../src/core/session/session-registry';
import { mcpFeature } from '../../src/core/features/mcp/mcp-feature';
import { type SessionAccess } from '../../src/core/feature/session-feature';
import { type SessionSettings } from '../../src/core/feature/session-settings';
import { type Ports } from '../../src/core/ports/ports';
import { createKnownModels } from '../../src/core/model/known-models';
import { cleanSchema } from '../../src/core/mcp/clean-schema';
import { type McpServers, type McpServerStatus } from '../../src/core/ports/mcp';
import { type SessionRecord } from '../../src/core/ports/record';
import { createToolRegistry, getAllBaseTools } from '../../src/core/tools/registry';
import { createToolOffer } from '../../src/core/tools/tool-offer';
import { writeBody } from '../../src/providers/request-body';
import type { Report } from './report';

const servers = 20;
const toolsEach = 50;

/** The target is 5 ms a turn. */
export async function measureMcpTools(report: Report, runs: number): Promise<void> {
  const list = Array.from({ length: servers }, (_, server) => statusOf(`server${server}`));
  // Connections do so when a list arrives, a few at a time.
  for (const { tools } of list) for (const { inputSchema } of tools) cleanSchema(inputSchema);
  // Deft's own tools first: their schemas are made with the first request of a process, whoever else brings tools.
  const own = await requestOf([])();
  report.add({ area: 'core', name: 'first request of a process, no MCP tools', unit: 'ms' }, [own]);
  const turn = requestOf(list);
  report.add({ area: 'core', name: 'first request with 1,000 MCP tools, after one without', unit: 'ms' }, [
    await turn(),
  ]);
  const times: number[] = [];
  for (let run = 0; run < runs; run++) times.push(await turn());
  report.add({ area: 'core', name: '1,000 MCP tools in a later request', unit: 'ms' }, times);
}

/** A session with these servers: each call makes the body of one more request, and returns the milliseconds. */
function requestOf(list: readonly McpServerStatus[]): () => Promise<number> {
  const mcp = { list: () => list } as unknown as McpServers;
  const rules = Array.from({ length: 100 }, (_, index) => ({
    behavior: 'deny' as const,
    value: { toolName: `mcp__server${index}__tool${index}` },
    source: 'userSettings' as const,
    root: '/',
  }));
  const ports = {
    mcp,
    model: { provider: 'anthropic', capabilities: createKnownModels('anthropic').capabilities },
    log: { warn: () => undefined },
  } as unknown as Ports;
  const registry = createToolRegistry(getAllBaseTools());
  const settings = { registry, permission: { current: () => ({ rules }) } } as unknown as SessionSettings;
  const { tools: serverTools, sources = [] } = mcpFeature({ settings, ports } as SessionAccess);
  const all = withFeatureTools(registry, () => serverTools?.() ?? []);
  const model = (): string => 'claude-opus-5';
  const tools = new SessionTools(
    {
      registry: all,
      offer: createToolOffer({ registry: all, ports, toolSearch: undefined, model, skills: () => undefined }),
      environment: { platform: 'linux', shell: 'bash' },
      ports,
      strictTools: false,
      agents: async () => ({}),
    },
    model,
  );
  const records: SessionRecord[] = [];
  return async () => {
    const before = performance.now();
    const { tools: sent } = await tools.of(records);
    writeBody({ model: 'claude-opus-5', max_tokens: 1, system: [], tools: sent, messages: [] });
    await sources[0]?.present(new AbortController().signal);
    return performance.now() - before;
  };
}

function statusOf(name: string): McpServerStatus {
  const properties = Object.fromEntries(
    Array.from({ length: 6 }, (_, index) => [
      `field${index}`,
      { type: 'string', description: 'What goes into this field, in a sentence.' },
    ]),
  );
  return {
    entry: {
      name,
      scope: 'user',
      config: { type: 'stdio', command: 'x', args: [], env: {} },
      alwaysLoad: false,
      written: '',
    },
    state: { kind: 'connected' },
    tools: Array.from({ length: toolsEach }, (_, tool) => ({
      name: `tool${tool}`,
      description: 'Does something useful with what it is given. '.repeat(4),
      inputSchema: { type: 'object', properties },
      annotations: {},
      meta: {},
    })),
    prompts: [],
    resources: 0,
    instructions: 'How to use it.',
  };
}
