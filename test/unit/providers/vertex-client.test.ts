// The Vertex AI client on the vendor's real SDK and Google's own library: the key file's signed request for a token, path, failures.
import assert from 'node:assert/strict';
import { generateKeyPairSync, verify } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import path from 'node:path';
import { type ModelClient } from '../../../src/core/ports/model';
import { createProviderClient, type ProviderOptions } from '../../../src/providers/provider-client';
import { temporaryFolder } from '../../rig/cleanup';
import { type CloudFront, startCloudFront } from '../../support/clouds/cloud-front';
import { withExternalEnvironment } from '../../support/clouds/external-environment';
import { dropAfter, reply, stall, text, thinking, toolUse } from '../../support/messages-api/script';
import { startMessagesApi, type MessagesApi, type Script } from '../../support/messages-api/server';
import { readStream, request } from './client-under-test';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const account = 'tester@project-of-the-file.iam.gserviceaccount.com';

describe('Vertex AI client', () => {
  withExternalEnvironment();
  let api: MessagesApi;
  let front: CloudFront;
  let tokens: { server: Server; url: string; asked: string[]; refuse?: { status: number; body: unknown } };
  beforeEach(async () => {
    tokens = await startTokenServer();
  });
  afterEach(async () => {
    await front.close();
    await api.close();
    tokens.server.closeAllConnections();
    await new Promise((resolve) => tokens.server.close(resolve));
    assert.deepEqual(api.violations, []);
  });
  const open = async (
    script: Script,
    place = 'projects/p-1/locations/europe-west1',
    model = 'claude-opus-5',
  ): Promise<void> => {
    api = await startMessagesApi(script);
    front = await startCloudFront(api, {
      check: ({ headers }) =>
        headers.authorization === `Bearer ya29.token-${tokens.asked.length}`
          ? undefined
          : `authorization ${headers.authorization ?? 'none'}`,
      modelOf: ({ url }) => {
        const [, found, method] =
          /^\/v1\/(projects\/[^/]+\/locations\/[^/]+)\/publishers\/anthropic\/models\/(.+)$/.exec(url) ?? [];
        return found === place && (method === `${model}:streamRawPredict` || method === 'count-tokens:rawPredict')
          ? model
          : undefined;
      },
    });
  };
  const keyFile = async (changes: object = {}): Promise<string> => {
    const file = path.join(temporaryFolder('google'), 'key.json');
    const content = {
      type: 'service_account',
      project_id: 'project-of-the-file',
      private_key_id: 'k1',
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
      client_email: account,
      ...changes,
    };
    await writeFile(file, JSON.stringify(content));
    return file;
  };
  /** Google's library asks this one address for tokens, whatever the key file says: its requests go to the test's own server. */
  const routed: typeof fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    return fetch(url.host === 'oauth2.googleapis.com' ? `${tokens.url}${url.pathname}` : input, init);
  };
  const client = async (
    variables: Record<string, string | undefined> = {},
    more: Partial<ProviderOptions> = {},
  ): Promise<ModelClient> =>
    createProviderClient({
      provider: 'vertex',
      fetch: routed,
      variables: {
        HOME: '/nonexistent',
        CLOUD_ML_REGION: 'europe-west1',
        ANTHROPIC_VERTEX_PROJECT_ID: 'p-1',
        ANTHROPIC_VERTEX_BASE_URL: `${front.url}/v1`,
        ...variables,
      },
      ...more,
    });

  it('asks for a token with the signature of the key file, and sends the model in the path', async () => {
    const content = [thinking('Hm.', 'c2ln'), text('Grüße 🎉'), toolUse('Read', { file_path: 'a' })] as const;
    await open([reply(...content), reply('again')]);
    const vertex = await client({ GOOGLE_APPLICATION_CREDENTIALS: await keyFile() });
    const { events, error } = await readStream(vertex, undefined, { ...request, betas: ['one-2026-01-01'] });
    assert.deepEqual([error, front.refused], [undefined, []]);
    assert.equal(events.at(-1)?.type, 'message_stop');
    const [seen] = front.seen;
    assert.equal('model' in (seen?.body ?? {}), false);
    assert.equal(typeof seen?.body['anthropic_version'], 'string');
    assert.equal(seen?.headers['anthropic-version'], undefined);
    assert.equal(seen?.headers['anthropic-beta'], 'one-2026-01-01');
    assert.equal(JSON.stringify(seen).includes('external'), false);
    assert.deepEqual(tokens.asked, [account]);
    // The token is used until it ends.
    assert.equal((await readStream(vertex)).error, undefined);
    assert.equal(tokens.asked.length, 1);
    assert.deepEqual(vertex.secrets?.(), ['ya29.token-1']);
  });

  it('takes the sign-in of gcloud, the project of the file, and a model with its date', async () => {
    await open([reply('ok')], 'projects/project-of-the-file/locations/global', 'claude-haiku-4-5@20251001');
    const home = temporaryFolder('gcloud');
    await mkdir(path.join(home, 'gcloud'));
    const content = {
      type: 'service_account',
      project_id: 'project-of-the-file',
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
      client_email: account,
    };
    await writeFile(path.join(home, 'gcloud', 'application_default_credentials.json'), JSON.stringify(content));
    const vertex = await client({
      CLOUDSDK_CONFIG: path.join(home, 'gcloud'),
      ANTHROPIC_VERTEX_PROJECT_ID: undefined,
      CLOUD_ML_REGION: 'global',
    });
    const { error } = await readStream(vertex, undefined, { ...request, model: 'claude-haiku-4-5-20251001' });
    assert.deepEqual([error, front.refused], [undefined, []]);
  });

  it('counts tokens, and lists the models that Vertex AI is known to have', async () => {
    await open([]);
    const vertex = await client({ GOOGLE_APPLICATION_CREDENTIALS: await keyFile() });
    assert.ok((await vertex.countTokens(request, new AbortController().signal)) > 0);
    assert.equal(front.seen[0]?.body['model'], 'claude-opus-5');
    assert.ok((await vertex.listModels(new AbortController().signal)).some(({ id }) => id === 'claude-sonnet-5'));
    assert.deepEqual(front.refused, []);
  });

  it('says what to do where nobody is signed in, and finds the sign-in at the next request', async () => {
    await open([reply('ok')]);
    const home = temporaryFolder('gcloud');
    const vertex = await client({ CLOUDSDK_CONFIG: home });
    const { error } = await readStream(vertex);
    assert.equal(
      error?.message,
      'There are no Google credentials. Run "gcloud auth application-default login", then send the message again, or set GOOGLE_APPLICATION_CREDENTIALS to a key file.',
    );
    assert.equal(error.details.kind, 'authentication');
    const content = {
      type: 'service_account',
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
      client_email: account,
    };
    await writeFile(path.join(home, 'application_default_credentials.json'), JSON.stringify(content));
    assert.equal((await readStream(vertex)).error, undefined);
  });

  it('tells of an ended sign-in, of a file that is not there, and of a missing region', async () => {
    await open([]);
    tokens.refuse = {
      status: 400,
      body: { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' },
    };
    const ended = await readStream(await client({ GOOGLE_APPLICATION_CREDENTIALS: await keyFile() }));
    assert.match(
      ended.error?.message ?? '',
      /^The Google sign-in has ended\. Run "gcloud auth application-default login"/,
    );
    const gone = await readStream(await client({ GOOGLE_APPLICATION_CREDENTIALS: '/nonexistent/key.json' }));
    assert.equal(
      gone.error?.message,
      'GOOGLE_APPLICATION_CREDENTIALS names a file that does not exist: /nonexistent/key.json. Correct it, or remove it and run "gcloud auth application-default login".',
    );
    const nowhere = await readStream(await client({ CLOUD_ML_REGION: undefined }));
    assert.match(nowhere.error?.message ?? '', /^Vertex AI needs a region\. Set CLOUD_ML_REGION/);
    assert.equal(front.seen.length, 0);
  });

  it('signs in with gcpAuthRefresh where Google refuses, once, and sends the request again', async () => {
    await open([reply('ok')]);
    const runs: string[] = [];
    const commands = {
      gcpAuthRefresh: 'sign-in',
      run: async (command: string) => (runs.push(command), { output: '' }),
    };
    const vertex = await client({ GOOGLE_APPLICATION_CREDENTIALS: await keyFile() }, { commands });
    front.answerNext({
      status: 401,
      body: {
        error: { code: 401, message: 'Request had invalid authentication credentials.', status: 'UNAUTHENTICATED' },
      },
    });
    assert.equal((await readStream(vertex)).error, undefined);
    assert.deepEqual([runs, tokens.asked.length, front.seen.length], [['sign-in'], 2, 2]);
  });

  it('sends nothing of its own where a gateway signs', async () => {
    await open([]);
    front.answerNext({ status: 200, body: {} });
    await readStream(await client({ CLAUDE_CODE_SKIP_VERTEX_AUTH: '1' }));
    assert.equal(front.seen[0]?.headers.authorization, undefined);
    assert.deepEqual(tokens.asked, []);
  });

  describe('failures', () => {
    const cases: [name: string, status: number, body: unknown, kind: string, retryable: boolean, sentence: RegExp][] = [
      [
        'a project without the API',
        403,
        [
          {
            error: {
              code: 403,
              message: 'Vertex AI API has not been used in project p-1 before or it is disabled.',
              status: 'PERMISSION_DENIED',
            },
          },
        ],
        'permission',
        false,
        /is not switched on for p-1/,
      ],
      [
        'a missing role',
        403,
        {
          error: {
            code: 403,
            message: "Permission 'aiplatform.endpoints.predict' denied",
            status: 'PERMISSION_DENIED',
          },
        },
        'permission',
        false,
        /roles\/aiplatform\.user/,
      ],
      [
        'a wrong region',
        404,
        { error: { code: 404, message: 'Publisher Model was not found', status: 'NOT_FOUND' } },
        'not_found',
        false,
        /for p-1 in europe-west1\. Enable it in the Model Garden/,
      ],
      [
        'a quota without a time',
        429,
        { error: { code: 429, message: 'Quota exceeded', status: 'RESOURCE_EXHAUSTED' } },
        'rate_limit',
        true,
        /quota of the project/,
      ],
      [
        'too long a conversation',
        400,
        {
          type: 'error',
          error: { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' },
        },
        'too_large',
        false,
        /too large/,
      ],
      [
        'a refused request',
        400,
        { type: 'error', error: { type: 'invalid_request_error', message: 'max_tokens: wrong' } },
        'invalid_request',
        false,
        /max_tokens: wrong/,
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
      it(`tell of ${name}`, async () => {
        await open([]);
        front.answerNext({ status, body });
        const { error } = await readStream(await client({ GOOGLE_APPLICATION_CREDENTIALS: await keyFile() }));
        assert.deepEqual([error?.details.kind, error?.retryable], [kind, retryable]);
        assert.match(error?.message ?? '', sentence);
        assert.equal(error?.message.includes('ya29'), false);
      });
    }

    it('of the connection are a dropped reply, and do not hide an abort', async () => {
      await open([
        dropAfter(reply('a text that is cut somewhere'), { events: 3 }),
        stall(reply('begun'), 3, 'forever'),
      ]);
      const vertex = await client({ GOOGLE_APPLICATION_CREDENTIALS: await keyFile() });
      assert.equal((await readStream(vertex)).error?.details.kind, 'dropped');
      const controller = new AbortController();
      await assert.rejects(
        async () => {
          for await (const event of vertex.stream(request, controller.signal))
            if (event.type === 'content_block_start') controller.abort();
        },
        { name: 'AbortError' },
      );
    });
  });
});

/** Google's token endpoint: it gives a token to who signs with the test's key. */
async function startTokenServer(): Promise<{
  server: Server;
  url: string;
  asked: string[];
  refuse?: { status: number; body: unknown };
}> {
  const started: { server: Server; url: string; asked: string[]; refuse?: { status: number; body: unknown } } = {
    server: createServer(),
    url: '',
    asked: [],
  };
  started.server.on('request', (incoming, response) => {
    let text = '';
    incoming.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    incoming.on('end', () => {
      const send = (status: number, body: unknown): void => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(body));
      };
      if (started.refuse !== undefined) return send(started.refuse.status, started.refuse.body);
      const assertion =
        new URLSearchParams(text).get('assertion') ??
        (JSON.parse(text.startsWith('{') ? text : '{}') as { assertion?: string }).assertion ??
        '';
      const [head = '', claims = '', signature = ''] = assertion.split('.');
      const right = verify(
        'RSA-SHA256',
        Buffer.from(`${head}.${claims}`),
        publicKey,
        Buffer.from(signature, 'base64url'),
      );
      const { iss, scope, aud } = JSON.parse(Buffer.from(claims, 'base64url').toString() || '{}') as Record<
        string,
        string
      >;
      if (!right || scope !== 'https://www.googleapis.com/auth/cloud-platform' || aud === undefined)
        return send(401, { error: 'invalid_client' });
      started.asked.push(iss ?? '');
      send(200, { access_token: `ya29.token-${started.asked.length}`, expires_in: 3600, token_type: 'Bearer' });
    });
  });
  await new Promise<void>((resolve) => started.server.listen(0, '127.0.0.1', resolve));
  started.url = `http://127.0.0.1:${(started.server.address() as AddressInfo).port}`;
  return started;
}
