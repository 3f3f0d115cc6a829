// The built runner with Bedrock, Vertex AI and Foundry: tools there and back, a lost connection, what the init message says, and no secret in any output or command.
import { defined } from '../../../src/shared/defined';
import assert from 'node:assert/strict';
import { readFile, writeFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { type CloudFront, startCloudFront } from '../../support/clouds/cloud-front';
import { wrongSignature } from '../../support/clouds/sigv4';
import { type HeadlessPlace, jsonLines } from '../../support/headless-run';
import { withHeadlessPlace } from '../../support/headless-suite';
import { dropAfter, httpError, reply, toolUse } from '../../support/messages-api/script';
import { type MessagesApi } from '../../support/messages-api/server';

const secret = 'secret/of+the=test-of-headless';
const bearer = 'bearer-token-of-headless-test';
const foundryKey = 'foundry-key-of-headless-test';

/** Their schemas fit together; Grep alone has 14 optional parameters of the 24 that all may have. */
const strictTools = ['Read', 'Edit', 'Write', 'Glob', 'Bash', 'Agent', 'WebFetch'];

interface Cloud {
  /** With the address of the front. */
  env(url: string): Record<string, string>;
  check: Parameters<typeof startCloudFront>[1]['check'];
  path: RegExp;
  awsChunk?: number;
  keySource: string;
}

const clouds: Record<string, Cloud> = {
  Bedrock: {
    env: (url) => ({
      CLAUDE_CODE_USE_BEDROCK: '1',
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'AKIATEST',
      AWS_SECRET_ACCESS_KEY: secret,
      ANTHROPIC_BEDROCK_BASE_URL: url,
    }),
    check: (seen) => wrongSignature({ ...seen, body: seen.text }, { id: 'AKIATEST', secret }, 'us-east-1', 'bedrock'),
    path: /^\/model\/us\.anthropic\.claude-opus-5\/invoke-with-response-stream$/,
    awsChunk: 50,
    keySource: 'AWS_ACCESS_KEY_ID',
  },
  'Bedrock by token': {
    env: (url) => ({
      CLAUDE_CODE_USE_BEDROCK: '1',
      AWS_REGION: 'us-east-1',
      AWS_BEARER_TOKEN_BEDROCK: bearer,
      ANTHROPIC_BEDROCK_BASE_URL: url,
    }),
    check: ({ headers }) => (headers.authorization === `Bearer ${bearer}` ? undefined : 'bearer'),
    path: /^\/model\/us\.anthropic\.claude-opus-5\/invoke-with-response-stream$/,
    awsChunk: 5000,
    keySource: 'AWS_BEARER_TOKEN_BEDROCK',
  },
  Vertex: {
    env: (url) => ({
      CLAUDE_CODE_USE_VERTEX: '1',
      CLOUD_ML_REGION: 'us-east5',
      ANTHROPIC_VERTEX_PROJECT_ID: 'p-1',
      CLAUDE_CODE_SKIP_VERTEX_AUTH: '1',
      ANTHROPIC_VERTEX_BASE_URL: `${url}/v1`,
    }),
    check: () => undefined,
    path: /^\/v1\/projects\/p-1\/locations\/us-east5\/publishers\/anthropic\/models\/claude-opus-5:streamRawPredict$/,
    keySource: 'Google credentials',
  },
  Foundry: {
    env: (url) => ({
      CLAUDE_CODE_USE_FOUNDRY: 'true',
      ANTHROPIC_FOUNDRY_API_KEY: foundryKey,
      ANTHROPIC_FOUNDRY_BASE_URL: `${url}/anthropic`,
    }),
    check: ({ headers }) => (headers['x-api-key'] === foundryKey ? undefined : 'x-api-key'),
    path: /^\/anthropic\/v1\/messages$/,
    keySource: 'ANTHROPIC_FOUNDRY_API_KEY',
  },
};

describe('headless runs in a cloud', () => {
  let place: HeadlessPlace;
  let server: MessagesApi;
  let front: CloudFront;
  withHeadlessPlace((opened, api) => ([place, server] = [opened, api]));
  afterEach(() => front?.close());

  const open = async (cloud: Cloud): Promise<Record<string, string>> => {
    front = await startCloudFront(server, {
      check: cloud.check,
      modelOf: ({ url }) => (cloud.path.test(url) ? 'claude-opus-5' : undefined),
      ...defined({ awsChunk: cloud.awsChunk }),
    });
    return cloud.env(front.url);
  };
  const flags = ['--model', 'claude-opus-5', '--output-format', 'stream-json', '--verbose', '--allowedTools', 'Bash'];

  for (const [name, cloud] of Object.entries(clouds)) {
    it(`${name}: runs a tool, never twice where the reply breaks off behind it`, async () => {
      const env = await open(cloud);
      const call = toolUse('Bash', { command: 'echo ran >> ran.txt; env', description: 'Run' });
      server.setScript((_, index) =>
        index === 0 ? dropAfter(reply(call, 'This is cut off before its end.'), { events: 9 }) : reply('All done.'),
      );
      const { stdout, stderr, code } = await place.run(['-p', 'Run it', ...flags], { env });
      assert.equal(code, 0, stdout + stderr);
      assert.deepEqual(front.refused, []);
      const lines = jsonLines(stdout);
      assert.equal(lines[0]?.['apiKeySource'], cloud.keySource);
      assert.equal(lines.at(-1)?.['result'], 'All done.');
      assert.equal(await readFile(path.join(place.workspace, 'ran.txt'), 'utf8'), 'ran\n');
      assert.ok(front.seen.length >= 2);
      // General AWS variables are the user's own; what only reaches a model no command sees.
      for (const hidden of [bearer, foundryKey]) assert.equal((stdout + stderr).includes(hidden), false);
    });
  }

  for (const [name, cloud] of Object.entries(clouds))
    it(`${name}: is sent strict tools where the user wants them, with schemas that it takes`, async () => {
      const env = await open(cloud);
      server.setScript(() => reply('Done.'));
      const strict = async (more: Record<string, string>): Promise<string[]> => {
        const first = server.requests.length;
        const end = await place.run(['-p', 'Go', ...flags], { env: { ...env, ...more } });
        assert.equal(end.code, 0, end.stderr);
        const tools = server.requests[first]?.body['tools'] as { name: string; strict?: boolean }[];
        return tools.flatMap((tool) => (tool.strict === true ? [tool.name] : []));
      };
      assert.deepEqual(await strict({}), []);
      assert.deepEqual(await strict({ DEFT_STRICT_TOOLS: '1' }), strictTools);
    });

  it('a custom address is sent no strict tools, whatever the user wants', async () => {
    server.setScript([reply('Done.')]);
    const end = await place.run(['-p', 'Go', ...flags], { url: server.url, env: { DEFT_STRICT_TOOLS: '1' } });
    assert.equal(end.code, 0, end.stderr);
    assert.doesNotMatch(JSON.stringify(server.requests[0]?.body['tools']), /"strict"/);
    assert.match(
      JSON.stringify(server.requests[0]?.body['tools']),
      /"minLength"/,
      'bounds are sent where nothing is strict',
    );
  });

  for (const name of ['the API itself', 'Bedrock', 'Vertex']) {
    it(`go on where the model wrote half of a surrogate pair into a call: ${name}`, async () => {
      const cloud = clouds[name];
      const env =
        cloud === undefined ? { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'key' } : await open(cloud);
      server.setScript([
        reply(toolUse('Bash', { command: 'echo \ud83d', description: 'Half \ude00' })),
        reply('Went on.'),
      ]);
      const { stdout, stderr } = await place.run(['-p', 'Run it', ...flags], { env });
      assert.equal(jsonLines(stdout).at(-1)?.['result'], 'Went on.', stdout + stderr);
    });
  }

  it('retry what a cloud says passes: throttling without a time', async () => {
    const env = await open(clouds['Bedrock'] as Cloud);
    front.answerNext({
      status: 429,
      headers: { 'x-amzn-errortype': 'ThrottlingException' },
      body: { message: 'Too many requests' },
    });
    server.setScript([httpError(529, 'overloaded_error', 'Overloaded'), reply('Here.')]);
    const { stdout, stderr } = await place.run(['-p', 'Hello', ...flags], { env });
    assert.equal(jsonLines(stdout).at(-1)?.['result'], 'Here.', stdout + stderr);
    assert.equal(front.seen.length, 3);
  });

  it("take variables and commands of the user's settings", async () => {
    const cloud = clouds['Bedrock'] as Cloud;
    const { AWS_ACCESS_KEY_ID: _id, AWS_SECRET_ACCESS_KEY: _secret, ...variables } = await open(cloud);
    const printed = JSON.stringify({ Credentials: { AccessKeyId: 'AKIATEST', SecretAccessKey: secret } });
    await mkdir(path.join(place.home, '.claude'), { recursive: true });
    await writeFile(
      path.join(place.home, '.claude', 'settings.json'),
      JSON.stringify({ env: variables, awsCredentialExport: `echo '${printed}'` }),
    );
    server.setScript([reply('From settings.')]);
    const { stdout, stderr } = await place.run(['-p', 'Hello', ...flags]);
    assert.equal(jsonLines(stdout).at(-1)?.['result'], 'From settings.', stdout + stderr);
    assert.equal(jsonLines(stdout)[0]?.['apiKeySource'], 'awsCredentialExport');
    assert.deepEqual(front.refused, []);
  });

  it('show in no output and no transcript what a command of settings fetched', async () => {
    const {
      AWS_ACCESS_KEY_ID: _id,
      AWS_SECRET_ACCESS_KEY: _secret,
      ...variables
    } = await open(clouds['Bedrock'] as Cloud);
    await mkdir(path.join(place.home, '.claude'), { recursive: true });
    await writeFile(
      path.join(place.home, 'keys.json'),
      JSON.stringify({ Credentials: { AccessKeyId: 'AKIATEST', SecretAccessKey: secret } }),
    );
    await writeFile(
      path.join(place.home, '.claude', 'settings.json'),
      JSON.stringify({ env: variables, awsCredentialExport: 'cat keys.json' }),
    );
    server.setScript([
      reply(toolUse('Bash', { command: 'cat "$HOME/keys.json"', description: 'Look' })),
      reply('Seen.'),
    ]);
    const { stdout, stderr } = await place.run(['-p', 'Look', ...flags]);
    assert.equal(jsonLines(stdout).at(-1)?.['result'], 'Seen.', stdout + stderr);
    assert.match(stdout, /AKIATEST/);
    assert.equal((stdout + stderr + JSON.stringify(await place.transcript())).includes(secret), false);
    assert.equal(JSON.stringify(front.seen.map(({ body }) => body)).includes(secret), false);
  });

  it('take no command and no override of a project', async () => {
    await mkdir(path.join(place.workspace, '.claude'), { recursive: true });
    await writeFile(
      path.join(place.workspace, '.claude', 'settings.json'),
      JSON.stringify({ apiKeyHelper: 'touch helped; echo key', modelOverrides: { 'claude-opus-5': 'evil' } }),
    );
    server.setScript([reply('Hello.')]);
    const { code } = await place.run(['-p', 'Hello', '--trust-project', ...flags], { url: server.url });
    assert.equal(code, 0);
    assert.equal(server.requests[0]?.body?.['model'], 'claude-opus-5');
    await assert.rejects(readFile(path.join(place.workspace, 'helped')));
  });

  it('say in one sentence that Vertex AI has no credentials, and nothing of a library', async () => {
    const env = {
      CLAUDE_CODE_USE_VERTEX: '1',
      CLOUD_ML_REGION: 'us-east5',
      ANTHROPIC_VERTEX_PROJECT_ID: 'p-1',
      GCE_METADATA_HOST: '127.0.0.1:9',
    };
    const { code, stderr } = await place.run(['-p', 'Hello'], { env });
    assert.equal(code, 1);
    assert.match(stderr, /There are no Google credentials/);
    assert.doesNotMatch(stderr, /Warning/);
  });

  for (const [variable, sentence] of [
    ['CLAUDE_CODE_USE_BEDROCK', /Bedrock needs a region \(CLAUDE_CODE_USE_BEDROCK is on\)\. Set AWS_REGION/],
    ['CLAUDE_CODE_USE_VERTEX', /Vertex AI needs a region \(CLAUDE_CODE_USE_VERTEX is on\)\. Set CLOUD_ML_REGION/],
    [
      'CLAUDE_CODE_USE_FOUNDRY',
      /Foundry needs an address \(CLAUDE_CODE_USE_FOUNDRY is on\)\. Set ANTHROPIC_FOUNDRY_RESOURCE/,
    ],
  ] as const) {
    it(`say what is missing for ${variable}`, async () => {
      const { code, stderr } = await place.run(['-p', 'Hello'], { env: { [variable]: '1' } });
      assert.equal(code, 1);
      assert.match(stderr, sentence);
    });
  }
});
