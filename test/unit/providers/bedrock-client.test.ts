// The Bedrock client on the vendor's real SDK: signature, path, AWS's framing at any cut, credentials from where users keep them, failures.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type ModelClient } from '../../../src/core/ports/model';
import { type ModelRequest } from '../../../src/core/wire/wire';
import { createProviderClient, type ProviderOptions } from '../../../src/providers/provider-client';
import { type CloudAnswer, type CloudFront, type SeenRequest, startCloudFront } from '../../support/clouds/cloud-front';
import { withExternalEnvironment } from '../../support/clouds/external-environment';
import { type AwsKey, wrongSignature } from '../../support/clouds/sigv4';
import { dropAfter, errorEvent, reply, stall, text, thinking, toolUse } from '../../support/messages-api/script';
import { startMessagesApi, type MessagesApi, type Script } from '../../support/messages-api/server';
import { temporaryFolder } from '../../rig/cleanup';
import { readStream, request } from './client-under-test';

const key: AwsKey = { id: 'AKIATEST', secret: 'secret/of+the=test', session: 'session-token-of-the-test' };
const keys = { AWS_ACCESS_KEY_ID: key.id, AWS_SECRET_ACCESS_KEY: key.secret, AWS_SESSION_TOKEN: key.session };
const opus = 'eu.anthropic.claude-opus-5';

describe('Bedrock client', () => {
  withExternalEnvironment();
  let api: MessagesApi;
  let front: CloudFront;
  const open = async (
    script: Script,
    options: { model?: string; awsChunk?: number; check?: (seen: SeenRequest) => string | undefined } = {},
  ): Promise<void> => {
    api = await startMessagesApi(script);
    front = await startCloudFront(api, {
      awsChunk: options.awsChunk ?? 1_000_000,
      check: options.check ?? ((seen) => wrongSignature({ ...seen, body: seen.text }, key, 'eu-central-1', 'bedrock')),
      modelOf: ({ url }) => {
        const model = decodeURIComponent(/^\/model\/([^/]+)\/invoke-with-response-stream$/.exec(url)?.[1] ?? '');
        return model === (options.model ?? opus) ? model : undefined;
      },
    });
  };
  const client = (
    variables: Record<string, string | undefined> = keys,
    more: Partial<ProviderOptions> = {},
  ): Promise<ModelClient> =>
    createProviderClient({
      provider: 'bedrock',
      variables: {
        HOME: '/nonexistent',
        AWS_REGION: 'eu-central-1',
        ANTHROPIC_BEDROCK_BASE_URL: front.url,
        AWS_EC2_METADATA_DISABLED: 'true',
        ...variables,
      },
      ...more,
    });
  afterEach(async () => {
    await front.close();
    await api.close();
    assert.deepEqual(api.violations, []);
  });
  const refusedBy = async (answer: CloudAnswer, variables?: Record<string, string | undefined>) => {
    await open([]);
    front.answerNext(answer);
    const { error } = await readStream(await client(variables));
    assert.deepEqual(front.refused, []);
    return {
      message: error?.message ?? '',
      kind: error?.details.kind,
      retryable: error?.retryable,
      details: error?.details,
    };
  };

  it('signs the request, names the model in the path, and puts version and betas into the body', async () => {
    await open([reply('Hello from Frankfurt.')]);
    const sent: ModelRequest = { ...request, betas: ['one-2026-01-01'], metadata: { user_id: 'u' } };
    const { events, error } = await readStream(await client(), undefined, sent);
    assert.equal(error, undefined);
    assert.equal(events.at(-1)?.type, 'message_stop');
    assert.deepEqual(front.refused, []);
    const [seen] = front.seen;
    assert.equal(seen?.body['anthropic_version'], 'bedrock-2023-05-31');
    assert.deepEqual(seen.body['anthropic_beta'], ['one-2026-01-01']);
    assert.equal('model' in seen.body || 'stream' in seen.body || 'metadata' in seen.body, false);
    assert.deepEqual(seen.body['messages'], request.messages);
    assert.equal(JSON.stringify([seen.headers, seen.body]).toLowerCase().includes('external'), false);
  });

  it('signs with the key that it was given: another one is refused', async () => {
    await open([]);
    const { error } = await readStream(await client({ ...keys, AWS_SECRET_ACCESS_KEY: 'another-secret' }));
    assert.match(front.refused.join(), /^signature /);
    assert.equal(error?.details.kind, 'permission');
    assert.equal(error.message.includes('another-secret'), false);
  });

  for (const awsChunk of [1, 7, 64]) {
    it(`reads AWS's framing in pieces of ${awsChunk} bytes`, async () => {
      const content = [
        thinking('Let me see.', 'c2lnbmF0dXJl'),
        text('Grüße, 世界 🎉'),
        toolUse('Read', { file_path: 'a' }),
      ] as const;
      await open((_, index) => reply(...(index < 2 ? content : [])), { awsChunk });
      const whole = await readStream(await client());
      assert.equal(whole.error, undefined);
      const plain = await readStream(
        await createProviderClient({ provider: 'anthropic', apiKey: 'k', baseUrl: api.url, variables: {} }),
      );
      const shapes = (events: readonly object[]): unknown =>
        JSON.parse(JSON.stringify(events).replace(/(msg|toolu)_\d+/g, '$1'));
      assert.deepEqual(shapes(whole.events), shapes(plain.events));
    });
  }

  it('names models as the region has them, and leaves ARNs, profiles and overrides as they are', async () => {
    const arn = 'arn:aws:bedrock:eu-central-1:123456789012:application-inference-profile/abc123';
    for (const [model, there] of [
      ['claude-haiku-4-5-20251001', 'eu.anthropic.claude-haiku-4-5-20251001-v1:0'],
      [arn, arn],
      ['us.anthropic.claude-opus-4-6-v1', 'us.anthropic.claude-opus-4-6-v1'],
      ['claude-sonnet-5', 'my.own-profile'],
    ] as const) {
      await open([reply('ok')], { model: there });
      const { error } = await readStream(
        await client(keys, { modelOverrides: { 'claude-sonnet-5': 'my.own-profile' } }),
        undefined,
        { ...request, model },
      );
      assert.deepEqual([error, front.refused], [undefined, []]);
      if (model === 'claude-sonnet-5') return;
      await front.close();
      await api.close();
    }
  });

  it('sends a bearer token in place of a signature, and nothing where a gateway signs', async () => {
    await open([reply('ok'), reply('ok')], {
      check: ({ headers }) => (headers['x-amz-date'] === undefined ? undefined : 'signed'),
    });
    assert.equal(
      (await readStream(await client({ ...keys, AWS_BEARER_TOKEN_BEDROCK: 'bearer-of-the-test' }))).error,
      undefined,
    );
    assert.equal((await readStream(await client({ CLAUDE_CODE_SKIP_BEDROCK_AUTH: '1' }))).error, undefined);
    assert.deepEqual(
      front.seen.map(({ headers }) => headers.authorization),
      ['Bearer bearer-of-the-test', undefined],
    );
    assert.equal(front.seen[0]?.headers['x-api-key'], undefined);
  });

  it('lists the models that Bedrock is known to have, and counts no tokens', async () => {
    await open([]);
    const bedrock = await client();
    const models = await bedrock.listModels(new AbortController().signal);
    assert.ok(models.some(({ id }) => id === 'claude-opus-5'));
    await assert.rejects(bedrock.countTokens(request, new AbortController().signal), /does not count tokens/);
    assert.equal(front.seen.length, 0);
  });

  describe('credentials', () => {
    const awsFolder = async (config: string, credentials = ''): Promise<string> => {
      const home = temporaryFolder('aws');
      await mkdir(path.join(home, '.aws'), { recursive: true });
      await writeFile(path.join(home, '.aws', 'config'), config);
      await writeFile(path.join(home, '.aws', 'credentials'), credentials);
      return home;
    };
    const stored = `aws_access_key_id = ${key.id}\naws_secret_access_key = ${key.secret}\naws_session_token = ${key.session ?? ''}\n`;

    it('come from the profile that a variable of settings names, with its region', async () => {
      await open([reply('ok')]);
      const home = await awsFolder(
        '[default]\nregion = us-west-2\n[profile work]\nregion = eu-central-1\n',
        `[work]\n${stored}`,
      );
      const { error } = await readStream(await client({ HOME: home, AWS_PROFILE: 'work', AWS_REGION: undefined }));
      assert.deepEqual([error, front.refused], [undefined, []]);
    });

    it('come from a command of the profile', async () => {
      await open([reply('ok')]);
      const printed = JSON.stringify({
        Version: 1,
        AccessKeyId: key.id,
        SecretAccessKey: key.secret,
        SessionToken: key.session,
      });
      const home = await awsFolder(`[profile tool]\ncredential_process = echo '${printed}'\n`);
      const { error } = await readStream(await client({ HOME: home, AWS_PROFILE: 'tool' }));
      assert.deepEqual([error, front.refused], [undefined, []]);
    });

    it('are given up with their request, and have a time of their own', async () => {
      await open([reply('ok')]);
      const controller = new AbortController();
      const never = () => new Promise<never>(() => controller.abort());
      assert.equal(
        (
          await readStream(
            await client({}, { commands: { awsCredentialExport: 'slow', run: never } }),
            controller.signal,
          )
        ).error?.name,
        'AbortError',
      );
      const late = await client(
        {},
        {
          commands: { awsCredentialExport: 'slow', run: never },
          startTimer: (_, callback) => (callback(), () => undefined),
        },
      );
      assert.equal(
        (await readStream(late)).error?.message,
        'AWS gave no credentials within 180 seconds. Sign in, then send the message again.',
      );
    });

    it('say of a command of the profile that it failed, and neither its line nor what it wrote', async () => {
      await open([]);
      const failing = 'credential_process = sh -c "echo word-of-the-command >&2; exit 3" --token=word-of-the-line\n';
      const home = await awsFolder(`[default]\n${failing}[profile tool]\n${failing}`);
      for (const profile of ['tool', undefined]) {
        const { error } = await readStream(await client({ HOME: home, AWS_PROFILE: profile }));
        assert.equal(
          error?.message,
          `The command of the AWS profile "${profile ?? 'default'}" (credential_process) failed. Run it in a terminal to see why.`,
        );
        assert.equal(error.details.kind, 'authentication');
      }
    });

    it('say "aws sso login" where an SSO session has ended', async () => {
      await open([]);
      const home = await awsFolder(
        '[profile sso]\nsso_start_url = https://127.0.0.1:9/start\nsso_region = eu-central-1\nsso_account_id = 123456789012\nsso_role_name = Dev\n',
      );
      const { error } = await readStream(await client({ HOME: home, AWS_PROFILE: 'sso' }));
      assert.equal(
        error?.message,
        'The AWS sign-in has ended. Run "aws sso login --profile sso", then send the message again.',
      );
      assert.equal(error.details.kind, 'authentication');
    });

    it('say what to do where there are none, or no region', async () => {
      await open([]);
      const runs: string[] = [];
      const commands = {
        awsAuthRefresh: 'sign-in',
        run: async (command: string) => (runs.push(command), { output: '' }),
      };
      await readStream(await client({}, { commands }));
      assert.deepEqual(runs, ['sign-in']);
      assert.match(
        (await readStream(await client({}))).error?.message ?? '',
        /^There are no AWS credentials\. Run "aws configure sso"/,
      );
      assert.match(
        (await readStream(await client({ ...keys, AWS_REGION: undefined }))).error?.message ?? '',
        /^Bedrock needs a region\. Set AWS_REGION/,
      );
      assert.equal(front.seen.length, 0);
    });

    it('of awsCredentialExport are asked for once, and once more where AWS refuses them', async () => {
      await open([reply('one'), reply('two'), reply('three')]);
      const runs: string[] = [];
      const printed = JSON.stringify({
        Credentials: {
          AccessKeyId: key.id,
          SecretAccessKey: key.secret,
          SessionToken: key.session,
          Expiration: new Date(Date.now() + 3_600_000).toISOString(),
        },
      });
      const commands = {
        awsCredentialExport: 'export-keys',
        run: async (command: string) => (runs.push(command), { output: printed }),
      };
      const bedrock = await client({}, { commands });
      assert.equal((await readStream(bedrock)).error, undefined);
      assert.equal((await readStream(bedrock)).error, undefined);
      assert.deepEqual(runs, ['export-keys']);
      front.answerNext({
        status: 403,
        headers: { 'x-amzn-errortype': 'ExpiredTokenException:http://x' },
        body: { message: 'The security token included in the request is expired' },
      });
      assert.equal((await readStream(bedrock)).error, undefined);
      assert.deepEqual(runs, ['export-keys', 'export-keys']);
      assert.deepEqual(bedrock.secrets?.(), [key.secret, key.session]);
      assert.deepEqual(front.refused, []);
    });

    it('are renewed by awsAuthRefresh, once', async () => {
      await open([]);
      const home = await awsFolder('', `[default]\n${stored}`);
      const runs: string[] = [];
      const commands = {
        awsAuthRefresh: 'sign-in',
        run: async (command: string) => (runs.push(command), { output: '' }),
      };
      const bedrock = await client({ HOME: home }, { commands });
      const expired: CloudAnswer = {
        status: 403,
        headers: { 'x-amzn-errortype': 'ExpiredTokenException' },
        body: { message: 'expired' },
      };
      front.answerNext(expired);
      front.answerNext(expired);
      assert.equal((await readStream(bedrock)).error?.details.kind, 'authentication');
      assert.deepEqual([runs, front.seen.length], [['sign-in'], 2]);
    });
  });

  describe('failures', () => {
    it('tell of an expired session with the command that renews it, and hold no secret', async () => {
      const { message, kind, retryable, details } = await refusedBy({
        status: 403,
        headers: { 'x-amzn-errortype': 'ExpiredTokenException:http://internal/', 'x-amzn-requestid': 'aws-1' },
        body: { message: `The security token ${key.session ?? ''} included in the request is expired` },
      });
      assert.match(message, /^The AWS credentials have expired\. Run "aws sso login" \(or renew/);
      assert.deepEqual([kind, retryable, details?.requestId], ['authentication', false, 'aws-1']);
      assert.equal(message.includes(key.session ?? '?'), false);
    });

    const cases: [
      name: string,
      type: string,
      status: number,
      said: string,
      kind: string,
      retryable: boolean,
      sentence: RegExp,
    ][] = [
      [
        'a model that is not enabled',
        'AccessDeniedException',
        403,
        "You don't have access to the model with the specified model ID.",
        'permission',
        false,
        /Ask for access to it in the Bedrock console/,
      ],
      [
        'a role that is missing',
        'AccessDeniedException',
        403,
        'User is not authorized to perform: bedrock:InvokeModelWithResponseStream',
        'permission',
        false,
        /bedrock:InvokeModelWithResponseStream for the model/,
      ],
      [
        'a wrong region',
        'ValidationException',
        400,
        'The provided model identifier is invalid.',
        'not_found',
        false,
        /no such model in eu-central-1\. Check AWS_REGION/,
      ],
      [
        'a model without its profile',
        'ValidationException',
        400,
        'Invocation of model ID x with on-demand throughput isn’t supported.',
        'not_found',
        false,
        /inference profile/,
      ],
      [
        'throttling without a time',
        'ThrottlingException',
        429,
        'Too many requests, please wait.',
        'rate_limit',
        true,
        /Wait a while/,
      ],
      [
        'a day that is used up',
        'ThrottlingException',
        429,
        'Too many tokens per day',
        'spend_limit',
        false,
        /daily token quota/,
      ],
      [
        'a key that is none',
        'UnrecognizedClientException',
        403,
        'The security token included in the request is invalid.',
        'authentication',
        false,
        /does not accept the credentials/,
      ],
      [
        'too long a conversation',
        'ValidationException',
        400,
        'Input is too long for requested model.',
        'too_large',
        false,
        /too large/,
      ],
      ['an overloaded model', 'ServiceUnavailableException', 503, 'busy', 'overloaded', true, /not ready/],
      ['a failure of its own', 'InternalServerException', 500, 'oops', 'server', true, /Bedrock failed/],
      ['529', '', 529, 'Overloaded', 'overloaded', true, /overloaded/],
    ];
    for (const [name, type, status, said, expected, retry, sentence] of cases) {
      it(`tell of ${name}`, async () => {
        const { message, kind, retryable } = await refusedBy({
          status,
          headers: type === '' ? {} : { 'x-amzn-errortype': type },
          body: { message: said },
        });
        assert.deepEqual([kind, retryable], [expected, retry]);
        assert.match(message, sentence);
      });
    }

    it('in the middle of a stream keep what came, and tell of throttling', async () => {
      await open([errorEvent(reply('half of it'), 3, 'throttlingException', 'Slow down.')]);
      const { events, error } = await readStream(await client());
      assert.ok(events.length >= 2);
      assert.deepEqual([error?.details.kind, error?.retryable], ['rate_limit', true]);
      assert.match(error?.message ?? '', /Slow down\./);
    });

    it('of the connection are a dropped reply', async () => {
      await open([dropAfter(reply('a long text that is cut somewhere'), { events: 3 })], { awsChunk: 11 });
      const { events, error } = await readStream(await client());
      assert.ok(events.length >= 1);
      assert.deepEqual([error?.details.kind, error?.retryable], ['dropped', true]);
    });

    it('do not hide an abort', async () => {
      await open([stall(reply('begun'), 3, 'forever')]);
      const controller = new AbortController();
      const stream = (await client()).stream(request, controller.signal);
      await assert.rejects(
        async () => {
          for await (const event of stream) if (event.type === 'content_block_start') controller.abort();
        },
        { name: 'AbortError' },
      );
    });
  });
});
