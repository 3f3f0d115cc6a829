// ListMcpResources: what data MCP servers offer.
import { z } from 'zod/v3';
import { buildTool, promptOf } from '../../tool/build-tool';
import { hookOutput } from '../../tool/hook-output';
import prompt from './list-mcp-resources.md';
import { type ToolContext, type ToolFailure, type ToolResult } from '../../tool/tool';

const inputSchema = z.strictObject({ server: z.string().optional().describe('The server (default: all)') });
const resourceSchema = z.object({
  server: z.string(),
  uri: z.string(),
  name: z.string(),
  description: z.string().optional(),
  mimeType: z.string().optional(),
});
const outputSchema = z.object({ resources: z.array(resourceSchema) });

type Input = z.infer<typeof inputSchema>;
type Output = z.infer<typeof outputSchema>;

export const listMcpResourcesTool = buildTool<Input, Output>({
  name: 'ListMcpResources',
  aliases: ['ListMcpResourcesTool'],
  seldom: 'lists the resources of MCP servers',
  prompt: promptOf(prompt),
  inputSchema,
  outputSchema,
  // Without the object around it.
  hookOutput: hookOutput<unknown, Output, Output['resources']>({
    shape: z.array(resourceSchema),
    show: ({ data: { resources } }) => resources,
    read: (resources) => ({ data: { resources } }),
  }),
  access: 'ReadOnly',
  isEnabled: ({ has }) => has('mcp'),
  isReadOnly: () => true,
  isConcurrencySafe: true,
  describe: ({ server }) => ({
    now: `Listing resources${server === undefined ? '' : ` of ${server}`}`,
    past: `Listed resources${server === undefined ? '' : ` of ${server}`}`,
  }),
  call,
  content: ({ resources }) =>
    resources.length === 0
      ? 'There are no resources.'
      : resources.map((resource) => JSON.stringify(resource)).join('\n'),
  view: ({ resources }) => ({ kind: 'json', text: JSON.stringify(resources, undefined, 2) }),
  detail: ({ resources }) => (resources.length === 1 ? '1 resource' : `${resources.length} resources`),
});

async function call(
  { server }: Input,
  { ports: { mcp }, signal }: ToolContext,
): Promise<ToolResult<Output> | ToolFailure> {
  const names = mcp?.list().map(({ entry }) => entry.name) ?? [];
  if (mcp === undefined || (server !== undefined && !names.includes(server))) {
    return {
      failure: {
        code: 'no-server',
        message: `There is no MCP server ${server ?? ''}. ${names.length === 0 ? 'None is configured.' : `There are: ${names.join(', ')}.`}`,
      },
    };
  }
  return { data: { resources: await mcp.resources(server, signal) } };
}
