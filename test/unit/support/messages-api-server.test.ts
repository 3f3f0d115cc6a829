// The scripted Messages API's own behaviour: streams at any chunk size, gates, faults, pages, records.
import assert from 'node:assert/strict';
import {
  brokenToolUse,
  delayed,
  dropAfter,
  errorEvent,
  gate,
  hangup,
  httpError,
  proxyError,
  rawBlock,
  recordedReply,
  reply,
  stall,
  text,
  thinking,
  toolUse,
  withFields,
  type Reply,
} from '../../support/messages-api/script';
import { startMessagesApi, type MessagesApi } from '../../support/messages-api/server';

interface WireEvent {
  readonly type: string;
  readonly index?: number;
  readonly [key: string]: unknown;
}

const headers = { authorization: 'Bearer k', 'anthropic-version': '2023-06-01' };
const plain = { model: 'claude-opus-5', max_tokens: 10, stream: true, messages: [{ role: 'user', content: 'hi' }] };

function post(server: MessagesApi, body: unknown = plain, signal: AbortSignal | null = null): Promise<Response> {
  return fetch(`${server.url}/v1/messages`, { method: 'POST', headers, body: JSON.stringify(body), signal });
}

function eventsIn(stream: string): WireEvent[] {
  return stream
    .split('\n\n')
    .filter((part) => part !== '')
    .map((part) => JSON.parse(/^data: (.*)$/m.exec(part)?.[1] ?? '') as WireEvent);
}

/** Reads until the stream ends or breaks. */
async function drain(response: Response): Promise<{ text: string; sizes: number[]; broken: boolean }> {
  const decoder = new TextDecoder();
  const sizes: number[] = [];
  let all = '';
  try {
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      sizes.push(chunk.length);
      all += decoder.decode(chunk, { stream: true });
    }
    return { text: all, sizes, broken: false };
  } catch {
    return { text: all, sizes, broken: true };
  }
}

function textOf(events: readonly WireEvent[]): string {
  return events.map((event) => (event['delta'] as { text?: string } | undefined)?.text ?? '').join('');
}

describe('scripted Messages API, server', () => {
  let server: MessagesApi;
  afterEach(() => server.close());

  const long = 'Grüße 👋 aus dem Strom: 日本語 — '.repeat(4);
  for (const chunking of ['event', 1, 7, 100_000] as const) {
    it(`streams every block whole, chunked by ${chunking}`, async () => {
      const script = [
        reply(thinking('hm 👋', 'sig'), text(long), toolUse('Read', { file_path: '/ü/👋.ts' }, 'toolu_x')),
      ];
      server = await startMessagesApi(script, { chunking, deltaSize: 3 });
      const response = await post(server);
      assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/);
      const got = await drain(response);
      assert.equal(got.broken, false);
      // TCP may join chunks, so only most of them have to arrive alone.
      const bytes = got.sizes.reduce((sum, size) => sum + size, 0);
      if (chunking === 1 || chunking === 7)
        assert.ok(got.sizes.length > bytes / chunking / 2, String(got.sizes.length));
      assert.ok(!got.text.includes('\uFFFD'));
      const events = eventsIn(got.text);
      assert.equal(textOf(events), long);
      const json = events
        .map((event) => (event['delta'] as { partial_json?: string } | undefined)?.partial_json ?? '')
        .join('');
      assert.deepEqual(JSON.parse(json), { file_path: '/ü/👋.ts' });
      assert.deepEqual(
        [events[0]?.type, events[1]?.type, events.at(-2)?.type, events.at(-1)?.type],
        ['message_start', 'ping', 'message_delta', 'message_stop'],
      );
      assert.equal((events.at(-2)?.['delta'] as { stop_reason: string }).stop_reason, 'tool_use');
      const starts = events.filter((event) => event.type === 'content_block_start').map((event) => event.index);
      assert.deepEqual(starts, [0, 1, 2]);
    });
  }

  it('answers one JSON message where no stream is asked for', async () => {
    server = await startMessagesApi([
      withFields(reply('hi', toolUse('Read', { a: 1 })), { usage: { output_tokens: 7 }, model: 'm', id: 'msg_1' }),
    ]);
    const message: unknown = await (await post(server, { ...plain, stream: false })).json();
    assert.deepEqual(message, {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [
        { type: 'text', text: 'hi' },
        { type: 'tool_use', id: 'toolu_0001_1', name: 'Read', input: { a: 1 } },
      ],
      stop_reason: 'tool_use',
      stop_sequence: null,
      usage: {
        input_tokens: 10,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        output_tokens: 7,
        service_tier: 'standard',
      },
    });
  });

  it('sends broken inputs, raw blocks and recordings as they are', async () => {
    const recording =
      'event: ping\r\ndata: {"type": "ping"}\r\n\r\n: comment\r\n\r\nevent: x\ndata: {"type":"x"}  \n\n';
    const block = { type: 'fallback', from: 'a' };
    server = await startMessagesApi([
      reply(rawBlock(block), brokenToolUse('Write', '{"a": "b')),
      recordedReply(recording),
    ]);
    const events = eventsIn((await drain(await post(server))).text);
    assert.deepEqual(events.find((event) => event.type === 'content_block_start')?.['content_block'], block);
    assert.deepEqual(
      events.filter((event) => event.type === 'content_block_stop').map((event) => event.index),
      [0],
    );
    assert.equal((events.at(-2)?.['delta'] as { stop_reason: string }).stop_reason, 'max_tokens');
    assert.equal((await drain(await post(server))).text, recording);
  });

  it('holds a stream at a gate, between blocks and inside one', async () => {
    let open: () => void = () => undefined;
    const until = new Promise<void>((resolve) => (open = resolve));
    server = await startMessagesApi([reply(text('one', gate(until), 'two'), gate(0), 'three')]);
    const response = await post(server);
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const decoder = new TextDecoder();
    let seen = '';
    while (!seen.includes('"one"')) seen += decoder.decode((await reader.read()).value, { stream: true });
    assert.ok(!seen.includes('"two"'));
    assert.equal(server.requests[0]?.answeredAt, undefined);
    open();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      seen += decoder.decode(part.value, { stream: true });
    }
    assert.equal(textOf(eventsIn(seen)), 'onetwothree');
    assert.equal(await server.requests[0]?.ended, 'complete');
    assert.ok((server.requests[0]?.answeredAt ?? 0) >= (server.requests[0]?.firstByteAt ?? Infinity));
  });

  it('drops after exactly so many events', async () => {
    const whole = reply('a text of some length');
    server = await startMessagesApi((_request, index) => dropAfter(whole, { events: index + 1 }), { deltaSize: 4 });
    const total = 2 + 8 + 2; // start, ping; block with six deltas; delta, stop
    for (let count = 1; count <= total; count++) {
      const got = await drain(await post(server));
      assert.deepEqual([eventsIn(got.text).length, got.broken], [count, true]);
      assert.equal(await server.requests[count - 1]?.ended, 'fault');
    }
  });

  for (const chunking of ['event', 1, 7] as const) {
    it(`drops after exactly so many bytes, chunked by ${chunking}`, async () => {
      const limits = [1, 50, 123, 300];
      server = await startMessagesApi(
        limits.map((bytes) => dropAfter(reply('Grüße'), { bytes })),
        { chunking },
      );
      for (const bytes of limits) {
        const got = await drain(await post(server));
        assert.deepEqual([got.sizes.reduce((sum, size) => sum + size, 0), got.broken], [bytes, true]);
      }
    });
  }

  it('sends an error event and ends', async () => {
    server = await startMessagesApi([errorEvent(reply('abc'), 4, 'overloaded_error', 'Overloaded')]);
    const events = eventsIn((await drain(await post(server))).text);
    assert.deepEqual(
      events.map((event) => event.type),
      ['message_start', 'ping', 'content_block_start', 'content_block_delta', 'error'],
    );
    assert.deepEqual(events.at(-1), { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } });
  });

  it('stalls for ever until the client leaves, and says so', async () => {
    server = await startMessagesApi([stall(reply('abc'), 3, 'forever'), reply('next')]);
    const controller = new AbortController();
    const response = await post(server, plain, controller.signal);
    const draining = drain(response);
    controller.abort();
    assert.equal((await draining).broken, true);
    assert.equal(await server.requests[0]?.ended, 'client-closed');
    assert.equal(server.requests[0]?.answeredAt, undefined);
    assert.equal((await drain(await post(server))).broken, false);
  });

  it('answers errors with body, headers and request id, proxy pages raw, and hangs up', async () => {
    server = await startMessagesApi([
      httpError(429, 'rate_limit_error', 'Slow down', { 'retry-after': '3' }),
      proxyError(502, '<html>Bad gateway</html>'),
      hangup(),
    ]);
    const limited = await post(server);
    assert.deepEqual([limited.status, limited.headers.get('retry-after')], [429, '3']);
    const id = limited.headers.get('request-id');
    assert.deepEqual(await limited.json(), {
      type: 'error',
      error: { type: 'rate_limit_error', message: 'Slow down' },
      request_id: id,
    });
    assert.equal(server.requests[0]?.id, id);
    const proxy = await post(server);
    assert.deepEqual([proxy.status, await proxy.text()], [502, '<html>Bad gateway</html>']);
    await assert.rejects(post(server));
  });

  it('runs a function script, waits for its promise, and reports what it throws', async () => {
    server = await startMessagesApi(async (request, index): Promise<Reply> => {
      await Promise.resolve();
      if (index === 1) throw new Error('no idea');
      return reply(`${index}: ${String(request.body['model'])}`);
    });
    assert.equal(textOf(eventsIn((await drain(await post(server))).text)), '0: claude-opus-5');
    assert.equal((await post(server)).status, 400);
    assert.deepEqual(
      server.violations.map(({ rule, request }) => [rule, request]),
      [['script-threw', 1]],
    );
  });

  it('takes no reply for a refused request, and reports an exhausted script', async () => {
    server = await startMessagesApi([delayed(reply('only'), Promise.resolve())]);
    assert.equal((await post(server, { ...plain, messages: [] })).status, 400);
    assert.equal((await post(server)).status, 200);
    assert.equal((await post(server)).status, 400);
    server.setScript([reply('again')]);
    assert.equal((await post(server)).status, 200);
    assert.deepEqual(
      server.violations.map(({ rule, request }) => [rule, request]),
      [
        ['messages', 0],
        ['script-exhausted', 2],
      ],
    );
    assert.equal(server.requests.length, 4);
  });

  it('waits for a request, and rejects when it can no longer come', async () => {
    server = await startMessagesApi([reply('a'), reply('b')]);
    const second = server.waitForRequest(2);
    await (await post(server)).text();
    await (await post(server, { ...plain, model: 'two' })).text();
    assert.equal((await second).body['model'], 'two');
    assert.equal((await server.waitForRequest(1)).index, 0);
    const third = assert.rejects(server.waitForRequest(3), /closed after 2 requests; request 3 never came/);
    await server.close();
    await third;
    await assert.rejects(server.waitForRequest(4), /never came/);
  });

  it('closes while a reply is held', async () => {
    server = await startMessagesApi([stall(reply('abc'), 1, 'forever')]);
    const draining = post(server).then(drain);
    await server.waitForRequest(1);
    await server.close();
    assert.ok(await draining.then((got) => got.broken).catch(() => true));
  });

  it('lists models in pages', async () => {
    server = await startMessagesApi([], { models: ['a', 'b', 'c'] });
    const page = async (query: string) =>
      (await (await fetch(`${server.url}/v1/models${query}`, { headers })).json()) as {
        data: { id: string }[];
        has_more: boolean;
        last_id: string;
      };
    const first = await page('?limit=2');
    assert.deepEqual([first.data.map((model) => model.id), first.has_more, first.last_id], [['a', 'b'], true, 'b']);
    const second = await page('?limit=2&after_id=b');
    assert.deepEqual([second.data.map((model) => model.id), second.has_more], [['c'], false]);
    assert.equal((await fetch(`${server.url}/v1/models`)).status, 400);
    assert.equal((await fetch(`${server.url}/v2/other`, { headers })).status, 404);
    assert.equal(server.otherRequests.length, 4);
    assert.equal(server.requests.length, 0);
  });

  it('drops bodies where asked to', async () => {
    server = await startMessagesApi([reply('a')], { keepBodies: false });
    await (await post(server)).text();
    await server.requests[0]?.ended;
    assert.deepEqual([server.requests[0]?.text, server.requests[0]?.body], ['', {}]);
  });
});
