// A request on a connection that had died while it lay idle goes out again; one that a server may be at work on does not.
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, type Socket } from 'node:net';
import { resendOnReset } from '../../../src/providers/resend-on-reset';

type Answer = 'ok' | 'reset' | 'close';

describe('resending on a reset', () => {
  let server: Server | undefined;
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });

  /** What each request gets, in order; what arrived, with the number of its connection. */
  const serve = async (...answers: Answer[]): Promise<{ url: string; got: { body: string; connection: number }[] }> => {
    const got: { body: string; connection: number }[] = [];
    const connections: Socket[] = [];
    const running = (server = createServer((incoming, response) => {
      let body = '';
      incoming.setEncoding('utf8').on('data', (piece: string) => (body += piece));
      incoming.once('end', () => {
        if (!connections.includes(incoming.socket)) connections.push(incoming.socket);
        got.push({ body, connection: connections.indexOf(incoming.socket) });
        const answer = answers.shift();
        if (answer === 'reset') incoming.socket.resetAndDestroy();
        else if (answer === 'close') incoming.socket.destroy();
        else response.end('ok');
      });
    }));
    await new Promise<void>((resolve) => running.listen(0, '127.0.0.1', resolve));
    return { url: `http://127.0.0.1:${(running.address() as AddressInfo).port}`, got };
  };
  const pieces = [Buffer.from('a'), Buffer.from('b')];
  const request = (): RequestInit =>
    ({
      method: 'POST',
      headers: { 'content-length': '2' },
      body: new ReadableStream({
        start: (stream) => (pieces.forEach((piece) => stream.enqueue(piece)), stream.close()),
      }),
      duplex: 'half',
    }) as RequestInit;
  /** A clock that stands still but for what `passing` adds while a request is under way. */
  const sender = (passing: number, answered = true): typeof fetch => {
    let time = 0;
    const slow: typeof fetch = async (input, init) => {
      try {
        return await fetch(input, init);
      } finally {
        time += passing;
      }
    };
    return resendOnReset(
      slow,
      pieces,
      () => answered,
      () => time,
    );
  };
  const text = async (response: Promise<Response>): Promise<string> => {
    const read = await (await response).text();
    // Fetch gives its connection free a turn after the last byte.
    for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
    return read;
  };

  for (const kind of ['reset', 'close'] as const) {
    it(`sends once more what a used connection lost at once (${kind})`, async () => {
      const { url, got } = await serve('ok', kind, 'ok');
      const send = sender(20);
      await text(send(url, request()));
      assert.equal(await text(send(url, request())), 'ok');
      assert.deepEqual(
        got.map(({ body }) => body),
        ['ab', 'ab', 'ab'],
      );
      assert.equal(got[1]?.connection, got[0]?.connection, 'it was used before');
    });

    it(`does not send twice what may be paid for already (${kind} a minute later)`, async () => {
      const { url, got } = await serve('ok', kind, 'ok');
      const send = sender(60_000);
      await text(send(url, request()));
      await assert.rejects(send(url, request()));
      assert.equal(got.length, 2);
    });

    it(`sends nothing again before the host has answered once (${kind})`, async () => {
      const { url, got } = await serve(kind, 'ok');
      await assert.rejects(sender(20, false)(url, request()));
      assert.equal(got.length, 1);
    });
  }

  it('sends nothing again that a new connection lost', async () => {
    const { url, got } = await serve('close', 'ok');
    await assert.rejects(sender(20)(url, request()));
    assert.equal(got.length, 1);
  });

  it('tries once, and not what was stopped', async () => {
    const { url, got } = await serve('ok', 'reset', 'reset', 'ok');
    const send = sender(20);
    await text(send(url, request()));
    await assert.rejects(send(url, request()));
    assert.equal(got.length, 3);
    const stopped = new AbortController();
    const failing = resendOnReset(
      async () => {
        stopped.abort();
        throw Object.assign(new TypeError('fetch failed'), {
          cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }),
        });
      },
      undefined,
      () => true,
    );
    await assert.rejects(failing(url, { signal: stopped.signal }));
  });
});
