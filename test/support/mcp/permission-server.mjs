// A server whose tool decides on calls, as --permission-prompt-tool asks it: "yes" in the input allows, "other" changes the command, all else is a no.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const server = new McpServer({ name: 'permission', version: '1' });
server.registerTool(
  'decide',
  {
    description: 'Decides on a call.',
    inputSchema: { tool_name: z.string(), input: z.any(), tool_use_id: z.string() },
  },
  ({ tool_name: tool, input }) => {
    const said = JSON.stringify(input);
    const decision = said.includes('yes')
      ? { behavior: 'allow', updatedInput: input }
      : said.includes('other')
        ? { behavior: 'allow', updatedInput: { ...input, command: 'touch yes.txt' } }
        : { behavior: 'deny', message: `No ${tool} here.` };
    return { content: [{ type: 'text', text: said.includes('odd') ? 'Perhaps.' : JSON.stringify(decision) }] };
  },
);
await server.connect(new StdioServerTransport());
