// An MCP server made with the official library: asks its user, shows a widget, names its process, and dies when it is told to.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';

const server = new McpServer({ name: 'official', version: '1.0.0' });
const said = (text) => ({ content: [{ type: 'text', text }] });
server.registerTool('ask', { description: 'Asks for a name.' }, async () => {
  const answer = await server.server.elicitInput({
    message: 'What is your name?',
    requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  });
  return said(`${answer.action}: ${answer.content?.name}`);
});
server.registerTool('pid', { description: 'Names its process.' }, async () => said(`process ${process.pid}`));
server.registerTool('die', { description: 'Ends its process.' }, async () => process.exit(3));
const uri = 'ui://official/widget';
const meta = { 'com.anthropic/token': 'secret', ui: { csp: {} } };
server.registerResource('widget', uri, { mimeType: 'text/html' }, async () => ({
  contents: [{ uri, mimeType: 'text/html', text: '<p>Hello</p>', _meta: meta }],
}));
await server.connect(new StdioServerTransport());
