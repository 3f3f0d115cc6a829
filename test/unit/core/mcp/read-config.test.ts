// Files that name MCP servers: which entry wins, what variables become, and a sentence with its place for all that is wrong.
import assert from 'node:assert/strict';
import { type McpConfigSource } from '../../../../src/core/mcp/config-source';
import { readMcpConfig } from '../../../../src/core/mcp/read-config';
import { type McpScope } from '../../../../src/core/ports/mcp';

const variables = { HOST: 'example.org', EMPTY: '', CLAUDE_PROJECT_DIR: '/w', ANTHROPIC_API_KEY: 'secret' };
const source = (scope: McpScope, servers: unknown, name = `${scope}.json`): McpConfigSource => ({
  scope,
  name,
  text: typeof servers === 'string' ? servers : JSON.stringify({ mcpServers: servers }, undefined, 2),
  at: ['mcpServers'],
});
const read = (...sources: McpConfigSource[]) => readMcpConfig(sources, variables);
const stdio = (command: string, more = {}) => ({ command, ...more });

describe('configuration of MCP servers', () => {
  it('the whole entry of the highest scope comes first', () => {
    const order: McpScope[] = ['editor', 'plugin', 'user', 'project', 'local', 'command-line'];
    for (const [index, scope] of order.entries()) {
      const { entries } = read(
        ...order
          .slice(0, index + 1)
          .map((one) => source(one, { a: stdio(one, one === 'user' ? { env: { X: '1' } } : {}) })),
      );
      assert.equal(entries.length, index + 1);
      assert.deepEqual(
        entries.slice(0, 1).map((entry) => [entry.scope, entry.config]),
        [[scope, { type: 'stdio', command: scope, args: [], env: scope === 'user' ? { X: '1' } : {} }]],
      );
    }
  });

  it("local servers are those of the folder in the user's file", () => {
    const text = JSON.stringify({
      mcpServers: { a: stdio('user') },
      projects: { '/w': { mcpServers: { a: stdio('local') } }, '/other': { mcpServers: { b: stdio('no') } } },
    });
    const { entries, problems } = read(
      { scope: 'local', name: 'x', text, at: ['projects', '/w', 'mcpServers'] },
      { scope: 'user', name: 'x', text, at: ['mcpServers'] },
    );
    assert.deepEqual(
      [entries.map(({ name, scope }) => [name, scope]), problems],
      [
        [
          ['a', 'local'],
          ['a', 'user'],
        ],
        [],
      ],
    );
  });

  const shapes: [name: string, value: unknown, config: unknown][] = [
    [
      'a command',
      { command: 'x', args: ['a', '${HOST}'], env: { N: 1, H: '${HOST}' } },
      { type: 'stdio', command: 'x', args: ['a', 'example.org'], env: { N: '1', H: 'example.org' } },
    ],
    [
      'http',
      { type: 'http', url: 'https://${HOST}/mcp', headers: { A: '${NONE:-b}' } },
      { type: 'http', url: 'https://example.org/mcp', headers: { A: 'b' } },
    ],
    ['streamable-http', { type: 'streamable-http', url: 'https://h' }, { type: 'http', url: 'https://h', headers: {} }],
    [
      'sse with OAuth',
      { type: 'sse', url: 'http://h', oauth: { clientId: 'c', callbackPort: 3, scopes: 'a b' } },
      { type: 'sse', url: 'http://h', headers: {}, oauth: { clientId: 'c', callbackPort: 3, scopes: ['a', 'b'] } },
    ],
    [
      'ws',
      { type: 'ws', url: 'wss://${HOST}/mcp', headers: { A: 'b' } },
      { type: 'ws', url: 'wss://example.org/mcp', headers: { A: 'b' } },
    ],
    [
      'the secret of a registration',
      { type: 'http', url: 'http://h', oauth: { clientId: 'c', clientSecret: '${HOST}!' } },
      { type: 'http', url: 'http://h', headers: {}, oauth: { clientId: 'c', clientSecret: 'example.org!' } },
    ],
    [
      'a default where the variable is empty',
      { command: '${EMPTY:-d}' },
      { type: 'stdio', command: 'd', args: [], env: {} },
    ],
  ];
  for (const [name, value, config] of shapes)
    it(`takes ${name}`, () =>
      assert.deepEqual(
        [read(source('user', { a: value })).entries[0]?.config, read(source('user', { a: value })).problems],
        [config, []],
      ));

  const wrong: [name: string, value: unknown, message: RegExp, kept?: boolean][] = [
    [
      'an address without a type',
      { url: 'https://h' },
      /^user\.json:4:\d+: server "a": it has a "url" but no "type"\. Add "type": "http"/m,
    ],
    ['a type without an address', { type: 'http' }, /"type" is "http", so it needs a "url"/],
    [
      'another protocol',
      { type: 'quic', url: 'https://h' },
      /"type" must be "stdio", "http", "sse" or "ws", not "quic"/,
    ],
    ['WebSocket over HTTP', { type: 'ws', url: 'https://h' }, /begins with ws:\/\/ or wss:\/\//],
    ['no address', { type: 'http', url: 'h/mcp' }, /begins with http/],
    ['nothing to start', {}, /needs a "command"/],
    ['arguments of another kind', { command: 'x', args: [1] }, /^user\.json:5:\d+: .*"args" must be a list of strings/],
    ['no object', 'x', /must be an object/],
    ['an unset variable', { command: '${UNSET}' }, /UNSET is not set, so `\$\{UNSET\}` is not replaced/, true],
    [
      'a credential of Deft',
      { command: 'x', env: { KEY: '${ANTHROPIC_API_KEY}' } },
      /holds a credential of Deft/,
      true,
    ],
    ['a timeout in words', { command: 'x', timeout: 'long' }, /"timeout" must be a number/, true],
  ];
  for (const [name, value, message, kept = false] of wrong) {
    it(`says what is wrong with ${name}, and keeps the others`, () => {
      const { entries, problems } = read(source('user', { a: value, b: stdio('fine') }));
      assert.match(problems.join('\n'), message);
      assert.deepEqual(
        entries.map((entry) => entry.name),
        kept ? ['a', 'b'] : ['b'],
      );
      assert.ok(!JSON.stringify(entries.map(({ config }) => config)).includes('secret'));
    });
  }

  it('an entry that cannot be used does not hide one of the same name further down', () =>
    assert.deepEqual(read(source('project', { a: {} }), source('user', { a: stdio('x') })).entries[0]?.scope, 'user'));

  it('names where a file is no JSON, once, and reads the others', () => {
    const { entries, problems } = read(
      source('project', '{ "mcpServers": {\n  "a" } }', '.mcp.json'),
      source('user', { b: stdio('x') }),
    );
    assert.deepEqual(
      [entries.map(({ name }) => name), problems],
      [['b'], ['.mcp.json:2:7: this is not valid JSON (ColonExpected). Its servers are missing until you fix it.']],
    );
    assert.deepEqual(
      read(source('project', '// all of it\n{ "mcpServers": { "a": { "command": "x", }, } }')).problems,
      [],
    );
    assert.deepEqual(read(source('project', '')), { entries: [], problems: [] });
  });

  it('refuses reserved names', () => {
    for (const name of ['workspace', 'claude-in-chrome', 'computer-use', 'Claude Preview', 'Claude Browser', 'ide'])
      assert.match(read(source('user', { [name]: stdio('x') })).problems.join(), /is reserved/);
  });

  it("waits for the inputs of VS Code's file, and puts answers in as they are", () => {
    const inputs = [
      { id: 'key', type: 'promptString', description: 'API key', password: true },
      {
        id: 'host',
        type: 'pickString',
        options: ['a.example', { label: 'B', value: 'b.example' }],
        default: 'a.example',
      },
      { id: 'c', type: 'command', command: 'x' },
    ];
    const text = JSON.stringify({
      inputs,
      servers: {
        a: { url: 'https://${input:host}/mcp', headers: { Authorization: 'Bearer ${input:key}' } },
        b: { command: 'x', args: ['${input:c}'] },
      },
    });
    const file: McpConfigSource = {
      scope: 'editor',
      name: '/two/.vscode/mcp.json',
      file: '/two/.vscode/mcp.json',
      text,
      at: ['servers'],
    };
    const asked = readMcpConfig([file], variables, () => ({ host: 'b.example' }));
    assert.deepEqual(
      asked.entries.map(({ name, missing, inputs: wanted }) => [
        name,
        missing,
        wanted?.map(({ id, isPassword, choices, initial }) => [
          id,
          isPassword,
          choices.map(({ value }) => value),
          initial,
        ]),
      ]),
      [
        [
          'a',
          ['key'],
          [
            ['host', false, ['a.example', 'b.example'], 'a.example'],
            ['key', true, [], undefined],
          ],
        ],
      ],
    );
    assert.match(asked.problems.join(), /server "b": it asks for the input "c", which is not among the "inputs"/);
    const [whole] = readMcpConfig([file], variables, () => ({ host: 'b.example', key: '${HOST}' })).entries;
    assert.deepEqual(
      [whole?.missing, whole?.config],
      [undefined, { type: 'http', url: 'https://b.example/mcp', headers: { Authorization: 'Bearer ${HOST}' } }],
    );
    // Headless: the file is given by hand, and nobody can be asked.
    const headless = readMcpConfig([{ ...file, scope: 'command-line', at: ['mcpServers'] }], variables);
    assert.deepEqual(headless.entries, []);
    assert.match(
      headless.problems.join(),
      /server "a": it asks for the input "host" \(host\), "key" \(API key\), and nobody can be asked here/,
    );
  });

  it('takes the file of VS Code with its own variables', () => {
    const text = JSON.stringify({
      servers: {
        a: { command: '${workspaceFolder}/s', args: ['${env:HOST}', '${workspaceFolderBasename}'] },
        c: { url: 'https://h' },
      },
    });
    const { entries } = read({ scope: 'editor', name: 'mcp.json', text, at: ['servers'] });
    assert.deepEqual(
      entries.map(({ config }) => config),
      [
        { type: 'stdio', command: '/w/s', args: ['example.org', 'w'], env: {} },
        { type: 'http', url: 'https://h', headers: {} },
      ],
    );
  });
});
