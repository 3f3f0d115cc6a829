// The web client against real servers on 127.0.0.1: what it sends, what it refuses, what it never waits for.
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { type WebOutcome } from '../../../../src/core/ports/web';
import { isPrivateAddress } from '../../../../src/node/web/web-address';
import { createWebClient, type WebClientOptions } from '../../../../src/node/web/web-client';

const never = new AbortController().signal;
/** What servers of these tests are at. */
const exceptThisMachine = (address: string): boolean => address !== '127.0.0.1' && isPrivateAddress(address);

describe('web client', () => {
  const closers: (() => void)[] = [];
  afterEach(() => closers.splice(0).forEach((close) => close()));

  /** The port of a server that answers so. */
  async function serve(listener: RequestListener): Promise<{ port: number; server: Server; seen: IncomingMessage[] }> {
    const seen: IncomingMessage[] = [];
    const server = createServer((request, response) => {
      seen.push(request);
      listener(request, response);
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    closers.push(() => {
      server.closeAllConnections();
      server.close();
    });
    return { port: (server.address() as AddressInfo).port, server, seen };
  }

  function client(options: Partial<WebClientOptions> = {}) {
    return createWebClient({
      version: '1.2.3',
      toMarkdown: async () => assert.fail('no page is converted'),
      isPrivate: exceptThisMachine,
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
      ...options,
    });
  }

  const get = (
    url: string,
    options: Partial<WebClientOptions> = {},
    changes: { maxBytes?: number; timeoutMs?: number; headers?: Record<string, string>; signal?: AbortSignal } = {},
  ): Promise<WebOutcome> =>
    client(options).fetch(
      {
        url,
        headers: changes.headers ?? {},
        maxBytes: changes.maxBytes ?? 100_000,
        timeoutMs: changes.timeoutMs ?? 10_000,
      },
      changes.signal ?? never,
    );
  const short = (outcome: WebOutcome): string =>
    outcome.outcome === 'refused'
      ? `${outcome.code}: ${outcome.message}`
      : `${outcome.status} ${Buffer.from(outcome.bytes).toString()}${outcome.truncated ? ' …' : ''}`;

  it('gets a page by name and says who it is, without cookies and credentials', async () => {
    const { port, seen } = await serve((_request, response) =>
      response.setHeader('Set-Cookie', ['a=1', 'b=2']).end('hello'),
    );
    const url = `http://docs.example.test:${port}/a?b=c#d`;
    const secret = { accept: 'text/html', Cookie: 'a=1', authorization: 'Bearer x', 'X-Api-Key': 'k' };
    assert.equal(short(await get(url, {}, { headers: secret })), '200 hello');
    assert.equal(short(await get(url)), '200 hello');
    const [first, second] = seen;
    assert.deepEqual([first?.url, first?.headers.host], ['/a?b=c', `docs.example.test:${port}`]);
    assert.deepEqual(Object.keys(first?.headers ?? {}).sort(), [
      'accept',
      'accept-encoding',
      'connection',
      'host',
      'user-agent',
    ]);
    assert.equal(first?.headers['user-agent'], 'Deft/1.2.3');
    assert.equal(second?.headers.cookie, undefined);
  });

  it('follows no redirect', async () => {
    const { port, seen } = await serve((_request, response) =>
      response.writeHead(302, { location: '/next' }).end('moved'),
    );
    const outcome = await get(`http://a.example.test:${port}/`);
    assert.ok(outcome.outcome === 'response');
    assert.deepEqual(
      [outcome.status, outcome.headers['location'], outcome.bytes.length, seen.length],
      [302, '/next', 0, 1],
    );
  });

  const encodings: [string, (text: string) => Buffer][] = [
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['identity', Buffer.from],
  ];
  for (const [encoding, encode] of encodings) {
    it(`decodes ${encoding} (${encode.name})`, async () => {
      const { port } = await serve((_request, response) =>
        response.writeHead(200, { 'content-encoding': encoding }).end(encode('grüezi')),
      );
      assert.equal(short(await get(`http://a.example.test:${port}/`)), '200 grüezi');
    });
  }

  it('says when the encoding is unknown or damaged', async () => {
    const { port } = await serve((request, response) =>
      response.writeHead(200, { 'content-encoding': request.url?.slice(1) }).end('plain text'),
    );
    assert.match(
      short(await get(`http://a.example.test:${port}/zip`)),
      /^failed: .*the content encoding "zip" is unknown/,
    );
    assert.match(short(await get(`http://a.example.test:${port}/gzip`)), /^failed: .*incorrect header check/);
  });

  it('stops a gzip bomb at the limit', async () => {
    const bomb = gzipSync(Buffer.alloc(200_000_000, 'a'));
    assert.ok(bomb.length < 300_000);
    const { port } = await serve((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    );
    const before = process.memoryUsage().arrayBuffers;
    const outcome = await get(`http://a.example.test:${port}/`, {}, { maxBytes: 50_000 });
    assert.ok(outcome.outcome === 'response' && outcome.truncated);
    assert.equal(outcome.bytes.length, 50_000);
    assert.ok(process.memoryUsage().arrayBuffers - before < 50_000_000);
  });

  it('stops an endless page at the limit and closes the connection', async () => {
    let closed = (): void => undefined;
    const gone = new Promise<void>((resolve) => (closed = resolve));
    const { port } = await serve((_request, response) => {
      const more = (): void =>
        void (
          response.destroyed || (response.write('x'.repeat(1000)) ? setImmediate(more) : response.once('drain', more))
        );
      response.once('close', closed);
      more();
    });
    assert.equal(short(await get(`http://a.example.test:${port}/`, {}, { maxBytes: 5 })), '200 xxxxx …');
    await gone;
  });

  it('gives up on a server that says nothing, and on one that never ends', async () => {
    const silent = await serve(() => undefined);
    const slow = await serve((_request, response) => void response.write('a'));
    for (const { port } of [silent, slow]) {
      assert.equal(
        short(await get(`http://a.example.test:${port}/`, {}, { timeoutMs: 100 })),
        `timeout: a.example.test:${port} did not send the page within 0.1 s.`,
      );
    }
    assert.match(
      short(await get('http://a.example.test/', { resolve: () => new Promise(() => undefined) }, { timeoutMs: 50 })),
      /^timeout:/,
    );
  });

  it('waits for no server that sends an empty body as compressed, or wants another protocol', async () => {
    const empty = await serve(
      (_request, response) => void response.writeHead(200, { 'content-encoding': 'deflate' }).end(),
    );
    assert.equal(short(await get(`http://a.example.test:${empty.port}/`, {}, { timeoutMs: 5_000 })), '200 ');
    const other = await serve(
      (request) =>
        void request.socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'),
    );
    assert.match(short(await get(`http://a.example.test:${other.port}/`, {}, { timeoutMs: 5_000 })), /^failed: /);
  });

  it('rejects on abort only: before, while it waits, while it reads', async () => {
    await assert.rejects(get('http://a.example.test/', {}, { signal: AbortSignal.abort(new Error('early')) }), /early/);
    for (const answer of [
      (): void => undefined,
      (_request: unknown, response: { write(text: string): unknown }): void => void response.write('a'),
    ]) {
      const abort = new AbortController();
      const { port } = await serve((request, response) => {
        answer(request, response);
        setImmediate(() => abort.abort(new Error('stop')));
      });
      await assert.rejects(get(`http://a.example.test:${port}/`, {}, { signal: abort.signal }), /stop/);
    }
  });

  const judged: [string, string][] = [
    ['https://127.0.0.1/', 'private'],
    ['http://localhost:8080/', 'private'],
    ['https://LOCALHOST./', 'private'],
    ['https://printer/', 'private'],
    ['http://0x7f.1/', 'private'],
    ['http://2130706433/', 'private'],
    ['http://0177.0.0.1/', 'private'],
    ['http://127.1/', 'private'],
    ['http://0/', 'private'],
    ['http://[::1]/', 'private'],
    ['http://[::ffff:127.0.0.1]/', 'private'],
    ['http://[64:ff9b::a00:1]/', 'private'],
    ['http://[fd00::1]/', 'private'],
    ['http://169.254.169.254/latest/meta-data/', 'private'],
    ['http://metadata.google.internal/', 'private'],
    ['http://127.0.0.1./', 'private'],
    ['https://user:pass@example.com/', 'failed'],
    ['file:///etc/passwd', 'failed'],
    ['ftp://example.com/', 'failed'],
    ['data:text/plain,x', 'failed'],
    ['what', 'failed'],
  ];
  for (const [url, code] of judged) {
    it(`refuses ${url} without asking anybody`, async () => {
      const outcome = await get(url, {
        isPrivate: isPrivateAddress,
        resolve: async () => assert.fail('nothing is looked up'),
      });
      assert.equal(outcome.outcome === 'refused' && outcome.code, code);
      assert.match(short(outcome), /\.$/);
    });
  }

  const lookups: [string, string[]][] = [
    ['this machine', ['127.0.0.1']],
    ['a public and a private one', ['93.184.215.14', '10.0.0.7']],
    ['a private one behind IPv6', ['2606:4700::1111', '::ffff:192.168.0.1']],
  ];
  for (const [name, addresses] of lookups) {
    it(`refuses a name that leads to ${name}`, async () => {
      const { port, seen } = await serve((_request, response) => response.end());
      const resolve = async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
      assert.match(
        short(await get(`http://evil.example.test:${port}/`, { isPrivate: isPrivateAddress, resolve })),
        /^private: evil\.example\.test is an address of this machine/,
      );
      assert.equal(seen.length, 0);
    });
  }

  it('connects to the address that was judged, whatever the name says a moment later', async () => {
    const { port, seen } = await serve((_request, response) => response.end('judged'));
    let asked = 0;
    const resolve = async () =>
      asked++ === 0 ? [{ address: '127.0.0.1', family: 4 }] : [{ address: '127.0.0.2', family: 4 }];
    assert.equal(short(await get(`http://rebinding.example.test:${port}/`, { resolve })), '200 judged');
    assert.deepEqual([asked, seen.length], [1, 1]);
    assert.match(short(await get(`http://rebinding.example.test:${port}/`, { resolve })), /^private:/);
  });

  it('says what went wrong', async () => {
    const missing = async () =>
      Promise.reject(Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' }));
    assert.equal(
      short(await get('https://nowhere.example.test/', { resolve: missing })),
      'not_found: The name nowhere.example.test was not found. Check the address.',
    );
    assert.match(short(await get('https://nowhere.example.test/', { resolve: async () => [] })), /^not_found:/);
    const { port, server } = await serve((request) => request.socket.destroy());
    assert.match(short(await get(`http://a.example.test:${port}/`)), /^failed: .*socket hang up/);
    assert.match(short(await get(`https://a.example.test:${port}/`)), /^tls: No safe connection to a\.example\.test/);
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
    assert.match(short(await get(`http://a.example.test:${port}/`)), /^failed: .*ECONNREFUSED/);
    const broken = createTcpServer((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'));
    await new Promise<void>((ready) => broken.listen(0, '127.0.0.1', ready));
    closers.push(() => broken.close());
    assert.match(
      short(await get(`http://a.example.test:${(broken.address() as AddressInfo).port}/`)),
      /^failed: .*aborted/,
    );
  });
});
