// A server of the official SDK's own class, for what no official package does: hundreds of tools, a list that grows, answers in other words, and a late start.
import { appendFileSync, existsSync, watchFile } from 'node:fs';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema, McpError } from '@modelcontextprotocol/sdk/types.js';

const { PIDS: pids, GATE: gate } = process.env;
if (pids !== undefined) appendFileSync(pids, `${process.pid}\n`);
// It is there once the file is.
if (gate !== undefined && !existsSync(gate))
  await new Promise((resolve) => watchFile(gate, { interval: 50 }, () => existsSync(gate) && resolve()));

const tool = (name, more = {}) => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object', properties: {} },
  ...more,
});
const tools = [
  tool('grow'),
  tool('refuse'),
  tool('wrapped'),
  tool('reordered'),
  tool('unlike'),
  tool('ask'),
  tool('long', { description: `${'d'.repeat(4_090)}END${'x'.repeat(5_000)}` }),
  tool('urgent', { _meta: { 'anthropic/alwaysLoad': true } }),
  ...Array.from({ length: 200 }, (_, index) => tool(`numbered_${index}`)),
];

const server = new Server(
  { name: 'sdk', version: '1.0.0' },
  { capabilities: { tools: { listChanged: true } }, enforceStrictCapabilities: false },
);
server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools }));
server.setRequestHandler(CallToolRequestSchema, async ({ params: { name } }) => {
  const answer = (text, structuredContent) => ({ content: [{ type: 'text', text }], structuredContent });
  switch (name) {
    case 'grow':
      tools.push(tool('grown'));
      await server.sendToolListChanged();
      return answer('It has grown.');
    case 'refuse':
      throw new McpError(ErrorCode.InvalidParams, 'The project must be a number, such as 7');
    case 'wrapped':
      return answer('[\n  "apple"\n]', { result: ['apple'] });
    case 'reordered':
      return answer('{"b": 1, "a": "apple"}', { a: 'apple', b: 1 });
    case 'unlike':
      return answer('Two fruits.', { result: ['apple', 'pear'] });
    case 'ask': {
      // Whatever the client says of itself.
      const { action } = await server
        .request(
          {
            method: 'elicitation/create',
            params: { message: 'Who?', requestedSchema: { type: 'object', properties: {} } },
          },
          { parse: (value) => value, safeParse: (value) => ({ success: true, data: value }) },
        )
        .catch((error) => ({ action: `failed: ${error.message}` }));
      return answer(`The user chose: ${action}.`);
    }
    default:
      return answer(`${name} is done.`);
  }
});
await server.connect(new StdioServerTransport());
