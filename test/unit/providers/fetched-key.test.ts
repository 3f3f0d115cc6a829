// apiKeyHelper: asked once, kept for five minutes, asked again on a 401, never shown; and the command behind it in a real shell.
import assert from 'node:assert/strict';
import { readFile, realpath, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { createCredentialCommand } from '../../../src/node/terminal/credential-command';
import { isAlive } from '../../../src/node/process-owner';
import { createProviderClient } from '../../../src/providers/provider-client';
import { temporaryFolder } from '../../rig/cleanup';
import { httpError, reply } from '../../support/messages-api/script';
import { startMessagesApi, type MessagesApi } from '../../support/messages-api/server';
import { withExternalEnvironment } from '../../support/clouds/external-environment';
import { readStream, request } from './client-under-test';

const signal = new AbortController().signal;

describe('apiKeyHelper', () => {
  withExternalEnvironment();
  let server: MessagesApi;
  afterEach(() => server?.close());

  const counting = () => {
    const runs: string[] = [];
    return {
      runs,
      commands: {
        apiKeyHelper: 'print-key',
        run: async (command: string) => ({ output: `helper-key-${runs.push(command)}\n` }),
      },
    };
  };
  const keysSent = (): unknown[] => server.requests.map(({ headers }) => [headers['x-api-key'], headers.authorization]);

  it('gives the key of both headers, for five minutes', async () => {
    server = await startMessagesApi([reply('1'), reply('2'), reply('3')]);
    const { runs, commands } = counting();
    let now = 1_000_000;
    const client = await createProviderClient({
      provider: 'anthropic',
      baseUrl: server.url,
      variables: {},
      commands,
      now: () => now,
    });
    await Promise.all([readStream(client), readStream(client)]);
    assert.equal(runs.length, 1);
    now += 300_001;
    await readStream(client);
    assert.deepEqual(keysSent(), [
      ['helper-key-1', 'Bearer helper-key-1'],
      ['helper-key-1', 'Bearer helper-key-1'],
      ['helper-key-2', 'Bearer helper-key-2'],
    ]);
  });

  it('is asked again where the key is refused, and the request goes out once more', async () => {
    server = await startMessagesApi([
      httpError(401, 'authentication_error', 'invalid x-api-key'),
      reply('ok'),
      httpError(401, 'authentication_error', 'no helper-key-3'),
      httpError(401, 'authentication_error', 'no helper-key-3'),
    ]);
    const { commands } = counting();
    const client = await createProviderClient({ provider: 'anthropic', baseUrl: server.url, variables: {}, commands });
    assert.equal((await readStream(client)).error, undefined);
    assert.deepEqual(keysSent().length, 2);
    const { error } = await readStream(client);
    assert.equal(error?.details.kind, 'authentication');
    assert.equal(error.message.includes('helper-key'), false);
    assert.equal(server.requests.length, 4);
    assert.ok(
      ['helper-key-1', 'helper-key-2', 'helper-key-3'].every((key) => client.secrets?.().includes(key)),
      'also what is used no more is known as a secret',
    );
  });

  it('comes after a key of its own', async () => {
    server = await startMessagesApi([reply('ok')]);
    const { runs, commands } = counting();
    await readStream(
      await createProviderClient({
        provider: 'anthropic',
        apiKey: 'own-key',
        baseUrl: server.url,
        variables: {},
        commands,
      }),
    );
    assert.deepEqual([runs, server.requests[0]?.headers['x-api-key']], [[], 'own-key']);
  });

  it('says why there is no key, without what the command printed', async () => {
    server = await startMessagesApi([]);
    const run = createCredentialCommand({ environment: () => ({ PATH: process.env['PATH'] }) });
    const answer = async (apiKeyHelper: string): Promise<string> =>
      (
        await readStream(
          await createProviderClient({
            provider: 'anthropic',
            baseUrl: server.url,
            variables: {},
            commands: { apiKeyHelper, run },
          }),
        )
      ).error?.message ?? '';
    assert.equal(
      await answer('echo secret-word; exit 3'),
      'apiKeyHelper gave no key: the command ended with exit code 3. Run it in a terminal to see why.',
    );
    const file = path.join(temporaryFolder('credential'), 'runs');
    await answer(`echo run >> '${file}'; exit 3`);
    assert.equal(await readFile(file, 'utf8'), 'run\n');
    assert.equal(await answer('true'), 'apiKeyHelper gave no key: the command printed nothing.');
    assert.equal(await answer('echo two words'), 'apiKeyHelper printed more than a key: a key is a single word.');
    assert.equal(server.requests.length, 0);
  });

  it('is given up with its request', async () => {
    server = await startMessagesApi([]);
    const controller = new AbortController();
    const commands = { apiKeyHelper: 'slow', run: () => new Promise<never>(() => controller.abort()) };
    const client = await createProviderClient({ provider: 'anthropic', baseUrl: server.url, variables: {}, commands });
    await assert.rejects(
      async () => void (await client.stream(request, controller.signal)[Symbol.asyncIterator]().next()),
      { name: 'AbortError' },
    );
  });
});

describe('a command for credentials', () => {
  const run = createCredentialCommand({
    environment: () => ({ PATH: process.env['PATH'], ANTHROPIC_API_KEY: 'given' }),
    limitMs: 400,
  });

  it('gives its standard output alone, and knows the whole environment', async () => {
    assert.deepEqual(await run('echo "$ANTHROPIC_API_KEY"; echo noise >&2', signal), { output: 'given\n' });
  });

  it('runs at home, where no project can put a program in its way', async () => {
    const was = process.cwd();
    const project = temporaryFolder('project');
    await writeFile(path.join(project, 'helper.sh'), 'echo from-the-project\n', { mode: 0o755 });
    process.chdir(project);
    try {
      assert.deepEqual(await run('pwd -P; echo "$NoDefaultCurrentDirectoryInExePath"', signal), {
        output: `${await realpath(homedir())}\n1\n`,
      });
      assert.match(JSON.stringify(await run('./helper.sh', signal)), /problem/);
    } finally {
      process.chdir(was);
    }
  });

  it('ends after its time, with what it started', async () => {
    const file = path.join(temporaryFolder('credential'), 'pid');
    const result = await run(`sleep 600 & echo $! > '${file}'; wait`, signal);
    assert.deepEqual(result, { problem: 'the command did not end within 0.4 seconds.' });
    const pid = Number(await readFile(file, 'utf8'));
    assert.ok(pid > 0);
    while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 20));
  });
});
