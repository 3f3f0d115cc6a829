// Addresses that answer wrongly: pages, redirects, forgotten sessions, streams that break off, and errors without an end.
import assert from 'node:assert/strict';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { mcpTimes } from '../../../../src/core/mcp/limits';
import { type McpCallOutcome, type McpServerConfig } from '../../../../src/core/ports/mcp';
import { type RunningMcpServers } from '../../../../src/node/mcp/create-mcp-servers';
import { closeServers, listenAs, never, openServers, settled, statusOf } from '../../../support/mcp/run-servers';

type Answer = (response: ServerResponse, id: number, request: IncomingMessage) => unknown;

describe('odd addresses of MCP servers', () => {
  afterEach(closeServers);
  const json = (response: ServerResponse, id: number, result: object, headers = {}): unknown =>
    response
      .writeHead(200, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  /** Answers like a server, but for the methods that are given. */
  const serve = async (odd: Readonly<Record<string, Answer>>): Promise<McpServerConfig & { url: string }> => {
    const usual: Readonly<Record<string, Answer>> = {
      initialize: (response, id) =>
        json(
          response,
          id,
          { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'odd', version: '1' } },
          { 'mcp-session-id': 'one' },
        ),
      'tools/list': (response, id) => json(response, id, { tools: [{ name: 'ask', inputSchema: { type: 'object' } }] }),
      'tools/call': (response, id) => json(response, id, { content: [{ type: 'text', text: 'fine' }] }),
    };
    const config = await listenAs((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        const { method = request.method ?? '', id = 0 } = (text === '' ? {} : JSON.parse(text)) as {
          method?: string;
          id?: number;
        };
        const answer = odd[method] ?? usual[method];
        if (answer !== undefined) answer(response, id, request);
        else response.writeHead(request.method === 'GET' ? 405 : 202).end();
      });
    });
    return { ...config, headers: { 'X-Api-Key': 'of the entry' } };
  };
  const opened = async (odd: Readonly<Record<string, Answer>>, times = {}): Promise<RunningMcpServers> => {
    const servers = openServers({ odd: await serve(odd) }, { times: { ...mcpTimes, retryMs: 5, ...times } });
    await settled(servers);
    return servers;
  };
  const why = (servers: RunningMcpServers): string => {
    const { state } = statusOf(servers, 'odd');
    assert.ok(state.kind === 'failed', JSON.stringify(state));
    return state.why;
  };
  const call = (servers: RunningMcpServers): Promise<McpCallOutcome> =>
    servers.callTool('odd', 'ask', {}, { signal: never });
  const failure = async (servers: RunningMcpServers): Promise<string> => {
    const outcome = await call(servers);
    assert.ok(outcome.outcome === 'failed', JSON.stringify(outcome).slice(0, 500));
    return outcome.message;
  };

  it('a page is named as one, and not tried again', async () => {
    let asked = 0;
    const page = await opened({
      initialize: (response) => (asked++, response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')),
    });
    assert.equal(
      why(page),
      'It answers with text/html, not with protocol messages: check the "url" and the "type" of its entry.',
    );
    const named = await opened({
      initialize: (response) => (
        asked++,
        response.writeHead(200, { 'content-type': 'application/json' }).end('<html>')
      ),
    });
    assert.equal(why(named), 'Its answer is not a protocol message: check the "url" and the "type" of its entry.');
    assert.equal(asked, 2);
  });

  it('a redirect is followed within its origin; one that leads elsewhere is named, and gets no header of the entry', async () => {
    let heard = 0;
    const other = await serve({ initialize: () => heard++ });
    const away = await opened({ initialize: (response) => response.writeHead(307, { location: other.url }).end() });
    assert.equal(
      why(away),
      `It redirects its clients (307): ${other.url}. The request and the headers of its entry were not sent there. If the server has moved, put that address into its "url".`,
    );
    assert.equal(heard, 0);
    const moved = await opened({
      'tools/call': (response, id, request) =>
        request.url === '/mcp'
          ? response.writeHead(307, { location: '/mcp/' }).end()
          : json(response, id, { content: [] }),
    });
    assert.equal((await call(moved)).outcome, 'answered');
  });

  it('one that is silent says so once, however often it was tried', async () => {
    const silent = await opened({ initialize: (response) => response.writeHead(202).end() }, { connectMs: 100 });
    assert.equal(why(silent), 'It did not answer within 0.1 seconds. MCP_TIMEOUT changes this limit, in milliseconds.');
  });

  for (const status of [404, 400]) {
    it(`a session that it has forgotten (${status}) is made anew, and the call, which it did not run, sent again`, async () => {
      let calls = 0;
      const servers = await opened({
        'tools/call': (response, id) =>
          calls++ > 0
            ? json(response, id, { content: [{ type: 'text', text: 'fine' }] })
            : response
                .writeHead(status, { 'content-type': 'application/json' })
                .end(
                  '{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: No valid session ID provided"},"id":null}',
                ),
      });
      assert.equal((await call(servers)).outcome, 'answered');
      assert.equal(calls, 2);
      assert.ok(servers.log('odd').includes('It no longer knows this session.'));
    });
  }

  it('another refusal of a call leaves the connection as it is', async () => {
    const servers = await opened({ 'tools/call': (response) => response.writeHead(400).end('Bad argument') });
    assert.match(await failure(servers), /Bad argument/);
    assert.equal(statusOf(servers, 'odd').state.kind, 'connected');
  });

  for (const [way, leave] of [
    ['ends', (response: ServerResponse) => response.end()],
    ['is torn off', (response: ServerResponse) => response.destroy()],
  ] as const) {
    it(`a stream that ${way} in front of the answer fails the call at once`, async () => {
      const servers = await opened({
        'tools/call': (response, id) => {
          response
            .writeHead(200, { 'content-type': 'text/event-stream' })
            .write(
              `data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${id},"progress":1}}\n\n`,
              () => leave(response),
            );
        },
      });
      assert.equal(
        await failure(servers),
        'The MCP server odd did not answer: Its stream ended before the answer. It is unknown whether the request was carried out.',
      );
      assert.equal(statusOf(servers, 'odd').state.kind, 'connected');
    });
  }

  it('a stream that can be taken up again is, and one that ends behind the answer is whole', async () => {
    let resumed: unknown;
    const servers = await opened({
      'tools/call': (response) =>
        response.writeHead(200, { 'content-type': 'text/event-stream' }).end('retry: 10\nid: first\ndata: \n\n'),
      GET: (response, _id, request) => {
        resumed = request.headers['last-event-id'];
        if (resumed === undefined) response.writeHead(405).end();
        else
          response
            .writeHead(200, { 'content-type': 'text/event-stream' })
            .end('data: {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"late"}]}}\n\n');
      },
    });
    assert.deepEqual(await call(servers), {
      outcome: 'answered',
      content: [{ type: 'text', text: 'late' }],
      isError: false,
    });
    assert.equal(resumed, 'first');
    const whole = await opened({
      'tools/call': (response, id) =>
        response
          .writeHead(200, { 'content-type': 'text/event-stream' })
          .end(`data: ${JSON.stringify({ result: { content: [] }, jsonrpc: '2.0', id })}\r\n\r\n`),
    });
    assert.equal((await call(whole)).outcome, 'answered');
    assert.deepEqual(whole.log('odd'), []);
  });

  it('an error without an end is cut', async () => {
    const servers = await opened({ 'tools/call': (response) => response.writeHead(500).end('x'.repeat(3_000_000)) });
    const message = await failure(servers);
    assert.ok(message.length < 5_000 && message.endsWith('… [cut]'), String(message.length));
  });
});
