// The Anthropic client: what it sends, streams at any chunk size, lost connections, models and tokens.
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import assert from 'node:assert/strict';
import { type ModelRequest } from '../../../src/core/wire/wire';
import { ModelError } from '../../../src/core/text/errors';
import { createAnthropicClient } from '../../../src/providers/anthropic-client';
import {
  dropAfter,
  errorEvent,
  gate,
  hangup,
  httpError,
  rawBlock,
  recordedReply,
  redactedThinking,
  reply,
  stall,
  text,
  thinking,
  toolUse,
} from '../../support/messages-api/script';
import { listedModel } from '../../support/messages-api/model-list';
import { startMessagesApi, type MessagesApi } from '../../support/messages-api/server';
import { createMessagesClient, type MessagesSdk } from '../../../src/providers/messages-client';
import { clientFor, readStream, request, testKey } from './client-under-test';

const signal = new AbortController().signal;

describe('Anthropic client', () => {
  let server: MessagesApi;
  afterEach(async () => {
    await server.close();
    assert.deepEqual(server.violations, []);
  });

  it('prepares without sending anything', async () => {
    server = await startMessagesApi([reply('ok')], { expectedKey: testKey });
    const client = clientFor(server);
    await client.prepare?.();
    assert.equal(server.requests.length, 0);
    await readStream(client);
    assert.equal(server.requests.length, 1);
  });

  describe('request', () => {
    it('sends body, key, version and betas, and nothing of its own options', async () => {
      server = await startMessagesApi([reply('ok')], { expectedKey: testKey });
      const full: ModelRequest = {
        ...request,
        thinking: { type: 'adaptive', display: 'summarized' },
        output_config: { effort: 'high' },
        tool_choice: { type: 'auto' },
        metadata: { user_id: 'u' },
        betas: ['one-2026-01-01', 'two-2026-01-01'],
      };
      const client = clientFor(server, {
        features: 'all',
        apiKey: ` ${testKey}\n`,
        betas: ['two-2026-01-01', 'three'],
        headers: { 'X-Team': 'a' },
      });
      assert.equal((await readStream(client, signal, full)).error, undefined);
      const { betas: _betas, ...body } = full;
      const [sent] = server.requests;
      assert.deepEqual(sent?.body, { ...body, stream: true });
      assert.equal(sent?.headers['x-api-key'], testKey);
      assert.equal(sent.headers.authorization, undefined);
      assert.equal(sent.headers['anthropic-version'], '2026-10-21');
      assert.equal(sent.headers['anthropic-beta'], 'one-2026-01-01,two-2026-01-01,three');
      assert.equal(sent.headers['x-team'], 'a');
    });

    it('sends an auth token as bearer, leaves empty lists and absent betas out', async () => {
      server = await startMessagesApi([reply('ok')], { expectedKey: 'token-123' });
      const client = createAnthropicClient({ authToken: 'token-123', baseUrl: `${server.url}/` });
      assert.equal((await readStream(client, signal, { ...request, system: [], tools: [] })).error, undefined);
      const [sent] = server.requests;
      assert.equal(sent?.headers.authorization, 'Bearer token-123');
      assert.equal(sent.headers['x-api-key'], undefined);
      assert.equal(sent.headers['anthropic-beta'], undefined);
      assert.deepEqual(Object.keys(sent.body).sort(), ['max_tokens', 'messages', 'model', 'stream']);
    });

    it("needs no key for a server of the user's own, and sends none", async () => {
      const headers: IncomingHttpHeaders[] = [];
      const keyless = createServer((request, response) => {
        headers.push(request.headers);
        response.writeHead(500).end();
      });
      await new Promise<void>((resolve) => keyless.listen(0, '127.0.0.1', resolve));
      try {
        const { port } = keyless.address() as AddressInfo;
        const { error } = await readStream(createAnthropicClient({ baseUrl: `http://127.0.0.1:${port}` }));
        assert.equal(error?.details.kind, 'server');
        assert.equal(headers.length, 1);
        assert.equal(headers[0]?.['x-api-key'], undefined);
        assert.equal(headers[0]?.authorization, undefined);
      } finally {
        keyless.close();
      }
    });

    it('needs no key where a header carries the credential, and never takes one from the environment', async () => {
      server = await startMessagesApi([reply('ok')], { expectedKey: 'from-gateway' });
      const before = { ...process.env };
      process.env['ANTHROPIC_API_KEY'] = 'sk-from-the-environment';
      process.env['ANTHROPIC_BASE_URL'] = 'http://127.0.0.1:1';
      try {
        const { error } = await readStream(createAnthropicClient({}));
        assert.equal(error?.details.kind, 'authentication');
        assert.equal(server.requests.length, 0);
        const headers = { authorization: 'Bearer from-gateway' };
        assert.equal((await readStream(createAnthropicClient({ baseUrl: server.url, headers }))).error, undefined);
      } finally {
        for (const name of ['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL']) {
          if (before[name] === undefined) delete process.env[name];
          else process.env[name] = before[name];
        }
      }
    });

    it('uses the same connection again', async () => {
      const sockets = new Set<string>();
      server = await startMessagesApi(() => reply('ok'));
      const client = clientFor(server, {
        fetch: async (input, init) => {
          const response = await fetch(input, init);
          sockets.add(response.headers.get('connection') ?? '');
          return response;
        },
      });
      for (let turn = 0; turn < 3; turn++) assert.equal((await readStream(client)).error, undefined);
      assert.deepEqual([...sockets], ['keep-alive']);
      for (const sent of server.requests) assert.equal(await sent.ended, 'complete');
    });
  });

  describe('stream', () => {
    for (const chunking of ['event', 1, 7] as const) {
      it(`passes the events through, chunked by ${chunking}`, async () => {
        const blocks = [
          thinking('hm 👋', 's1'),
          redactedThinking('xyz'),
          text('Grüße 日本語'),
          rawBlock({ type: 'fallback', from: 'a' }),
          toolUse('Read', { file_path: '/ü' }),
        ];
        server = await startMessagesApi([reply(...blocks)], { chunking, deltaSize: 2 });
        const { events, error } = await readStream(clientFor(server));
        assert.equal(error, undefined);
        const starts = events.flatMap((event) =>
          event.type === 'content_block_start' ? [event.content_block.type] : [],
        );
        assert.deepEqual(starts, ['thinking', 'redacted_thinking', 'text', 'fallback', 'tool_use']);
        const deltas = events.flatMap((event) => (event.type === 'content_block_delta' ? [event.delta] : []));
        const joined = (type: string, field: string): string =>
          deltas
            .filter((delta) => delta.type === type)
            .map((delta) => (delta as unknown as Record<string, string>)[field])
            .join('');
        assert.equal(joined('thinking_delta', 'thinking'), 'hm 👋');
        assert.equal(joined('signature_delta', 'signature'), 's1');
        assert.equal(joined('text_delta', 'text'), 'Grüße 日本語');
        assert.deepEqual(JSON.parse(joined('input_json_delta', 'partial_json')), { file_path: '/ü' });
        assert.ok(!events.some((event) => (event.type as string) === 'ping'));
        assert.deepEqual(events.at(-1), { type: 'message_stop' });
      });
    }

    it('drops unknown events, passes unknown deltas on, and takes a message_delta without usage', async () => {
      const known = [
        { type: 'message_start', message: { id: 'm', model: 'x', usage: {} } },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'a' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'aroma_delta', smell: 'rose' } },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
        { type: 'message_stop' },
      ];
      const strange = [
        { type: 'telemetry', data: 1 },
        { type: 'content_block_delta', index: 0, delta: { smell: 'rose' } },
        { type: 'content_block_start', index: 1, content_block: { text: 'of no kind' } },
        { type: 'message_start' },
        [1],
        null,
      ];
      const all = known.flatMap((event) => [event, ...strange]);
      const wire = all.map(
        (event) => `event: ${(event as { type?: string } | null)?.type ?? 'x'}\ndata: ${JSON.stringify(event)}\n\n`,
      );
      server = await startMessagesApi([recordedReply(wire.join(''))]);
      const { events, error } = await readStream(clientFor(server));
      assert.equal(error, undefined);
      assert.deepEqual(
        events,
        known.with(5, { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: {} } as never),
      );
    });

    it('gives each event as it arrives', async () => {
      let open: () => void = () => undefined;
      const until = new Promise<void>((resolve) => (open = resolve));
      server = await startMessagesApi([reply(toolUse('Read', {}, 't1'), gate(until), 'rest')]);
      const seen: string[] = [];
      for await (const event of clientFor(server).stream(request, signal)) {
        seen.push(event.type);
        if (event.type !== 'content_block_stop' || event.index !== 0) continue;
        assert.equal(server.requests[0]?.answeredAt, undefined);
        open();
      }
      assert.equal(seen.at(-1), 'message_stop');
    });

    it('says what was lost at every event boundary, and hangs at none', async () => {
      const whole = {
        ...reply(thinking('t', 's'), text('some text'), toolUse('Read', { a: 1 }, 'toolu_1')),
        id: 'msg_1',
      };
      server = await startMessagesApi([whole], { deltaSize: 4 });
      const all = (await readStream(clientFor(server))).events;
      const wireEvents = all.length + 1; // the ping
      for (let count = 0; count < wireEvents; count++) {
        server.setScript([count === 0 ? hangup() : dropAfter(whole, { events: count })]);
        const { events, error } = await readStream(clientFor(server));
        assert.deepEqual(
          events.map((event) => event.type),
          all.slice(0, count < 2 ? count : count - 1).map((event) => event.type),
        );
        assert.ok(error instanceof ModelError);
        assert.deepEqual([error.details.kind, error.retryable], [count === 0 ? 'network' : 'dropped', true]);
      }
      // Lost only behind message_stop: nothing is missing.
      server.setScript([dropAfter(whole, { events: wireEvents })]);
      assert.deepEqual(await readStream(clientFor(server)), { events: all, error: undefined });
    });

    it('knows a stream that ends cleanly but too early, in the middle of an event too', async () => {
      const start =
        'event: message_start\ndata: {"type":"message_start","message":{"id":"m","model":"x","usage":{}}}\n\n';
      server = await startMessagesApi([
        recordedReply(''),
        recordedReply(start),
        recordedReply(`${start}event: content_block_delta\ndata: {"type":"content_bl`),
      ]);
      for (const count of [0, 1, 1]) {
        const { events, error } = await readStream(clientFor(server));
        assert.deepEqual([events.length, error?.details.kind, error?.retryable], [count, 'dropped', true]);
        assert.match(error?.details.requestId ?? '', /^req_/);
      }
    });

    it('passes an error event on as its kind', async () => {
      const cases = [
        ['overloaded_error', 'overloaded', true],
        ['api_error', 'server', true],
        ['rate_limit_error', 'rate_limit', true],
        ['invalid_request_error', 'invalid_request', false],
        ['never_heard_of', 'server', true],
      ] as const;
      server = await startMessagesApi(cases.map(([type]) => errorEvent(reply('abc'), 4, type, 'It broke')));
      for (const [, kind, retryable] of cases) {
        const { events, error } = await readStream(clientFor(server));
        assert.equal(events.length, 3);
        assert.deepEqual([error?.details.kind, error?.retryable, error?.details.status], [kind, retryable, undefined]);
        assert.match(error?.message ?? '', /: It broke\. /);
        assert.match(error?.details.requestId ?? '', /^req_/);
      }
    });

    it('says so where the address is no Messages API', async () => {
      const strange = recordedReply('<html>Welcome</html>');
      server = await startMessagesApi([{ ...strange, headers: { 'content-type': 'text/html' } }]);
      const { error } = await readStream(clientFor(server));
      assert.deepEqual([error?.details.kind, error?.retryable], ['server', false]);
      assert.match(error?.message ?? '', /text\/html.*base URL/);
    });

    it('gives up a connection that does not end after message_stop', async () => {
      const timers: (() => void)[] = [];
      const startTimer = (_milliseconds: number, callback: () => void) => {
        timers.push(callback);
        return () => undefined;
      };
      // start, ping, block (3), delta, stop
      server = await startMessagesApi([stall(reply('abc'), 7, 'forever')]);
      const reading = readStream(clientFor(server, { startTimer }));
      while (timers.length < 2) await new Promise((resolve) => setImmediate(resolve));
      timers[1]?.();
      const { events, error } = await reading;
      assert.deepEqual([events.at(-1)?.type, error], ['message_stop', undefined]);
    });
  });

  describe('models and tokens', () => {
    it('lists all pages of models', async () => {
      const listedModels = [
        ...Array.from({ length: 1500 }, (_unused, index) => listedModel(`model-${index}`)),
        listedModel('gateway-model', { display_name: '', max_input_tokens: null, max_tokens: null }),
      ];
      server = await startMessagesApi([], { listedModels });
      const models = await clientFor(server).listModels(signal);
      assert.equal(models.length, 1501);
      assert.deepEqual(models[0], {
        id: 'model-0',
        displayName: 'Model 0',
        reported: { contextWindow: 1_000_000, maxOutputTokens: 128_000 },
      });
      assert.deepEqual(models.at(-1), { id: 'gateway-model', displayName: 'gateway-model' });
      assert.equal(server.otherRequests.length, 2);
    });

    it('reports a failed list as a model error', async () => {
      server = await startMessagesApi([], { modelsError: httpError(403, 'permission_error', 'Not for you') });
      await assert.rejects(clientFor(server).listModels(signal), (error: unknown) => {
        assert.ok(error instanceof ModelError);
        assert.deepEqual([error.details.kind, error.details.status], ['permission', 403]);
        return true;
      });
    });

    it('counts tokens of a request', async () => {
      server = await startMessagesApi([], { countTokens: (body) => (body['max_tokens'] === undefined ? 321 : -1) });
      const counted = await clientFor(server, { features: 'all' }).countTokens(
        { ...request, metadata: { user_id: 'u' }, betas: ['b'] },
        signal,
      );
      assert.equal(counted, 321);
      assert.deepEqual(Object.keys(server.otherRequests[0]?.body ?? {}).sort(), [
        'messages',
        'model',
        'system',
        'tools',
      ]);
      assert.equal(server.otherRequests[0]?.headers['anthropic-beta'], 'b');
    });

    it('fits a request once for counting it', async () => {
      let fitted = 0;
      const sdk = { messages: { countTokens: async () => ({ input_tokens: 5 }) } } as unknown as MessagesSdk;
      const client = createMessagesClient(
        {
          provider: 'anthropic',
          host: 'h',
          secrets: [],
          load: async () => sdk,
          readsBody: false,
          modelId: (model) => (fitted++, model),
        },
        {},
      );
      assert.deepEqual([await client.countTokens(request, signal), fitted], [5, 1]);
    });
  });
});
