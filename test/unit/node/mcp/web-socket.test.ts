// Servers over WebSocket: calls, headers, what a refusal becomes, a message that is too large, and a connection that breaks.
import assert from 'node:assert/strict';
import { mcpTimes } from '../../../../src/core/mcp/limits';
import { closeServers, never, openServers, settled, statusOf, until } from '../../../support/mcp/run-servers';
import { startWebSocketServer, type WebSocketMcpServer } from '../../../support/mcp/web-socket-server';

const fast = { ...mcpTimes, retryMs: 5 };

describe('MCP servers over WebSocket', () => {
  const started: WebSocketMcpServer[] = [];
  const start = async (...options: Parameters<typeof startWebSocketServer>): Promise<WebSocketMcpServer> => {
    const server = await startWebSocketServer(...options);
    started.push(server);
    return server;
  };
  afterEach(async () => {
    await closeServers();
    await Promise.all(started.splice(0).map((server) => server.close()));
  });
  const echo = (servers: ReturnType<typeof openServers>, tool = 'echo'): ReturnType<(typeof servers)['callTool']> =>
    servers.callTool('socket', tool, { text: 'over here' }, { signal: never });
  const answered = { outcome: 'answered', content: [{ type: 'text', text: 'Echo: over here' }], isError: false };

  it('lists and calls tools, with the headers of the entry', async () => {
    const { url, handshakes } = await start();
    const servers = openServers({ socket: { type: 'ws', url, headers: { Authorization: 'Bearer mine' } } });
    await settled(servers);
    assert.deepEqual(statusOf(servers, 'socket').state, { kind: 'connected' });
    assert.deepEqual(
      statusOf(servers, 'socket').tools.map(({ name }) => name),
      ['echo', 'flood', 'nonsense'],
    );
    assert.deepEqual(await echo(servers), answered);
    assert.deepEqual(
      handshakes.map(({ headers, protocol }) => [headers.authorization, protocol]),
      [['Bearer mine', 'mcp']],
    );
  });

  it('passes over what is no message of the protocol', async () => {
    const { url } = await start();
    const servers = openServers({ socket: { type: 'ws', url, headers: {} } });
    await settled(servers);
    assert.deepEqual(await echo(servers, 'nonsense'), answered);
    assert.deepEqual(servers.log('socket'), ['(not a protocol message)', '(not a protocol message)']);
  });

  it('are connected anew after a break, and after a message that is too large', async () => {
    const { url, breakAll, handshakes } = await start();
    const servers = openServers({ socket: { type: 'ws', url, headers: {} } }, { times: fast });
    await settled(servers);
    breakAll();
    await until(servers, () => statusOf(servers, 'socket').state.kind === 'reconnecting');
    await until(servers, () => statusOf(servers, 'socket').state.kind === 'connected');
    assert.deepEqual(await echo(servers), answered);
    const outcome = await echo(servers, 'flood');
    assert.equal(outcome.outcome, 'failed');
    await until(servers, () => handshakes.length === 3 && statusOf(servers, 'socket').state.kind === 'connected');
    assert.match(servers.log('socket').join('\n'), /more than 16 MB/);
    assert.deepEqual(await echo(servers), answered);
  });

  it('that refuse say how, and ask for no sign-in that there is none of', async () => {
    const [missing, locked] = [await start({ refuses: 404 }), await start({ refuses: 401 })];
    const servers = openServers(
      { missing: { type: 'ws', url: missing.url, headers: {} }, locked: { type: 'ws', url: locked.url, headers: {} } },
      { auth: () => undefined },
    );
    await settled(servers);
    assert.deepEqual(statusOf(servers, 'missing').state, {
      kind: 'failed',
      why: 'It answers with status 404: check the "url" and the "type" of its entry.',
    });
    assert.deepEqual(statusOf(servers, 'locked').state, {
      kind: 'failed',
      why: 'It requires a sign-in (401), which is not possible here.',
    });
  });

  it('that nobody runs fail with a sentence', async () => {
    const { url, close } = await start();
    await close();
    started.length = 0;
    const servers = openServers({ socket: { type: 'ws', url, headers: {} } }, { times: fast });
    await settled(servers);
    const { state } = statusOf(servers, 'socket');
    assert.ok(
      state.kind === 'failed' && /^It cannot be reached: .*ECONNREFUSED/.test(state.why),
      JSON.stringify(state),
    );
  });
});
