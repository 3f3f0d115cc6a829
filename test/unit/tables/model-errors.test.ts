// Every answer that is not a reply, over real HTTP: status x body x headers, and what the user and the loop make of it.
import assert from 'node:assert/strict';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { type ModelErrorKind } from '../../../src/core/text/errors';
import { retryDelay } from '../../../src/core/model/retry-policy';
import { type StreamEvent } from '../../../src/core/wire/wire';
import { timeOfDay } from '../../../src/providers/rate-limit-headers';
import { clientFor, readStream } from '../providers/client-under-test';

const now = Date.parse('2026-08-01T12:00:00Z');
const policy = { maxAttempts: 10, baseDelayMs: 500, maxDelayMs: 32_000, random: () => 0 };
const again = 500;
const never = undefined;

type Headers = Record<string, string>;
type Answer = (response: ServerResponse) => void;

/** The API's own error body. */
function api(status: number, type: string, message: string, headers: Headers = {}, more: object = {}): Answer {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_1', ...headers });
    response.end(JSON.stringify({ type: 'error', error: { type, message, ...more }, request_id: 'req_1' }));
  };
}

/** What is between answers instead. */
function page(status: number, body = '', headers: Headers = { 'content-type': 'text/html' }): Answer {
  return (response) => {
    response.writeHead(status, headers);
    response.end(body);
  };
}

const sse = (...events: object[]): string =>
  events.map((event) => `event: ${(event as { type: string }).type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
const eventStream = { 'content-type': 'text/event-stream' };
const start = (id = 'msg_1'): object => ({
  type: 'message_start',
  message: {
    id,
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [],
    stop_reason: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  },
});
const block = (index: number, text: string): object[] => [
  { type: 'content_block_start', index, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index, delta: { type: 'text_delta', text } },
  { type: 'content_block_stop', index },
];
const end: object[] = [
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 2 } },
  { type: 'message_stop' },
];
const whole = sse(start(), ...block(0, 'Hello'), ...end);
const json = { 'content-type': 'application/json' };
const html = '<html><head><style>a{}</style><script>x()</script></head><body><h1>Bad  gateway</h1></body></html>';
const inStream = (type: string, message = 'said'): Answer =>
  page(200, sse(start()) + sse({ type: 'error', error: { type, message } }), eventStream);
const lifts = (iso: string): string => timeOfDay(Date.parse(iso), now);

describe('answers that are no reply', () => {
  let server: Server;
  let asked: number;
  const serve = async (...answers: Answer[]): Promise<string> => {
    asked = 0;
    server = createServer((incoming, response) => {
      incoming.resume().once('end', () => (answers[Math.min(asked++, answers.length - 1)] ?? page(500))(response));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  /** HOST stands for the server's host. */
  const table: [name: string, answer: Answer, kind: ModelErrorKind, wait: number | undefined, sentence: string][] = [
    [
      '400 invalid',
      api(400, 'invalid_request_error', 'max_tokens: too few'),
      'invalid_request',
      never,
      'HOST refused the request: max_tokens: too few. Change your message, rewind, or pick another model.',
    ],
    [
      '400 too long',
      api(400, 'invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum'),
      'too_large',
      never,
      'The request is too large for HOST: prompt is too long: 210000 tokens > 200000 maximum. Compact the conversation, or start a new session.',
    ],
    [
      '400 no credit',
      api(400, 'invalid_request_error', 'Your credit balance is too low to access the API'),
      'billing',
      never,
      'The account at HOST cannot pay for this request: Your credit balance is too low to access the API. Add credit or check the payment details there, then try again.',
    ],
    [
      '400 own spend limit',
      api(
        400,
        'invalid_request_error',
        'You have reached your specified API usage limits. You will regain access on 2026-09-01.',
      ),
      'spend_limit',
      never,
      "The account's spending limit at HOST is reached: You have reached your specified API usage limits. You will regain access on 2026-09-01. Raise the limit there, or set another API key: waiting does not lift it soon.",
    ],
    [
      '400 of a gateway, unknown model',
      api(400, 'invalid_request_error', 'model: claude-nope'),
      'not_found',
      never,
      'The model does not exist at HOST: model: claude-nope. Pick another model.',
    ],
    [
      '400 of a proxy',
      page(400, 'Bad Request'),
      'invalid_request',
      never,
      'HOST refused the request: 400 Bad Request. Change your message, rewind, or pick another model.',
    ],
    [
      '401',
      api(401, 'authentication_error', 'invalid x-api-key'),
      'authentication',
      never,
      'The API key was not accepted by HOST: invalid x-api-key. Set another API key.',
    ],
    [
      '400 of a local server',
      page(400, '{"error":"the prompt has no end"}', json),
      'invalid_request',
      never,
      'HOST refused the request: the prompt has no end. Change your message, rewind, or pick another model.',
    ],
    [
      '401 of a proxy',
      page(401),
      'authentication',
      never,
      'The API key was not accepted by HOST: 401 status code (no body). Set another API key.',
    ],
    [
      '402',
      api(402, 'billing_error', 'pay'),
      'billing',
      never,
      'The account at HOST cannot pay for this request. Add credit or check the payment details there, then try again.',
    ],
    [
      '403',
      api(403, 'permission_error', 'no'),
      'permission',
      never,
      'The API key lacks permission for this at HOST: no. Set another API key, or pick a model that this key may use.',
    ],
    [
      '404 model',
      api(404, 'not_found_error', 'model: claude-x'),
      'not_found',
      never,
      'The model does not exist at HOST: model: claude-x. Pick another model.',
    ],
    [
      '404 address',
      api(404, 'not_found_error', 'Not found'),
      'not_found',
      never,
      'There is no Messages API at HOST: Not found. Check the base URL.',
    ],
    [
      '404 page',
      page(404, '<h1>Not Found</h1>'),
      'not_found',
      never,
      'There is no Messages API at HOST: 404 Not Found. Check the base URL.',
    ],
    [
      '405',
      page(405, 'Method Not Allowed'),
      'not_found',
      never,
      'There is no Messages API at HOST: 405 Method Not Allowed. Check the base URL.',
    ],
    [
      '404 model of a local server',
      page(404, '{"error":"model \\"claude-x\\" not found, try pulling it first"}', json),
      'not_found',
      never,
      'The model does not exist at HOST: model "claude-x" not found, try pulling it first. Pick another model.',
    ],
    [
      '404 address of a local server',
      page(404, '{"detail":"Not Found"}', json),
      'not_found',
      never,
      'There is no Messages API at HOST: Not Found. Check the base URL.',
    ],
    [
      '407',
      page(407, 'Proxy Authentication Required'),
      'network',
      never,
      'The proxy on the way to HOST requires a name and a password (407). Put them into the address of the proxy (http://name:password@host:port).',
    ],
    ['408', page(408), 'timeout', again, 'HOST took too long to answer: 408 status code (no body). Try again.'],
    [
      '409',
      api(409, 'conflict_error', 'busy'),
      'server',
      again,
      'HOST failed: busy. Try again; if it persists, check the status page of the service.',
    ],
    [
      '413',
      api(413, 'request_too_large', 'big'),
      'too_large',
      never,
      'The request is too large for HOST: big. Compact the conversation, or start a new session.',
    ],
    [
      '413 of a proxy',
      page(413, '<h1>Request Entity Too Large</h1>'),
      'too_large',
      never,
      'A proxy or gateway at HOST refuses requests of this size (413): 413 Request Entity Too Large. Raise its limit for the size of a request, compact the conversation, or start a new session.',
    ],
    [
      '415',
      page(415, 'Unsupported Media Type'),
      'invalid_request',
      never,
      'HOST refused the request: 415 Unsupported Media Type. Change your message, rewind, or pick another model.',
    ],
    [
      '422',
      page(422, 'unprocessable'),
      'invalid_request',
      never,
      'HOST refused the request: 422 unprocessable. Change your message, rewind, or pick another model.',
    ],
    [
      '429 with seconds',
      api(429, 'rate_limit_error', 'slow', { 'retry-after': '7' }),
      'rate_limit',
      7_000,
      'The rate limit at HOST is reached: slow. Wait until it lifts, or pick another model.',
    ],
    [
      '429 with a date',
      api(429, 'rate_limit_error', 'slow', { 'retry-after': 'Sat, 01 Aug 2026 12:00:30 GMT' }),
      'rate_limit',
      30_000,
      'The rate limit at HOST is reached: slow. Wait until it lifts, or pick another model.',
    ],
    [
      '429 with a date that is over',
      api(429, 'rate_limit_error', 'slow', { 'retry-after': 'Sat, 01 Aug 2026 11:00:00 GMT' }),
      'rate_limit',
      0,
      'The rate limit at HOST is reached: slow. Wait until it lifts, or pick another model.',
    ],
    [
      '429 with milliseconds',
      api(429, 'rate_limit_error', 'slow', { 'retry-after-ms': '250', 'retry-after': '9' }),
      'rate_limit',
      250,
      'The rate limit at HOST is reached: slow. Wait until it lifts, or pick another model.',
    ],
    [
      '429 with the end of the limit that is used up',
      api(429, 'rate_limit_error', 'slow', {
        'retry-after': '40',
        'anthropic-ratelimit-requests-remaining': '3',
        'anthropic-ratelimit-requests-reset': '2026-08-01T13:00:00Z',
        'anthropic-ratelimit-input-tokens-remaining': '0',
        'anthropic-ratelimit-input-tokens-reset': '2026-08-01T12:05:00Z',
      }),
      'rate_limit',
      40_000,
      `The rate limit at HOST is reached: slow. It lifts at ${lifts('2026-08-01T12:05:00Z')}. Wait until it lifts, or pick another model.`,
    ],
    [
      '429 for an hour',
      api(429, 'rate_limit_error', 'slow', { 'retry-after': '3600' }),
      'rate_limit',
      never,
      `The rate limit at HOST is reached: slow. It lifts at ${lifts('2026-08-01T13:00:00Z')}. Wait until it lifts, or pick another model.`,
    ],
    [
      '429 of a gateway, without retry-after',
      api(429, 'rate_limit_error', 'slow'),
      'rate_limit',
      again,
      'The rate limit at HOST is reached: slow. Wait until it lifts, or pick another model.',
    ],
    [
      '429 that says it is a spend cap',
      api(
        429,
        'rate_limit_error',
        'cap',
        { 'retry-after': '5', 'x-should-retry': 'true' },
        { details: { error_code: 'enforced_spend_limit_reached' } },
      ),
      'spend_limit',
      never,
      "The account's spending limit at HOST is reached: cap. Raise the limit there, or set another API key: waiting does not lift it soon.",
    ],
    [
      '429 of a proxy',
      page(429, 'slow down'),
      'rate_limit',
      again,
      'The rate limit at HOST is reached: 429 slow down. Wait until it lifts, or pick another model.',
    ],
    [
      '500',
      api(500, 'api_error', 'oops'),
      'server',
      again,
      'HOST failed: oops. Try again; if it persists, check the status page of the service.',
    ],
    [
      '500 that asks not to retry',
      api(500, 'api_error', 'oops', { 'x-should-retry': 'false' }),
      'server',
      never,
      'HOST failed: oops. Try again; if it persists, check the status page of the service.',
    ],
    [
      '400 that asks to retry',
      api(400, 'invalid_request_error', 'try me', { 'x-should-retry': 'true' }),
      'invalid_request',
      again,
      'HOST refused the request: try me. Change your message, rewind, or pick another model.',
    ],
    [
      '500 of a gateway',
      page(500, '{"message":"no healthy upstream","request_id":"r"}', json),
      'server',
      again,
      'HOST failed: no healthy upstream. Try again; if it persists, check the status page of the service.',
    ],
    [
      '501',
      page(501),
      'server',
      never,
      'HOST failed: 501 status code (no body). Try again; if it persists, check the status page of the service.',
    ],
    [
      '502 with a page',
      page(502, html),
      'server',
      again,
      'HOST failed: 502 Bad gateway. Try again; if it persists, check the status page of the service.',
    ],
    [
      '503',
      api(503, 'overloaded_error', 'later', { 'retry-after': '2' }),
      'overloaded',
      2_000,
      'The model is overloaded at HOST: later. Try again later, or pick another model.',
    ],
    [
      '503 of a proxy',
      page(503),
      'overloaded',
      again,
      'The model is overloaded at HOST: 503 status code (no body). Try again later, or pick another model.',
    ],
    ['504', api(504, 'timeout_error', 'late'), 'timeout', again, 'HOST took too long to answer: late. Try again.'],
    ...[520, 521, 523, 525, 526].map((status): (typeof table)[number] => [
      `${status} of Cloudflare`,
      page(status, `<html><title>x</title><h1>error code: ${status}</h1></html>`),
      'server',
      again,
      `HOST failed: ${status} x error code: ${status}. Try again; if it persists, check the status page of the service.`,
    ]),
    ...[522, 524].map((status): (typeof table)[number] => [
      `${status} of Cloudflare`,
      page(status, `error code: ${status}`),
      'timeout',
      again,
      `HOST took too long to answer: ${status} error code: ${status}. Try again.`,
    ]),
    [
      '529',
      api(529, 'overloaded_error', 'Overloaded'),
      'overloaded',
      again,
      'The model is overloaded at HOST. Try again later, or pick another model.',
    ],
    [
      'a type of the future',
      api(418, 'teapot_error', 'short and stout'),
      'invalid_request',
      never,
      'HOST refused the request: short and stout. Change your message, rewind, or pick another model.',
    ],
    [
      'a redirect that leads nowhere',
      page(302),
      'not_found',
      never,
      'HOST redirects every request: 302 status code (no body). Check the base URL: use the address that it redirects to.',
    ],
    [
      'a page',
      page(200, html),
      'server',
      never,
      'HOST did not answer with a stream of the Messages API but with text/html. Check the base URL.',
    ],
    [
      'nothing',
      page(200, '', {}),
      'server',
      never,
      'HOST did not answer with a stream of the Messages API but with nothing. Check the base URL.',
    ],
    [
      'JSON in place of a stream',
      page(200, JSON.stringify({ type: 'message', content: [] }), { 'content-type': 'application/json' }),
      'server',
      never,
      'HOST did not answer with a stream of the Messages API but with application/json. Check the base URL.',
    ],
    [
      'an empty stream',
      page(200, '', eventStream),
      'dropped',
      again,
      'The connection to HOST was lost in the middle of the reply.',
    ],
    [
      'a stream without an end',
      page(200, sse(start(), ...block(0, 'Hel')), eventStream),
      'dropped',
      again,
      'The connection to HOST was lost in the middle of the reply.',
    ],
    [
      'a stream that does not begin',
      page(200, sse(...block(0, 'x'), ...end), eventStream),
      'dropped',
      again,
      'The connection to HOST was lost in the middle of the reply.',
    ],
    [
      'half of a gzip stream',
      page(200, gzipSync(whole).subarray(0, 60) as unknown as string, { ...eventStream, 'content-encoding': 'gzip' }),
      'dropped',
      again,
      'The connection to HOST was lost in the middle of the reply.',
    ],
    [
      'invalid_request_error in the stream',
      inStream('invalid_request_error'),
      'invalid_request',
      never,
      'HOST refused the request: said. Change your message, rewind, or pick another model.',
    ],
    [
      'authentication_error in the stream',
      inStream('authentication_error'),
      'authentication',
      never,
      'The API key was not accepted by HOST: said. Set another API key.',
    ],
    [
      'billing_error in the stream',
      inStream('billing_error'),
      'billing',
      never,
      'The account at HOST cannot pay for this request: said. Add credit or check the payment details there, then try again.',
    ],
    [
      'permission_error in the stream',
      inStream('permission_error'),
      'permission',
      never,
      'The API key lacks permission for this at HOST: said. Set another API key, or pick a model that this key may use.',
    ],
    [
      'not_found_error in the stream',
      inStream('not_found_error', 'model: m'),
      'not_found',
      never,
      'The model does not exist at HOST: model: m. Pick another model.',
    ],
    [
      'request_too_large in the stream',
      inStream('request_too_large'),
      'too_large',
      never,
      'The request is too large for HOST: said. Compact the conversation, or start a new session.',
    ],
    [
      'rate_limit_error in the stream',
      inStream('rate_limit_error'),
      'rate_limit',
      again,
      'The rate limit at HOST is reached: said. Wait until it lifts, or pick another model.',
    ],
    [
      'timeout_error in the stream',
      inStream('timeout_error'),
      'timeout',
      again,
      'HOST took too long to answer: said. Try again.',
    ],
    [
      'overloaded_error in the stream',
      inStream('overloaded_error'),
      'overloaded',
      again,
      'The model is overloaded at HOST: said. Try again later, or pick another model.',
    ],
    [
      'api_error in the stream',
      inStream('api_error'),
      'server',
      again,
      'HOST failed: said. Try again; if it persists, check the status page of the service.',
    ],
    [
      'an unknown error in the stream',
      inStream('moon_error'),
      'server',
      again,
      'HOST failed: said. Try again; if it persists, check the status page of the service.',
    ],
  ];

  for (const [name, answer, kind, wait, sentence] of table) {
    it(`${name}: ${kind}, ${wait === undefined ? 'no retry' : `again in ${wait} ms`}`, async () => {
      const url = await serve(answer);
      const { error } = await readStream(clientFor({ url }, { now: () => now }));
      assert.ok(error !== undefined);
      assert.equal(error.message.replaceAll(new URL(url).host, 'HOST'), sentence);
      assert.deepEqual([error.details.kind, retryDelay(error, 1, policy)], [kind, wait]);
      // Node's fetch distinguishes a 407 from a redirect only by sending the request without a stream.
      assert.equal(asked, name === '407' ? 2 : 1, 'the client itself does not retry');
    });
  }

  const fine: [name: string, answer: Answer, texts: string[]][] = [
    [
      'gzip',
      page(200, gzipSync(whole) as unknown as string, { ...eventStream, 'content-encoding': 'gzip' }),
      ['Hello'],
    ],
    [
      'br',
      page(200, brotliCompressSync(whole) as unknown as string, { ...eventStream, 'content-encoding': 'br' }),
      ['Hello'],
    ],
    [
      'unknown events and deltas',
      page(
        200,
        sse(
          start(),
          { type: 'moon' },
          block(0, 'a')[0] ?? {},
          { type: 'content_block_delta', index: 0, delta: { type: 'moon_delta' } },
          ...block(0, 'Hello').slice(1),
          ...end,
        ),
        eventStream,
      ),
      ['Hello'],
    ],
    [
      'a second message_start',
      page(200, sse(start(), ...block(0, 'One'), start('msg_2'), ...block(1, 'Two'), ...end), eventStream),
      ['One', 'Two'],
    ],
    ['events behind message_stop', page(200, whole + sse(...block(5, 'Late'), start('msg_2')), eventStream), ['Hello']],
    [
      'block numbers out of order',
      page(200, sse(start(), ...block(3, 'One'), ...block(1, 'Two'), ...end), eventStream),
      ['One', 'Two'],
    ],
    [
      'the same number for every block',
      page(200, sse(start(), ...block(0, 'One'), ...block(0, 'Two'), ...end), eventStream),
      ['One', 'Two'],
    ],
    [
      'a start of a block that is open',
      page(200, sse(start(), ...block(0, 'a').slice(0, 1), ...block(0, 'Hello'), ...end), eventStream),
      ['Hello'],
    ],
    [
      'deltas and ends of no block',
      page(200, sse(start(), ...block(7, 'x').slice(1), ...block(0, 'Hello'), ...end), eventStream),
      ['Hello'],
    ],
    [
      'a thousand pings',
      page(200, sse(start()) + sse({ type: 'ping' }).repeat(1_000) + sse(...block(0, 'Hello'), ...end), eventStream),
      ['Hello'],
    ],
  ];
  for (const [name, answer, texts] of fine) {
    it(`${name} makes the whole reply`, async () => {
      const { events, error } = await readStream(clientFor({ url: await serve(answer) }));
      assert.equal(error, undefined);
      assert.deepEqual(textsOf(events), texts);
      assert.deepEqual(
        events.flatMap((event) => (event.type === 'message_start' ? [event.message.id] : [])),
        ['msg_1'],
      );
      assert.equal(events.at(-1)?.type, 'message_stop');
    });
  }

  it("takes a 429 without retry-after for a spend cap at the vendor's own address alone", async () => {
    const url = await serve(api(429, 'rate_limit_error', 'cap'));
    const client = clientFor({ url: 'https://api.anthropic.com' }, { fetch: (_, init) => fetch(url, init) });
    const { error } = await readStream(client);
    assert.deepEqual([error?.details.kind, error?.retryable], ['spend_limit', false]);
    assert.equal(
      error?.message,
      "The account's spending limit at api.anthropic.com is reached: cap. Raise the limit there, or set another API key: waiting does not lift it soon.",
    );
  });

  it('follows a redirect with the whole request', async () => {
    const url = await serve((response) => {
      if (response.req.url === '/elsewhere') return page(200, whole, eventStream)(response);
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    const { events, error } = await readStream(clientFor({ url }));
    assert.deepEqual([textsOf(events), error, asked], [['Hello'], undefined, 3]);
  });

  it('gives up a stream that brings nothing but pings', async () => {
    let pinging: NodeJS.Timeout | undefined;
    const url = await serve((response) => {
      response.writeHead(200, eventStream);
      response.write(sse(start()));
      pinging = setInterval(() => response.write(sse({ type: 'ping' })), 2);
      response.once('close', () => clearInterval(pinging));
    });
    const { events, error } = await readStream(clientFor({ url }, { stallMs: 60, quietMs: 120 }));
    assert.deepEqual([events.length, error?.details.kind, error?.retryable], [1, 'stalled', true]);
  });

  it('sends again at once where a kept connection turns out to be dead', async () => {
    const sockets = new Set<unknown>();
    const url = await serve(
      page(200, whole, eventStream),
      (response) => void (sockets.add(response.socket), response.socket?.resetAndDestroy()),
      page(200, whole, eventStream),
    );
    const client = clientFor({ url });
    assert.equal((await readStream(client)).error, undefined);
    const second = await readStream(client);
    assert.deepEqual([textsOf(second.events), second.error, asked, sockets.size], [['Hello'], undefined, 3, 1]);
  });

  it('counts a reset as a failure where nothing was kept, and a second one in a row', async () => {
    const reset: Answer = (response) => void response.socket?.resetAndDestroy();
    const fresh = await readStream(clientFor({ url: await serve(reset) }));
    assert.deepEqual([fresh.error?.details.kind, fresh.error?.retryable, asked], ['network', true, 1]);
    server.close();
    const client = clientFor({ url: await serve(page(200, whole, eventStream), reset) });
    await readStream(client);
    const twice = await readStream(client);
    assert.deepEqual([twice.error?.details.kind, asked], ['network', 3]);
  });
});

function textsOf(events: readonly StreamEvent[]): string[] {
  const texts = new Map<number, string>();
  for (const event of events) {
    if (event.type === 'content_block_start') texts.set(event.index, '');
    if (event.type === 'content_block_delta' && event.delta.type === 'text_delta')
      texts.set(event.index, `${texts.get(event.index)}${event.delta.text}`);
  }
  return [...texts.values()];
}
