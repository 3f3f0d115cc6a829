// The Foundry client on the vendor's real SDK: key or token, address, deployments, failures.
import assert from 'node:assert/strict';
import { type ModelClient } from '../../../src/core/ports/model';
import { createProviderClient, type ProviderOptions } from '../../../src/providers/provider-client';
import { type CloudFront, startCloudFront } from '../../support/clouds/cloud-front';
import { withExternalEnvironment } from '../../support/clouds/external-environment';
import { dropAfter, errorEvent, reply, stall, text, thinking, toolUse } from '../../support/messages-api/script';
import { startMessagesApi, type MessagesApi, type Script } from '../../support/messages-api/server';
import { readStream, request } from './client-under-test';

const apiKey = 'foundry-key-of-the-test';

describe('Foundry client', () => {
  withExternalEnvironment();
  let api: MessagesApi;
  let front: CloudFront;
  afterEach(async () => {
    await front.close();
    await api.close();
    assert.deepEqual(api.violations, []);
  });
  const open = async (
    script: Script,
    expected: Record<string, string | undefined> = { 'x-api-key': apiKey, authorization: undefined },
  ): Promise<void> => {
    api = await startMessagesApi(script);
    front = await startCloudFront(api, {
      check: ({ headers }) => Object.entries(expected).find(([name, value]) => headers[name] !== value)?.[0],
      modelOf: ({ url, body }) =>
        /^\/anthropic\/v1\/messages(\/count_tokens)?$/.test(url) ? String(body['model']) : undefined,
    });
  };
  const client = (
    variables: Record<string, string | undefined> = { ANTHROPIC_FOUNDRY_API_KEY: apiKey },
    more: Partial<ProviderOptions> = {},
  ): Promise<ModelClient> =>
    createProviderClient({
      provider: 'foundry',
      variables: { ANTHROPIC_FOUNDRY_BASE_URL: `${front.url}/anthropic/`, ...variables },
      ...more,
    });

  it('sends key, deployment and betas as the Messages API has them', async () => {
    await open([reply(thinking('Hm.', 'c2ln'), text('Grüße 🎉'), toolUse('Read', { file_path: 'a' })), reply('ok')]);
    const foundry = await client();
    const { events, error } = await readStream(foundry, undefined, {
      ...request,
      model: 'claude-haiku-4-5-20251001',
      betas: ['one-2026-01-01'],
    });
    assert.deepEqual([error, front.refused, events.at(-1)?.type], [undefined, [], 'message_stop']);
    const [seen] = front.seen;
    assert.equal(seen?.body['model'], 'claude-haiku-4-5');
    assert.equal(seen.headers['anthropic-beta'], 'one-2026-01-01');
    assert.equal(JSON.stringify(seen).includes('external'), false);
    await readStream(foundry, undefined, { ...request, model: 'my-own-deployment' });
    assert.equal(front.seen[1]?.body['model'], 'my-own-deployment');
    assert.ok((await foundry.countTokens(request, new AbortController().signal)) > 0);
    assert.ok((await foundry.listModels(new AbortController().signal)).length > 3);
  });

  it('keeps headers for another host to itself, in each cloud, and sends the other ones', async () => {
    const sent: Headers[] = [];
    const nowhere: typeof fetch = async (_, init) => {
      sent.push(new Headers(init?.headers));
      return new Response('{}', { status: 500 });
    };
    await open([]);
    const headers = {
      'X-Api-Key': 'key-of-the-vendor',
      authorization: 'Bearer token-of-the-vendor',
      Cookie: 'session=of-the-gateway',
      'x-team': 'editors',
    };
    const variables = {
      HOME: '/nonexistent',
      ANTHROPIC_FOUNDRY_API_KEY: apiKey,
      ANTHROPIC_FOUNDRY_RESOURCE: 'r',
      AWS_REGION: 'eu-central-1',
      AWS_BEARER_TOKEN_BEDROCK: 'bedrock-token',
      CLOUD_ML_REGION: 'us-east5',
      ANTHROPIC_VERTEX_PROJECT_ID: 'p',
      CLAUDE_CODE_SKIP_VERTEX_AUTH: '1',
    };
    for (const provider of ['bedrock', 'vertex', 'foundry'] as const)
      await readStream(await createProviderClient({ provider, variables, headers, fetch: nowhere }));
    assert.deepEqual(
      sent.map((one) => one.get('x-team')),
      ['editors', 'editors', 'editors'],
    );
    assert.deepEqual(
      sent.map((one) => [one.get('x-api-key'), one.get('authorization'), one.get('cookie')]),
      [
        [null, 'Bearer bedrock-token', null],
        [null, null, null],
        [apiKey, null, null],
      ],
    );
  });

  it("goes to the resource's own address", async () => {
    await open([]);
    const asked: string[] = [];
    const nowhere: typeof fetch = async (input) => {
      asked.push(new URL(input instanceof Request ? input.url : input).href);
      return new Response('{}', { status: 500 });
    };
    await readStream(
      await createProviderClient({
        provider: 'foundry',
        variables: { ANTHROPIC_FOUNDRY_RESOURCE: 'contoso', ANTHROPIC_FOUNDRY_API_KEY: apiKey },
        fetch: nowhere,
      }),
    );
    assert.deepEqual(asked, ['https://contoso.services.ai.azure.com/anthropic/v1/messages']);
    assert.match(
      (await readStream(await createProviderClient({ provider: 'foundry', variables: {} }))).error?.message ?? '',
      /^Foundry needs an address\. Set ANTHROPIC_FOUNDRY_RESOURCE/,
    );
  });

  it('asks the host for a token of the Microsoft account at each request', async () => {
    await open([reply('ok')], { authorization: 'Bearer entra-token-1', 'x-api-key': undefined });
    const scopes: string[] = [];
    const foundry = await client({}, { azureADTokenProvider: async (scope) => `entra-token-${scopes.push(scope)}` });
    assert.equal((await readStream(foundry)).error, undefined);
    await readStream(foundry);
    assert.deepEqual(scopes, ['https://ai.azure.com/.default', 'https://ai.azure.com/.default']);
    assert.deepEqual(front.refused, ['authorization']);
    assert.deepEqual(foundry.secrets?.(), ['entra-token-1', 'entra-token-2']);
  });

  it('is given up with its request while a token is awaited, and gives the token a time', async () => {
    await open([]);
    const controller = new AbortController();
    const waits = await client({}, { azureADTokenProvider: () => new Promise<never>(() => controller.abort()) });
    assert.equal((await readStream(waits, controller.signal)).error?.name, 'AbortError');
    const counting = new AbortController();
    await assert.rejects(
      (await client({}, { azureADTokenProvider: () => new Promise<never>(() => counting.abort()) })).countTokens(
        request,
        counting.signal,
      ),
      { name: 'AbortError' },
    );
    const limits: number[] = [];
    const slow = await client(
      {},
      {
        azureADTokenProvider: () => new Promise<never>(() => undefined),
        startTimer: (ms, callback) => (limits.push(ms), callback(), () => undefined),
      },
    );
    assert.equal(
      (await readStream(slow)).error?.message,
      'The Microsoft account gave no credentials within 180 seconds. Sign in, then send the message again.',
    );
    assert.deepEqual([limits, front.seen.length], [[180_000], 0]);
  });

  it('takes the token of the Azure CLI, kept for a while and fetched anew when it is refused', async () => {
    await open([reply('ok'), reply('ok'), reply('ok')], { 'x-api-key': undefined });
    const runs: string[] = [];
    const commands = { run: async (command: string) => ({ output: `cli-token-${runs.push(command)}\n` }) };
    const foundry = await client({}, { commands });
    await readStream(foundry);
    await readStream(foundry);
    front.answerNext({ status: 401, body: { error: { code: '401', message: 'Unauthorized' } } });
    assert.equal((await readStream(foundry)).error, undefined);
    assert.deepEqual(
      front.seen.map(({ headers }) => headers.authorization?.slice(-1)),
      ['1', '1', '1', '2'],
    );
    assert.match(runs[0] ?? '', /^az account get-access-token --scope https:\/\/ai\.azure\.com\/\.default /);
  });

  it('says what to do without a key, a token or a sign-in', async () => {
    await open([]);
    const { error } = await readStream(await client({}));
    assert.equal(error?.message, 'Foundry needs a key or a sign-in. Set ANTHROPIC_FOUNDRY_API_KEY, or run "az login".');
    const failing = { run: async () => ({ problem: 'the command ended with exit code 1.' }) };
    assert.match(
      (await readStream(await client({}, { commands: failing }))).error?.message ?? '',
      /run "az login"\. The Azure CLI \(az\) gave no key: the command ended with exit code 1\./,
    );
    const refused = async (): Promise<string> => Promise.reject(new Error('The sign-in was given up'));
    assert.equal(
      (await readStream(await client({}, { azureADTokenProvider: refused }))).error?.message,
      'The Microsoft account gave no token: The sign-in was given up.',
    );
    assert.equal(front.seen.length, 0);
  });

  const cases: [name: string, status: number, body: unknown, kind: string, retryable: boolean, sentence: RegExp][] = [
    [
      'a wrong key',
      401,
      { error: { code: '401', message: `Access denied due to invalid subscription key ${apiKey}` } },
      'authentication',
      false,
      /Check ANTHROPIC_FOUNDRY_API_KEY/,
    ],
    [
      'a missing role',
      403,
      { error: { code: 'PermissionDenied', message: 'lacks the required data action' } },
      'permission',
      false,
      /Cognitive Services User/,
    ],
    [
      'no such deployment',
      404,
      { error: { code: 'DeploymentNotFound', message: 'The API deployment does not exist.' } },
      'not_found',
      false,
      /no deployment of that name/,
    ],
    [
      'a limit without a time',
      429,
      { error: { code: 'RateLimitReached', message: 'Rate limit' } },
      'rate_limit',
      true,
      /limit of the deployment/,
    ],
    [
      'too long a conversation',
      400,
      { type: 'error', error: { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens' } },
      'too_large',
      false,
      /too large/,
    ],
    [
      'an overloaded model',
      529,
      { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
      'overloaded',
      true,
      /overloaded/,
    ],
  ];
  for (const [name, status, body, kind, retryable, sentence] of cases) {
    it(`tells of ${name}`, async () => {
      await open([]);
      front.answerNext({ status, body });
      const { error } = await readStream(await client());
      assert.deepEqual([error?.details.kind, error?.retryable], [kind, retryable]);
      assert.match(error?.message ?? '', sentence);
      assert.equal(error?.message.includes(apiKey), false);
    });
  }

  it('tells of lost connections and of errors in mid-stream, and does not hide an abort', async () => {
    await open([
      dropAfter(reply('a text that is cut somewhere'), { events: 3 }),
      errorEvent(reply('begun'), 3, 'overloaded_error', 'Overloaded'),
      stall(reply('begun'), 3, 'forever'),
    ]);
    const foundry = await client();
    assert.equal((await readStream(foundry)).error?.details.kind, 'dropped');
    assert.equal((await readStream(foundry)).error?.details.kind, 'overloaded');
    const controller = new AbortController();
    await assert.rejects(
      async () => {
        for await (const event of foundry.stream(request, controller.signal))
          if (event.type === 'content_block_start') controller.abort();
      },
      { name: 'AbortError' },
    );
  });
});
