// Servers over HTTP: the reference server in both ways, what a refusal becomes, and a connection that breaks.
import assert from 'node:assert/strict';
import { mcpTimes } from '../../../../src/core/mcp/limits';
import {
  closeServers,
  listenAs,
  never,
  openServers,
  overHttp,
  settled,
  statusOf,
  until,
} from '../../../support/mcp/run-servers';

const fast = { ...mcpTimes, retryMs: 5 };

describe('MCP servers over HTTP', () => {
  afterEach(closeServers);

  for (const kind of ['streamableHttp', 'sse'] as const) {
    it(`lists and calls the tools of the reference server (${kind})`, async () => {
      const { config } = await overHttp(kind);
      const servers = openServers({ everything: config });
      await settled(servers);
      assert.deepEqual(statusOf(servers, 'everything').state, { kind: 'connected' });
      assert.deepEqual(await servers.callTool('everything', 'get-sum', { a: 2, b: 3 }, { signal: never }), {
        outcome: 'answered',
        content: [{ type: 'text', text: 'The sum of 2 and 3 is 5.' }],
        isError: false,
      });
    });
  }

  it('tells of progress and can be stopped', async () => {
    const { config } = await overHttp('streamableHttp');
    const servers = openServers({ everything: config });
    await settled(servers);
    const controller = new AbortController();
    const heard: string[] = [];
    const call = servers.callTool(
      'everything',
      'trigger-long-running-operation',
      { duration: 60, steps: 60 },
      {
        signal: controller.signal,
        onProgress: (text) => {
          heard.push(text);
          controller.abort();
        },
      },
    );
    await assert.rejects(call);
    assert.equal(heard[0], '1 of 60');
  });

  it('says that a sign-in is needed where there is one to be had, and where there is none that it is not possible', async () => {
    const config = await listenAs((_request, response) =>
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end(),
    );
    const servers = openServers({ locked: config });
    await settled(servers);
    assert.deepEqual(statusOf(servers, 'locked').state, { kind: 'needs-sign-in' });
    const outcome = await servers.callTool('locked', 'x', {}, { signal: never });
    assert.deepEqual(outcome, {
      outcome: 'failed',
      message: 'The MCP server locked did not answer: The user must sign in to it first.',
    });
  });

  it('tries three times where the server is busy, and not at all where the address is wrong', async () => {
    let busy = 0;
    let wrong = 0;
    const servers = openServers(
      {
        busy: await listenAs((_request, response) => (busy++, response.writeHead(503).end())),
        wrong: await listenAs((_request, response) => (wrong++, response.writeHead(404).end())),
      },
      { times: fast },
    );
    await settled(servers);
    assert.deepEqual([busy, wrong], [3, 1]);
    assert.deepEqual(statusOf(servers, 'busy').state, { kind: 'failed', why: 'It answers with status 503.' });
    assert.deepEqual(statusOf(servers, 'wrong').state, {
      kind: 'failed',
      why: 'It answers with status 404: check the "url" and the "type" of its entry.',
    });
  });

  it('gives up on an answer that never ends', async () => {
    const config = await listenAs((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const write = (): void => {
        while (response.write('x'.repeat(1024 * 1024)));
        response.once('drain', write);
      };
      write();
    });
    const servers = openServers({ flood: config }, { times: { ...fast, connectMs: 20_000 } });
    await settled(servers);
    const { state } = statusOf(servers, 'flood');
    assert.ok(state.kind === 'failed' && /more than 16 MB/.test(state.why), JSON.stringify(state));
  });

  it('connects anew once the server is back', async () => {
    const { config, process: child } = await overHttp('sse');
    const servers = openServers({ everything: config }, { times: fast });
    await settled(servers);
    child.kill('SIGKILL');
    const outcome = await servers.callTool('everything', 'echo', { message: 'x' }, { signal: never });
    assert.equal(outcome.outcome, 'failed');
    await until(servers, () => statusOf(servers, 'everything').state.kind === 'failed');
    assert.ok(statusOf(servers, 'everything').tools.length > 0, 'its tools are known still');
    const back = await overHttp('sse');
    assert.ok(config.type !== 'stdio' && back.config.type !== 'stdio');
    config.url = back.config.url;
    await servers.reconnect('everything');
    assert.deepEqual(statusOf(servers, 'everything').state, { kind: 'connected' });
  });

  it('sends the headers of the entry, and those that a helper prints', async () => {
    const seen: (string | undefined)[][] = [];
    const config = await listenAs((request, response) => {
      seen.push([request.headers['x-plain'] as string, request.headers['x-made'] as string]);
      response.writeHead(404).end();
    });
    const servers = openServers({
      helped: {
        ...config,
        headers: { 'X-Plain': 'a' },
        headersHelper: 'printf \'{"X-Made":"%s"}\' "$CLAUDE_CODE_MCP_SERVER_NAME"',
      },
      broken: { ...config, headersHelper: 'echo no; exit 1' },
    });
    await settled(servers);
    assert.deepEqual(seen, [['a', 'helped']]);
    assert.deepEqual(statusOf(servers, 'broken').state, {
      kind: 'failed',
      why: 'Its headersHelper ended with exit code 1: ',
    });
  });
});
