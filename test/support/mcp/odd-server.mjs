// An MCP server that does something wrong: the first argument says what.
import { createInterface } from 'node:readline';
import { spawn } from 'node:child_process';

const [kind, more] = process.argv.slice(2);
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const tool = (name, extra = {}) => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object', properties: {} },
  ...extra,
});
let listed = 0;
let asked = 0;
let most = 0;
let unanswered;
let tools = [
  tool('ping'),
  tool('die'),
  tool('hang'),
  tool('flood'),
  tool('nonsense'),
  tool('empty'),
  tool('null'),
  tool('words'),
  tool('unlike'),
  tool('bare'),
  tool('change'),
  tool('progress'),
  tool('log'),
  tool('environment'),
];

if (kind === 'shapes')
  tools = [
    { nothing: true },
    'text',
    tool('good', { inputSchema: 'no schema' }),
    tool('good'),
    tool('wide', {
      description: 'x'.repeat(10_000),
      inputSchema: {
        anyOf: [{ properties: { a: { type: 'strange' } }, required: ['a'] }, { properties: { 'bad name!': {} } }],
      },
    }),
  ];
if (kind === 'echo') tools = [tool('echo')];
if (kind === 'slow') tools = [tool('wait'), tool('release'), tool('refuse')];
let waiting = [];
if (kind === 'dies-at-once') {
  process.stderr.write('This server needs a key.\n');
  process.exit(3);
}
if (kind === 'silent') setInterval(() => undefined, 1_000);
if (kind === 'children') {
  const child = spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'], {
    stdio: 'ignore',
  });
  tools = [tool('pid', { description: String(child.pid) })];
}
if (kind === 'halves') {
  const bytes = Buffer.from('Schlüssel\n');
  process.stderr.write(bytes.subarray(0, 5), () =>
    setTimeout(() => process.stderr.write(bytes.subarray(5), () => process.exit(3)), 100),
  );
}
if (kind === 'chatter') {
  process.stdout.write('Welcome to this server!\n');
  process.stderr.write(`${'e'.repeat(1_000)}\n`.repeat(2_000));
}

const answers = {
  initialize: ({ id, params }) => {
    if (kind === 'init-error') return send({ id, error: { code: -32000, message: 'The licence key is missing.' } });
    if (kind === 'init-version')
      return send({
        id,
        result: { protocolVersion: '1999-01-01', capabilities: {}, serverInfo: { name: kind, version: '1' } },
      });
    if (kind === 'init-shape') return send({ id, result: { hello: 1 } });
    return send({
      id,
      result: {
        protocolVersion: params.protocolVersion,
        capabilities: {
          tools: { listChanged: true },
          logging: {},
          ...(kind === 'late-prompts' ? { prompts: {} } : {}),
        },
        serverInfo: { name: kind, version: '1' },
        instructions: kind === 'shapes' ? 'i'.repeat(5_000) : undefined,
      },
    });
  },
  ping: ({ id }) => send({ id, result: {} }),
  'tools/list': ({ id, params }) => {
    listed++;
    if (kind === 'pages')
      return send({
        id,
        result: {
          tools: [tool(`t${params?.cursor ?? 0}`)],
          nextCursor: Number(params?.cursor ?? 0) < 2 ? String(Number(params?.cursor ?? 0) + 1) : undefined,
        },
      });
    if (kind === 'endless-pages') return send({ id, result: { tools: [tool(`t${listed}`)], nextCursor: 'again' } });
    if (kind === 'slow-lists') {
      asked++;
      most = Math.max(most, asked);
      send({ method: 'notifications/tools/list_changed' });
      return setTimeout(() => send({ id, result: { tools: [tool(`${asked--} of ${most}, ${listed}`)] } }), 600);
    }
    if (kind === 'no-list') return send({ id, result: { tools: 'none' } });
    if (kind === 'changes-then-fails' && listed > 1) return send({ id, error: { code: -32603, message: 'Not now.' } });
    return send({ id, result: { tools } });
  },
  'prompts/list': ({ id }) => (unanswered = id),
  'tools/call': ({ id, params }) => {
    if (unanswered !== undefined) send({ id: unanswered, result: { prompts: [{ name: 'late' }] } });
    const text = (value) => send({ id, result: { content: [{ type: 'text', text: value }] } });
    switch (params.name) {
      case 'wait':
        send({
          method: 'notifications/progress',
          params: { progressToken: params._meta?.progressToken, progress: 1, message: 'under way' },
        });
        return waiting.push(id);
      case 'release':
      case 'refuse':
        for (const one of waiting.splice(0))
          send({
            id: one,
            result: { content: [{ type: 'text', text: 'It took its time.' }], isError: params.name === 'refuse' },
          });
        return text('released');
      case 'echo':
        return text(params.arguments.text);
      case 'die':
        return process.exit(7);
      case 'hang':
        return undefined;
      case 'flood':
        for (let index = 0; index < 40; index++) process.stdout.write('x'.repeat(1024 * 1024));
        return undefined;
      case 'nonsense':
        process.stdout.write('{"jsonrpc":\n');
        return send({
          id,
          result: {
            content: [{ type: 'image', data: '!!!' }, { strange: 1 }, 5, { type: 'text', text: 'still here' }],
          },
        });
      case 'empty':
        return send({ id, result: { fine: true } });
      case 'null':
        return send({ id, result: null });
      case 'words':
        return send({ id, result: 'done' });
      case 'unlike':
        return send({ id, error: 'It did not work.' });
      case 'bare':
        return send({ id, result: { content: 'plain words' } });
      case 'change':
        tools = [tool('new')];
        for (let index = 0; index < 200; index++) send({ method: 'notifications/tools/list_changed' });
        return text('changed');
      case 'progress':
        send({
          method: 'notifications/progress',
          params: { progressToken: params._meta?.progressToken, progress: 1, total: 2, message: 'half' },
        });
        return text('whole');
      case 'log':
        send({ method: 'notifications/message', params: { level: 'warning', data: 'look out' } });
        return text('logged');
      case 'environment':
        return text(JSON.stringify(process.env));
      default:
        return text(`pong ${more ?? ''}`);
    }
  },
  'notifications/cancelled': ({ params }) =>
    process.stderr.write(`cancelled ${params.requestId === undefined ? '' : 'a call'}\n`),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  if (kind === 'silent' || kind === 'halves') return;
  const message = JSON.parse(line);
  answers[message.method]?.(message);
});
