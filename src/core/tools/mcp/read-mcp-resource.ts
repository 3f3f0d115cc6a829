// ReadMcpResource: reads data that an MCP server offers.
import { z } from 'zod/v3';
import { buildTool, promptOf } from '../../tool/build-tool';
import { mcpResourceForHooks } from './mcp-for-hooks';
import { mcpDetail, mcpOutput, mcpOutputSchema, mcpResultBlock, mcpView, type McpOutput } from './mcp-output';
import prompt from './read-mcp-resource.md';

const inputSchema = z.strictObject({
  server: z.string().describe("The server's name"),
  uri: z.string().describe('The URI of the resource'),
});

type Input = z.infer<typeof inputSchema>;

export const readMcpResourceTool = buildTool<Input, McpOutput>({
  name: 'ReadMcpResource',
  aliases: ['ReadMcpResourceTool'],
  seldom: 'reads a resource of an MCP server',
  prompt: promptOf(prompt),
  inputSchema,
  outputSchema: mcpOutputSchema,
  hookOutput: mcpResourceForHooks,
  access: 'ReadOnly',
  isEnabled: ({ has }) => has('mcp'),
  isReadOnly: () => true,
  isConcurrencySafe: true,
  describe: ({ server, uri }) => ({ now: `Reading ${uri} of ${server}`, past: `Read ${uri} of ${server}` }),
  async call({ server, uri }, context) {
    const { ports, signal } = context;
    if (ports.mcp === undefined) return { failure: { code: 'no-server', message: 'There are no MCP servers here.' } };
    const outcome = await ports.mcp.readResource(server, uri, signal);
    return outcome.outcome === 'failed'
      ? { failure: { code: 'mcp-failed', message: outcome.message } }
      : { data: await mcpOutput(outcome, context) };
  },
  mapToolResultToToolResultBlockParam: mcpResultBlock,
  view: mcpView,
  detail: mcpDetail,
});
