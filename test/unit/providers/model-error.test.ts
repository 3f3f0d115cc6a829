// Failures below HTTP as the user and the loop see them: kind, retry advice, a sentence, and never a key. Answers are in tables/model-errors.test.ts.
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { inspect } from 'node:util';
import { ModelError } from '../../../src/core/text/errors';
import { createAnthropicClient } from '../../../src/providers/anthropic-client';
import { type CloudProvider, createProviderClient } from '../../../src/providers/provider-client';
import { redactor } from '../../../src/providers/redact';
import { delayed, httpError, proxyError, reply } from '../../support/messages-api/script';
import { startMessagesApi, type MessagesApi } from '../../support/messages-api/server';
import { clientFor, readStream, testKey } from './client-under-test';

describe('model errors', () => {
  let server: MessagesApi;
  afterEach(() => server.close());

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

  it("takes a host name that nobody knows for a mistyped one after a few tries, unless it has answered or is the vendor's own", async () => {
    server = await startMessagesApi([reply('Hello.')]);
    const lost = Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' });
    const unknown: typeof fetch = () => Promise.reject(new TypeError('fetch failed', { cause: lost }));
    const cloud = async (provider: CloudProvider, variables: Record<string, string>) =>
      readStream(
        await createProviderClient({ provider, variables: { HOME: '/nonexistent', ...variables }, fetch: unknown }),
      );
    const cases: [Awaited<ReturnType<typeof readStream>>, string][] = [
      [await readStream(clientFor({ url: 'https://gateway.test' }, { fetch: unknown })), 'the base URL'],
      [
        await cloud('foundry', { ANTHROPIC_FOUNDRY_RESOURCE: 'typo', ANTHROPIC_FOUNDRY_API_KEY: 'k' }),
        'ANTHROPIC_FOUNDRY_RESOURCE',
      ],
      [
        await cloud('foundry', { ANTHROPIC_FOUNDRY_BASE_URL: 'https://typo.test', ANTHROPIC_FOUNDRY_API_KEY: 'k' }),
        'ANTHROPIC_FOUNDRY_BASE_URL',
      ],
      [await cloud('bedrock', { AWS_REGION: 'eu-typo-1', AWS_BEARER_TOKEN_BEDROCK: 'b' }), 'AWS_REGION'],
      [
        await cloud('vertex', {
          CLOUD_ML_REGION: 'typo',
          ANTHROPIC_VERTEX_PROJECT_ID: 'p',
          CLAUDE_CODE_SKIP_VERTEX_AUTH: '1',
        }),
        'CLOUD_ML_REGION',
      ],
    ];
    for (const [{ error }, what] of cases) {
      assert.deepEqual([error?.details, error?.retryable], [{ kind: 'network', maxTries: 5 }, true]);
      assert.ok(
        error?.message.endsWith(`(ENOTFOUND). This machine is offline, or the address is mistyped: check ${what}.`),
        error?.message,
      );
    }
    assert.equal(
      (await readStream(createAnthropicClient({ apiKey: testKey, fetch: unknown }))).error?.details.kind,
      'offline',
    );
    let away = false;
    const client = clientFor(server, { fetch: (...asked) => (away ? unknown : fetch)(...asked) });
    await readStream(client);
    away = true;
    assert.equal((await readStream(client)).error?.details.kind, 'offline');
  });

  it('does not retry an address that is none', async () => {
    server = await startMessagesApi([]);
    const begins = 'It begins with http:// or https://.';
    for (const [url, sentence] of [
      ['not an address', `"not an address" is not an address of a model API. ${begins}`],
      ['localhost:11434', `"localhost:11434" is not an address of a model API. ${begins}`],
      ['me:secret@host.test', `"host.test" is not an address of a model API. ${begins}`],
      ['http://', '"http:" is not an address of a model API. It begins with http:// or https://.'],
      ['http://a b', '"http://a b" is not an address of a model API. Check it for typos.'],
      ['http://127.0.0.1:9', 'The port of 127.0.0.1:9 is blocked for web requests. Check the base URL.'],
    ] as const) {
      const { error } = await readStream(clientFor({ url }));
      assert.deepEqual([error?.message, error?.details.kind, error?.retryable], [sentence, 'network', false]);
    }
    const cloud = await createProviderClient({
      provider: 'foundry',
      variables: { ANTHROPIC_FOUNDRY_BASE_URL: 'typo.test/anthropic', ANTHROPIC_FOUNDRY_API_KEY: 'k' },
    });
    assert.equal(
      (await readStream(cloud)).error?.message,
      `"typo.test/anthropic" is not an address of a model API. ${begins}`,
    );
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
    assert.match(
      failures[0]?.error?.message ?? '',
      /key \[redacted\] is wrong, \[redacted\] too\. Set another API key\.$/,
    );
    assert.deepEqual(
      failures.slice(3).map(({ error }) => error?.details.kind),
      ['authentication', 'authentication'],
    );
  });

  it('keeps what a server says short and plain: megabytes, escape sequences, a key at the cut', async () => {
    server = await startMessagesApi([
      httpError(500, 'api_error', `${'e'.repeat(990)}${testKey}${'f'.repeat(2_000_000)}`),
      httpError(400, 'invalid_request_error', '\u001b[31mnot\u0007 this\u001b]0;title\u0007 one'),
    ]);
    const { error: long } = await readStream(clientFor(server));
    assert.ok((long?.message.length ?? 0) < 1500 && inspect(long).length < 30_000, String(long?.message.length));
    assert.doesNotMatch(inspect(long), /sk-ant-t/);
    const { error: coloured } = await readStream(clientFor(server));
    assert.match(coloured?.message ?? '', /refused the request: not this one\. Change/);
  });

  it('redacts longer secrets before their beginnings, and leaves short words alone', () => {
    assert.equal(
      redactor(['secret', 'secret-longer', 'ab', undefined])('secret-longer secret ab'),
      '[redacted] [redacted] ab',
    );
  });
});
