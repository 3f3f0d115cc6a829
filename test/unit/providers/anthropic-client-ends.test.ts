// The Anthropic client's early ends: streams that stall, requests that are aborted.
import assert from 'node:assert/strict';
import { isAbort, ModelError } from '../../../src/core/text/errors';
import { recordedReply, reply, stall } from '../../support/messages-api/script';
import { startMessagesApi, type MessagesApi } from '../../support/messages-api/server';
import { clientFor, readStream, request } from './client-under-test';

const signal = new AbortController().signal;

describe('Anthropic client, early ends', () => {
  let server: MessagesApi;
  afterEach(async () => {
    await server.close();
    assert.deepEqual(server.violations, []);
  });

  describe('stall', () => {
    const manualTimers = () => {
      const timers: { milliseconds: number; fire: () => void; cancelled: boolean }[] = [];
      const startTimer = (milliseconds: number, callback: () => void) => {
        const timer = { milliseconds, fire: callback, cancelled: false };
        timers.push(timer);
        return () => void (timer.cancelled = true);
      };
      return { timers, startTimer };
    };

    it('ends a stream on which nothing comes', async () => {
      const { timers, startTimer } = manualTimers();
      server = await startMessagesApi([stall(reply('abc'), 3, 'forever')]);
      const events: string[] = [];
      await assert.rejects(
        async () => {
          const client = clientFor(server, { startTimer, stallMs: 20_000 });
          for await (const event of client.stream(request, signal)) {
            events.push(event.type);
            if (events.length < 2) continue;
            assert.equal(timers[0]?.milliseconds, 20_000);
            // Something came since the timer started: it only starts anew. The second time nothing came.
            setImmediate(() => timers[0]?.fire());
            setImmediate(() => setImmediate(() => timers[1]?.fire()));
          }
        },
        (error: unknown) => {
          assert.ok(error instanceof ModelError);
          assert.deepEqual([error.details.kind, error.retryable, error.details.maxTries], ['stalled', true, 2]);
          assert.match(error.message, /for 20 s/);
          return true;
        },
      );
      assert.deepEqual(events, ['message_start', 'content_block_start']);
      assert.equal(await server.requests[0]?.ended, 'client-closed');
    });

    it('does not count the time that the reader takes for an event', async () => {
      const { timers, startTimer } = manualTimers();
      server = await startMessagesApi([reply('abc')]);
      const client = clientFor(server, { startTimer });
      let count = 0;
      for await (const _event of client.stream(request, signal)) {
        count += 1;
        if (count === 1) {
          timers[0]?.fire();
          timers[1]?.fire();
          timers[2]?.fire();
        }
      }
      assert.equal(count, 6);
      assert.equal(timers.at(-1)?.cancelled, true);
    });

    it('counts a ping as a sign of life', async () => {
      const { timers, startTimer } = manualTimers();
      const start =
        'event: message_start\ndata: {"type":"message_start","message":{"id":"m","model":"x","usage":{}}}\n\n';
      const ping = 'event: ping\ndata: {"type": "ping"}\n\n';
      let more: () => void = () => undefined;
      const until = new Promise<void>((resolve) => (more = resolve));
      const stop = 'event: message_stop\ndata: {"type":"message_stop"}\n\n';
      server = await startMessagesApi([stall(recordedReply(start + ping + stop), 1, until)]);
      let chunks = 0;
      const client = clientFor(server, {
        startTimer,
        fetch: async (input, init) => {
          const response = await fetch(input, init);
          const count = new TransformStream<Uint8Array, Uint8Array>({
            transform(chunk, stream) {
              chunks += 1;
              stream.enqueue(chunk);
            },
          });
          return new Response(response.body?.pipeThrough(count) ?? null, response);
        },
      });
      const reading = readStream(client);
      while (timers.length === 0 || chunks === 0) await new Promise((resolve) => setImmediate(resolve));
      timers[0]?.fire();
      more();
      assert.equal((await reading).error, undefined);
    });
  });

  it('tells of every sign of life: the headers, each chunk, pings too', async () => {
    server = await startMessagesApi([]);
    const chunks = [
      'message_start\ndata: {"type":"message_start","message":{"id":"m","model":"x","usage":{}}}',
      'ping\ndata: {"type":"ping"}',
      'message_stop\ndata: {"type":"message_stop"}',
    ];
    const heardBefore: [string, number][] = [];
    let heard = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        pull(stream) {
          const chunk = chunks.shift();
          if (chunk === undefined) return stream.close();
          heardBefore.push([chunk.split('\n')[0] ?? '', heard]);
          stream.enqueue(new TextEncoder().encode(`event: ${chunk}\n\n`));
        },
      },
      { highWaterMark: 0 },
    );
    const client = clientFor(server, {
      fetch: async () => new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
    });
    const events: string[] = [];
    for await (const event of client.stream(request, signal, () => void heard++)) events.push(event.type);
    assert.deepEqual(events, ['message_start', 'message_stop']);
    assert.deepEqual(heardBefore, [
      ['message_start', 1],
      ['ping', 2],
      ['message_stop', 3],
    ]);
  });

  describe('abort', () => {
    it('before the request, sends nothing', async () => {
      server = await startMessagesApi([]);
      const { error } = await readStream(clientFor(server), AbortSignal.abort());
      assert.ok(isAbort(error));
      await assert.rejects(clientFor(server).listModels(AbortSignal.abort()), isAbort);
      assert.equal(server.requests.length + server.otherRequests.length, 0);
    });

    it('before the answer begins', async () => {
      server = await startMessagesApi([{ ...reply('late'), delay: new Promise(() => undefined) }]);
      const controller = new AbortController();
      const reading = readStream(clientFor(server), controller.signal);
      await server.waitForRequest(1);
      controller.abort();
      assert.ok(isAbort((await reading).error));
      assert.equal(await server.requests[0]?.ended, 'client-closed');
    });

    it('in the middle of the stream, keeps what came and closes the connection', async () => {
      server = await startMessagesApi([stall(reply('abc'), 4, 'forever')]);
      const controller = new AbortController();
      const seen: string[] = [];
      await assert.rejects(async () => {
        for await (const event of clientFor(server).stream(request, controller.signal)) {
          seen.push(event.type);
          if (event.type === 'content_block_delta') controller.abort(new Error('stop pressed'));
        }
      }, isAbort);
      assert.deepEqual(seen, ['message_start', 'content_block_start', 'content_block_delta']);
      assert.equal(await server.requests[0]?.ended, 'client-closed');
    });

    it('closes the connection when the reader leaves the loop', async () => {
      server = await startMessagesApi([stall(reply('abc'), 4, 'forever')]);
      for await (const _event of clientFor(server).stream(request, signal)) break;
      assert.equal(await server.requests[0]?.ended, 'client-closed');
    });

    it('leaves no listener on a signal that lives long', async () => {
      server = await startMessagesApi(() => reply('ok'));
      const controller = new AbortController();
      let listening = 0;
      const { addEventListener, removeEventListener } = controller.signal;
      controller.signal.addEventListener = function (...args: unknown[]) {
        listening += 1;
        addEventListener.apply(this, args as never);
      };
      controller.signal.removeEventListener = function (...args: unknown[]) {
        listening -= 1;
        removeEventListener.apply(this, args as never);
      };
      const client = clientFor(server);
      for (let turn = 0; turn < 3; turn++) await readStream(client, controller.signal);
      assert.equal(listening, 0);
    });
  });
});
