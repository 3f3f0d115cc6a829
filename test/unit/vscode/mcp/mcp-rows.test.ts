// The rows of the manager, the notices of the chat, and what an approval counts for.
import assert from 'node:assert/strict';
import { readEntry } from '../../../../src/core/mcp/read-entry';
import { type McpServerState, type McpServerStatus } from '../../../../src/core/ports/mcp';
import { createMcpConsent } from '../../../../src/vscode/mcp/mcp-consent';
import { mcpNotices } from '../../../../src/vscode/mcp/mcp-notices';
import { mcpRow, type RowFacts } from '../../../../src/vscode/mcp/mcp-rows';
import { connected } from './memory-servers';

const facts: RowFacts = {
  trusted: true,
  secrets: ['sk-very-long-secret'],
  log: () => [],
  shownPath: (path) => path,
  signedIn: () => false,
  canEnable: () => true,
};
const withState = (state: McpServerState, written: object = { command: 'run' }): McpServerStatus => {
  const base = connected('a', { state });
  const { entry } = readEntry(
    'a',
    written,
    { scope: 'project', name: '.mcp.json', file: '/w/.mcp.json', text: '', at: [] },
    {},
  );
  assert.ok(entry);
  return {
    ...base,
    entry: {
      ...base.entry,
      scope: 'project',
      file: '/w/.mcp.json',
      config: entry.config,
      written: JSON.stringify(written),
    },
  };
};

describe('a row of the manager', () => {
  it('shows all that would be started, but no secret', () => {
    const written = {
      command: 'npx',
      args: ['-y', 'a b', '${TOKEN}', 'sk-very-long-secret'],
      env: { NODE_OPTIONS: '--require ./x.js', API_KEY: 'abc', ID: 'ghp0123456789abcdefghijkl', TOKEN: '${TOKEN}' },
    };
    const row = mcpRow(withState({ kind: 'unapproved' }, written), facts);
    assert.equal(row.target, "npx -y 'a b' ${TOKEN} [redacted]");
    assert.deepEqual(row.env, [
      'NODE_OPTIONS=--require ./x.js',
      'API_KEY=…',
      'ID=ghp0123456789abcdefghijkl',
      'TOKEN=${TOKEN}',
    ]);
    const remote = mcpRow(
      withState(
        { kind: 'unapproved' },
        {
          type: 'http',
          url: 'https://me:pass@a.example/mcp',
          headers: { Authorization: 'Bearer x' },
          headersHelper: './helper.sh',
        },
      ),
      facts,
    );
    assert.equal(remote.target, 'https://me:…@a.example/mcp (headers from: ./helper.sh)');
    assert.deepEqual(remote.headers, ['Authorization']);
    assert.match(mcpRow(withState({ kind: 'unapproved' }, { command: 'a\u202eb' }), facts).target, /a\\u\{202e\}b/);
  });

  it('shows what is reached where the entry names a command too, and what of the user leaves for it', () => {
    const shown = (written: object) => {
      const { kind, target, env, headers } = mcpRow(withState({ kind: 'unapproved' }, written), facts);
      return { kind, target, env, headers };
    };
    const headers = { 'X-Client': '${GITHUB_TOKEN}', Authorization: 'Bearer abc', 'X-B': 'b ${C:-d}' };
    assert.deepEqual(
      shown({ type: 'http', url: 'https://evil.example/mcp', command: 'npx harmless', env: { A: 'b' }, headers }),
      {
        kind: 'url',
        target: 'https://evil.example/mcp',
        env: [],
        headers: ['X-Client: ${GITHUB_TOKEN}', 'Authorization', 'X-B: b ${C:-d}'],
      },
    );
    assert.deepEqual(
      shown({
        type: 'stdio',
        url: 'https://good.example',
        command: 'npx',
        args: ['evil'],
        env: { MY_KEY: 'x', API_TOKEN: '${AWS}', LD_PRELOAD: 'a1b2c3d4e5f6g7h8i9j0k1' },
      }),
      {
        kind: 'command',
        target: 'npx evil',
        env: ['MY_KEY=…', 'API_TOKEN=${AWS}', 'LD_PRELOAD=a1b2c3d4e5f6g7h8i9j0k1'],
        headers: [],
      },
    );
    assert.equal(
      shown({
        type: 'http',
        url: 'https://a.example:80?x@good.example',
        oauth: { authServerMetadataUrl: 'https://b.example/m', clientId: 'c', clientSecret: '${GITHUB_TOKEN}' },
      }).target,
      'https://a.example:80?x@good.example (sign-in by https://b.example/m as c with ${GITHUB_TOKEN})',
    );
    assert.doesNotMatch(
      JSON.stringify(shown({ type: 'http', url: 'https://a.example', oauth: { clientId: 'c', clientSecret: 'hush' } })),
      /hush/,
    );
  });

  it('offers what can be done in each state', () => {
    const actions = (state: McpServerState, more: Partial<RowFacts> = {}) =>
      mcpRow(withState(state), { ...facts, ...more }).actions;
    assert.deepEqual(actions({ kind: 'unapproved' }), ['approve', 'disable', 'open', 'remove']);
    assert.deepEqual(actions({ kind: 'unapproved' }, { trusted: false }), ['open', 'remove']);
    assert.deepEqual(actions({ kind: 'connected' }, { signedIn: () => true }), [
      'reconnect',
      'signOut',
      'disable',
      'open',
      'remove',
    ]);
    assert.deepEqual(actions({ kind: 'connected', wantsRights: true }), [
      'signIn',
      'reconnect',
      'disable',
      'open',
      'remove',
    ]);
    assert.deepEqual(actions({ kind: 'needs-sign-in' }), ['signIn', 'disable', 'open', 'remove']);
    assert.deepEqual(actions({ kind: 'disabled', why: 'x' }), ['enable', 'open', 'remove']);
    assert.deepEqual(actions({ kind: 'disabled', why: 'x' }, { canEnable: () => false }), ['open', 'remove']);
    assert.deepEqual(mcpRow(connected('a'), facts).actions, ['reconnect', 'disable']);
  });
});

describe('the approval of a server', () => {
  const memory = () => {
    const values = new Map<string, unknown>();
    return {
      get: <Value>(key: string, fallback?: Value) => (values.get(key) ?? fallback) as Value,
      update: async (key: string, value: unknown) => void values.set(key, value),
    };
  };
  it('counts for that entry of that project alone', async () => {
    const consent = createMcpConsent(memory(), memory());
    const { entry } = withState({ kind: 'unapproved' });
    assert.equal(consent.isApproved('/w', entry), false);
    await consent.approve('/w', entry);
    assert.equal(consent.isApproved('/w', entry), true);
    assert.equal(consent.isApproved('/v', entry), false);
    assert.equal(consent.isApproved('/w', { ...entry, written: '{"command":"other"}' }), false);
    assert.equal(consent.isApproved('/w', { ...entry, name: 'b' }), false);
    assert.equal(consent.isApproved('/w', { ...entry, scope: 'editor' }), false);
    assert.equal(consent.isApproved('__proto__', entry), false);
  });
  it('is apart from what is switched off', async () => {
    const consent = createMcpConsent(memory(), memory());
    const { entry } = withState({ kind: 'connected' });
    await consent.switchOff(entry, true);
    assert.equal(consent.isOff(entry), true);
    assert.equal(consent.isOff({ ...entry, scope: 'user' }), false);
    await consent.switchOff(entry, false);
    assert.equal(consent.isOff(entry), false);
  });
});

describe('the notice of servers', () => {
  it('names those that wait, where the user can approve them', () => {
    const waiting = [
      withState({ kind: 'unapproved' }),
      { ...withState({ kind: 'unapproved' }), entry: { ...withState({ kind: 'unapproved' }).entry, name: 'b' } },
      connected('c'),
    ];
    const [notice] = mcpNotices(waiting, [], true);
    assert.equal(notice?.title, 'This project names 2 MCP servers.');
    assert.equal(notice?.detail, 'Not started until you approve: a, b');
    assert.deepEqual(notice?.action, { label: 'Review', command: 'manageMcpServers' });
    assert.deepEqual(mcpNotices(waiting, [], false), []);
    assert.deepEqual(mcpNotices([connected('c')], [], true), []);
  });
  it('says what of the files does not count', () => {
    assert.match(mcpNotices([], ['/w/.mcp.json:3:5: server "a": no command.'], true)[0]?.detail ?? '', /3:5/);
  });
});
