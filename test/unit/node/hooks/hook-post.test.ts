// Hooks over http: what is posted, which headers, and what each answer means.
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type HookResult, type HookPost } from '../../../../src/core/ports/hook-handlers';
import { maxHookOutput } from '../../../../src/node/hooks/hook-command';
import { createNodeHookHandlers } from '../../../../src/node/hooks/node-hook-handlers';

describe('a hook over http', () => {
  let server: Server;
  let base: string;
  let seen: { request: IncomingMessage; body: string }[] = [];
  let answer: (response: ServerResponse) => void = (response) => void response.end('{}');
  const handlers = createNodeHookHandlers({
    environment: async () => ({ TOKEN: 't-1', OTHER: 'o-1', ANTHROPIC_API_KEY: 'secret-key-of-the-test' }),
  });
  const post = (more: Partial<HookPost> = {}, signal = new AbortController().signal): Promise<HookResult> =>
    handlers.post({ url: `${base}/hook`, headers: {}, variables: [], body: '{"a":1}', ...more }, signal);

  before(async () => {
    server = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      request.on('end', () => {
        seen.push({ request, body });
        answer(response);
      });
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => (seen = []));
  after(() => {
    server.closeAllConnections();
    return new Promise<void>((closed) => server.close(() => closed()));
  });

  it('posts the event as JSON and brings the answer', async () => {
    answer = (response) => void response.end('{"continue":false}');
    assert.deepEqual(await post(), { kind: 'body', text: '{"continue":false}' });
    assert.equal(seen[0]?.request.method, 'POST');
    assert.equal(seen[0]?.request.headers['content-type'], 'application/json');
    assert.equal(seen[0]?.body, '{"a":1}');
  });

  it('fills headers with the variables that may be sent, never with a credential', async () => {
    await post({
      headers: { 'x-a': 'Bearer $TOKEN', 'x-b': '${OTHER}-$ANTHROPIC_API_KEY-end' },
      variables: ['TOKEN', 'ANTHROPIC_API_KEY'],
    });
    assert.equal(seen[0]?.request.headers['x-a'], 'Bearer t-1');
    assert.equal(seen[0]?.request.headers['x-b'], '--end');
  });

  it('follows no redirect', async () => {
    answer = (response) => void response.writeHead(307, { location: `${base}/elsewhere` }).end();
    const result = await post();
    assert.match(result.kind === 'failed' ? result.message : '', /status 307\. Redirects are not followed\./);
    assert.equal(seen.length, 1);
  });

  it('names a bad status, and an address that nobody answers at', async () => {
    answer = (response) => void response.writeHead(500).end('{"decision":"block"}');
    assert.deepEqual(await post(), { kind: 'failed', message: `${base}/hook answered with status 500.` });
    const result = await post({ url: 'http://127.0.0.1:1/' });
    assert.match(result.kind === 'failed' ? result.message : '', /could not be reached/);
  });

  it('reads no more than it has to', async () => {
    answer = (response) => void response.end(Buffer.alloc(3 * maxHookOutput, 'x'));
    const result = await post();
    assert.equal(result.kind === 'body' && result.text.length, maxHookOutput);
  });

  it('ends when it is stopped', async () => {
    const controller = new AbortController();
    answer = () => controller.abort();
    assert.deepEqual(await post({}, controller.signal), { kind: 'cancelled' });
  });
});
