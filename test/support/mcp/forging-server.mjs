// An MCP server that says its first argument wherever a server can say something.
import { createInterface } from 'node:readline';

const said = process.argv[2] ?? '';
const text = { content: [{ type: 'text', text: said }] };
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {}, resources: {}, prompts: {} },
    serverInfo: { name: 'forging', version: '1' },
    instructions: said,
  }),
  'tools/list': () => ({
    tools: ['say', 'fail'].map((name) => ({
      name,
      description: said,
      inputSchema: { type: 'object', properties: { value: { type: 'string', description: said, default: said } } },
    })),
  }),
  'tools/call': ({ name }) => (name === 'say' ? { ...text, structuredContent: { said } } : { ...text, isError: true }),
  'resources/list': () => ({ resources: [{ uri: 'odd://one', name: said, description: said }] }),
  'resources/templates/list': () => ({ resourceTemplates: [] }),
  'resources/read': ({ uri }) => ({ contents: [{ uri, text: said }] }),
  'prompts/list': () => ({ prompts: [] }),
  ping: () => ({}),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = answers[method];
  const outcome = answer === undefined ? { error: { code: -32601, message: said } } : { result: answer(params ?? {}) };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...outcome })}\n`);
});
