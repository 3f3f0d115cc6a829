// Failures as the person and the loop see them: kind, retry advice, a sentence, and never a key.
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { inspect } from 'node:util';
import { ModelError, type ModelErrorKind } from '../../../src/core/errors';
import { createAnthropicClient } from '../../../src/providers/anthropic-client';
import { redactor } from '../../../src/providers/redact';
import { delayed, httpError, proxyError, reply, type HttpError } from '../../support/messages-api/script';
import { startMessagesApi, type MessagesApi } from '../../support/messages-api/server';
import { clientFor, readStream, testKey } from './client-under-test';

const now = Date.parse('2026-08-01T12:00:00Z');

describe('model errors', () => {
  let server: MessagesApi;
  afterEach(() => server.close());

  const cases: [name: string, answer: HttpError, kind: ModelErrorKind, retryable: boolean, retryAfterMs?: number][] = [
    ['400', httpError(400, 'invalid_request_error', 'bad'), 'invalid_request', false],
    [
      '400, prompt too long',
      httpError(400, 'invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum'),
      'too_large',
      false,
    ],
    [
      '400, no credit',
      httpError(400, 'invalid_request_error', 'Your credit balance is too low to access the API'),
      'billing',
      false,
    ],
    ['401', httpError(401, 'authentication_error', 'invalid x-api-key'), 'authentication', false],
    ['402', httpError(402, 'billing_error', 'pay'), 'billing', false],
    ['403', httpError(403, 'permission_error', 'no'), 'permission', false],
    ['404', httpError(404, 'not_found_error', 'model: claude-x'), 'not_found', false],
    ['409', httpError(409, 'conflict_error', 'busy'), 'server', true],
    ['413', httpError(413, 'request_too_large', 'big'), 'too_large', false],
    ['422', proxyError(422, 'unprocessable'), 'invalid_request', false],
    ['429 with seconds', httpError(429, 'rate_limit_error', 'slow', { 'retry-after': '7' }), 'rate_limit', true, 7000],
    [
      '429 with a date',
      httpError(429, 'rate_limit_error', 'slow', { 'retry-after': 'Sat, 01 Aug 2026 12:00:30 GMT' }),
      'rate_limit',
      true,
      30_000,
    ],
    [
      '429 with a past date',
      httpError(429, 'rate_limit_error', 'slow', { 'retry-after': 'Sat, 01 Aug 2026 11:00:00 GMT' }),
      'rate_limit',
      true,
      0,
    ],
    [
      '429 with milliseconds',
      httpError(429, 'rate_limit_error', 'slow', { 'retry-after-ms': '250', 'retry-after': '9' }),
      'rate_limit',
      true,
      250,
    ],
    ['429 without retry-after', httpError(429, 'rate_limit_error', 'spend cap'), 'spend_limit', false],
    ['500', httpError(500, 'api_error', 'oops'), 'server', true],
    ['500 that asks not to retry', httpError(500, 'api_error', 'oops', { 'x-should-retry': 'false' }), 'server', false],
    ['501', proxyError(501, ''), 'server', false],
    [
      '502 from a proxy',
      proxyError(502, '<html><head><style>a{}</style></head><h1>Bad  gateway</h1></html>'),
      'server',
      true,
    ],
    ['503', httpError(503, 'overloaded_error', 'later', { 'retry-after': '2' }), 'overloaded', true, 2000],
    ['503 from a proxy', proxyError(503, ''), 'overloaded', true],
    ['504', httpError(504, 'timeout_error', 'late'), 'timeout', true],
    ['529', httpError(529, 'overloaded_error', 'Overloaded'), 'overloaded', true],
  ];

  for (const [name, answer, kind, retryable, retryAfterMs] of cases) {
    it(`maps ${name} to ${kind}`, async () => {
      server = await startMessagesApi([answer]);
      const { events, error } = await readStream(clientFor(server, { now: () => now }));
      assert.deepEqual(events, []);
      assert.ok(error instanceof ModelError);
      const { status, requestId } = error.details;
      assert.deepEqual(error.details, {
        kind,
        status: answer.status,
        ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
        ...(requestId === undefined ? {} : { requestId }),
      });
      assert.equal(status, answer.status);
      assert.equal(requestId, answer.rawBody === undefined ? server.requests[0]?.id : undefined);
      assert.equal(error.retryable, retryable);
      assert.equal(error.audience, 'person');
      if (answer.message !== '') assert.ok(error.message.endsWith(`: ${answer.message}`), error.message);
      assert.doesNotMatch(error.message, /<\w|[{}]/);
      assert.equal(server.requests.length, 1, 'the client itself must not retry');
    });
  }

  it('names the host where nothing answers, or nobody knows the name', async () => {
    server = await startMessagesApi([]);
    const closed = await new Promise<number>((resolve) => {
      const listener = createServer().listen(0, '127.0.0.1', () => {
        const address = listener.address();
        listener.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
      });
    });
    const refused = await readStream(clientFor({ url: `http://127.0.0.1:${closed}` }));
    assert.deepEqual([refused.error?.details.kind, refused.error?.retryable], ['network', true]);
    assert.match(
      refused.error?.message ?? '',
      new RegExp(`No connection to 127\\.0\\.0\\.1:${closed}: .*ECONNREFUSED`),
    );

    const failing = (code: string) =>
      clientFor(server, {
        fetch: () => Promise.reject(new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code }) })),
      });
    const unknown = await readStream(failing('ENOTFOUND'));
    assert.match(unknown.error?.message ?? '', /host name is not known/);
    const certificate = await readStream(failing('SELF_SIGNED_CERT_IN_CHAIN'));
    assert.deepEqual([certificate.error?.details.kind, certificate.error?.retryable], ['network', false]);
    assert.match(certificate.error?.message ?? '', /certificate .* not trusted/);
  });

  it('does not retry an address that is none', async () => {
    server = await startMessagesApi([]);
    const { error } = await readStream(clientFor({ url: 'not an address' }));
    assert.deepEqual([error?.details.kind, error?.retryable], ['network', false]);
  });

  it('says when the answer does not begin in time', async () => {
    server = await startMessagesApi([delayed(reply('late'), new Promise(() => undefined))]);
    const { error } = await readStream(clientFor(server, { timeoutMs: 20 }));
    assert.deepEqual([error?.details.kind, error?.retryable], ['timeout', true]);
  });

  it('never shows a key, wherever it comes back', async () => {
    const secret = 'gateway-secret-42';
    server = await startMessagesApi([
      httpError(401, 'authentication_error', `key ${testKey} is wrong, ${secret} too`),
      proxyError(502, `<pre>x-api-key: ${testKey}</pre>`),
    ]);
    const options = { headers: { 'X-Gateway-Auth': `Basic ${secret}` } };
    const failures = [
      await readStream(clientFor(server, options)),
      await readStream(clientFor(server, options)),
      await readStream(
        clientFor(server, { ...options, fetch: () => Promise.reject(new TypeError(`bad header ${testKey}`)) }),
      ),
      await readStream(createAnthropicClient({ apiKey: `${testKey}\n${testKey}`, baseUrl: server.url })),
      await readStream(createAnthropicClient({ apiKey: `${testKey}ü`, baseUrl: server.url })),
    ];
    for (const { error } of failures) {
      assert.ok(error instanceof ModelError);
      const everything = inspect(error, { depth: 10, showHidden: true }) + JSON.stringify(error) + String(error.stack);
      assert.ok(!everything.includes(testKey), everything);
      assert.ok(!everything.includes(secret), everything);
    }
    assert.match(failures[0]?.error?.message ?? '', /key \[redacted\] is wrong, \[redacted\] too$/);
    assert.deepEqual(
      failures.slice(3).map(({ error }) => error?.details.kind),
      ['authentication', 'authentication'],
    );
  });

  it('redacts longer secrets before their beginnings, and leaves short words alone', () => {
    assert.equal(
      redactor(['secret', 'secret-longer', 'ab', undefined])('secret-longer secret ab'),
      '[redacted] [redacted] ab',
    );
  });
});
