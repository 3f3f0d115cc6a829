import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createHeadlessPlace, jsonLines, type HeadlessEnd, type HeadlessPlace } from '../../support/headless-run';
import { httpError, reply, toolUse, type ScriptedReply } from '../../support/messages-api/script';
import { startMessagesApi, type MessagesApi } from '../../support/messages-api/server';

describe('headless bad input', function () {
  this.timeout(60_000);
  let place: HeadlessPlace;
  let server: MessagesApi | undefined;

  beforeEach(async () => {
    place = await createHeadlessPlace();
  });
  afterEach(async () => {
    await server?.close();
    server = undefined;
    await place.remove();
  });

  async function serve(...script: ScriptedReply[]): Promise<string> {
    server = await startMessagesApi(script);
    return server.url;
  }

  /** Failed with nothing on standard output and one sentence for the user. */
  function refused(end: HeadlessEnd, sentence: RegExp): void {
    assert.deepEqual([end.code, end.stdout], [1, ''], end.stderr);
    assert.match(end.stderr, sentence);
    assert.equal(end.stderr.trimEnd().split('\n').length, 1, end.stderr);
    assert.doesNotMatch(end.stderr, /bug in Deft|\bat .*:\d+:\d+/);
  }

  /** The failed run's prompt is in the session, and continuing it works. */
  async function nothingLost(prompt: string): Promise<void> {
    const url = await serve(reply('Here again.'));
    const end = await place.run(['-p', 'Once more', '--continue'], { url });
    assert.equal(end.stdout, 'Here again.\n', end.stderr);
    assert.match(server?.requests[0]?.text ?? '', new RegExp(prompt));
  }

  it('no key', async () => {
    refused(
      await place.run(['-p', 'Hi']),
      /^deft: No API key is set\. Set ANTHROPIC_API_KEY .*apiKeyHelper.*ANTHROPIC_BASE_URL.*CLAUDE_CODE_USE_BEDROCK.*--demo/,
    );
    refused(await place.run(['-p', 'Hi'], { env: { ANTHROPIC_API_KEY: ' ' } }), /No API key is set/);
    assert.equal(existsSync(place.sessions), false);
  });

  it('a wrong key', async () => {
    const url = await serve(httpError(401, 'authentication_error', 'invalid x-api-key'));
    const end = await place.run(['-p', 'My question', '--output-format', 'json'], { url });
    assert.equal(end.code, 1);
    assert.match(
      end.stderr,
      /deft: The API key was not accepted by [\d.:]+: invalid x-api-key\. Set another API key\.\n.*--resume [0-9a-f-]{36}/,
    );
    assert.doesNotMatch(end.stderr + end.stdout, /key-of-the-test/);
    const [result] = jsonLines(end.stdout);
    assert.deepEqual(
      [result?.['subtype'], result?.['is_error'], result?.['errors']],
      [
        'error_during_execution',
        true,
        [`The API key was not accepted by ${new URL(url).host}: invalid x-api-key. Set another API key.`],
      ],
    );
    assert.equal(server?.requests.length, 1);
    await server?.close();
    await nothingLost('My question');
  });

  it('an unknown model', async () => {
    const url = await serve(httpError(404, 'not_found_error', 'model: claude-nope'));
    const end = await place.run(['-p', 'My question', '--model', 'claude-nope'], { url });
    assert.deepEqual([end.code, end.stdout], [1, '']);
    assert.match(end.stderr, /claude-nope/);
    await server?.close();
    await nothingLost('My question');
  });

  it('no network', async () => {
    const url = await serve();
    await server?.close();
    const end = await place.run(['-p', 'My question'], { url, env: { CLAUDE_CODE_MAX_RETRIES: '1' } });
    assert.deepEqual([end.code, end.stdout], [1, '']);
    assert.match(end.stderr, /127\.0\.0\.1.*Trying again.*\n.*Deft tried 2 times/);
    await nothingLost('My question');
  });

  it('an empty prompt', async () => {
    refused(await place.run(['-p'], { env: { ANTHROPIC_API_KEY: 'k' } }), /^deft: There is no prompt\./);
    refused(await place.run(['-p', ' \n'], { env: { ANTHROPIC_API_KEY: 'k' } }), /There is no prompt/);
    refused(await place.run(['-p'], { env: { ANTHROPIC_API_KEY: 'k' }, stdin: '\n' }), /There is no prompt/);
    assert.equal(existsSync(place.sessions), false);
  });

  it('an unknown option', async () => {
    refused(await place.run(['-p', 'Hi', '--frob']), /^deft: There is no option --frob\./);
  });

  it('an environment variable with nonsense', async () => {
    refused(
      await place.run(['-p', 'Hi', '--demo'], { env: { CLAUDE_CODE_MAX_RETRIES: 'many' } }),
      /^deft: CLAUDE_CODE_MAX_RETRIES takes a whole number from 0, not "many"\.$/m,
    );
  });

  it('is a result for whoever reads JSON, once and alone', async () => {
    for (const format of ['json', 'stream-json']) {
      const end = await place.run([
        '-p',
        'Hi',
        '--demo',
        '--resume',
        '00000000-0000-4000-8000-000000000000',
        '--output-format',
        format,
      ]);
      assert.equal(end.code, 1);
      const [result, ...more] = jsonLines(end.stdout);
      assert.deepEqual(
        [result?.['type'], result?.['subtype'], result?.['is_error'], more],
        ['result', 'error_during_execution', true, []],
      );
      assert.match(String((result?.['errors'] as string[])[0]), /^This folder has no session 0/);
      assert.match(end.stderr, /^deft: This folder has no session 0/);
    }
  });

  it('an added folder that is none', async () => {
    refused(
      await place.run(['-p', 'Hi', '--demo', '--add-dir', 'nowhere']),
      /^deft: --add-dir: \S+nowhere does not exist\.$/m,
    );
  });

  it('a current folder that is gone', async () => {
    const gone = path.join(place.workspace, 'gone');
    await mkdir(gone);
    const end = await place.run(['-p', 'Hi', '--demo'], { cwd: gone, shell: 'rmdir "$PWD"; exec "$@"' });
    refused(end, /^deft: The current folder no longer exists/);
  });

  it('a line of stream-json that is no message', async () => {
    const args = ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json'];
    const url = await serve(reply('One.'));
    const good = JSON.stringify({ type: 'user', message: { role: 'user', content: 'one' } });
    for (const [line, what] of [
      ['{nonsense', 'is not JSON'],
      ['{"type":"assistant"}', 'is not a message of type "user"'],
      ['{"type":"user","message":{"role":"user","content":[{"type":"video"}]}}', 'has a block that is neither'],
    ] as const) {
      const end = await place.run(args, { url, stdin: `${line}\n` });
      assert.equal(end.code, 1);
      assert.match(end.stderr, new RegExp(`^deft: Line 1 of standard input ${what}`));
      const [init, result] = jsonLines(end.stdout);
      assert.ok(typeof init?.['session_id'] === 'string' && init['session_id'] !== '');
      assert.deepEqual([result?.['is_error'], result?.['session_id']], [true, init['session_id']]);
    }
    const late = await place.run(args, { url, stdin: `${good}\n[]\n` });
    assert.equal(late.code, 1);
    assert.match(late.stderr, /Line 2 of standard input/);
    assert.equal(jsonLines(late.stdout).at(-1)?.['result'], 'One.');
    const none = await place.run(args, { url, stdin: '' });
    assert.match(none.stderr, /There is no message on standard input/);
  });

  it('no ripgrep: the model is told, and the run goes on', async () => {
    const url = await serve(reply(toolUse('Grep', { pattern: 'x' })), reply('No search here.'));
    // A copy of the runner away from the project, and a PATH without rg.
    const empty = path.join(place.home, 'bin');
    await mkdir(empty);
    await symlink(process.execPath, path.join(empty, 'node'));
    const end = await place.run(['-p', 'Search'], { url, env: { PATH: empty }, copied: true });
    assert.equal(end.stdout, 'No search here.\n', end.stderr);
    assert.match(server?.requests[1]?.text ?? '', /ripgrep was not found\. Install it/);
  });

  it('a full disk for the session: nothing begins', async () => {
    await mkdir(path.dirname(path.dirname(place.sessions)), { recursive: true });
    const url = await serve(reply('x'));
    const end = await place.run(['-p', 'Hi'], { url, shell: 'ulimit -f 0; exec "$@"' });
    refused(end, /^deft: The session cannot be opened\. .*(space|full|limit)/i);
    assert.equal(server?.requests.length, 0);
  });

  it('a disk that fills up on the way: the answer comes, the failure is told, what was on disk stays whole', async () => {
    const long = 'word '.repeat(2000);
    const url = await serve(reply(long), reply('Later.'));
    const end = await place.run(['-p', 'Tell me', '--output-format', 'json'], { url, shell: 'ulimit -f 2; exec "$@"' });
    assert.equal(end.code, 1);
    assert.match(end.stderr, /The session cannot be saved\./);
    const [result] = jsonLines(end.stdout);
    assert.equal(result?.['result'], long);
    assert.equal(result?.['is_error'], true);
    // Every line on disk is whole, and the session continues.
    await place.transcript();
    const more = await place.run(['-p', 'More', '--continue'], { url });
    assert.equal(more.stdout, 'Later.\n', more.stderr);
    assert.deepEqual(server?.violations, []);
  });

  it('a full disk under an edit: the file is as it was', async () => {
    const file = path.join(place.workspace, 'big.txt');
    const before = `first\n${'x'.repeat(3000)}\n`;
    await writeFile(file, before);
    const url = await serve(
      reply(toolUse('Read', { file_path: file })),
      reply(toolUse('Edit', { file_path: file, old_string: 'first', new_string: 'y'.repeat(4000) })),
      reply('It did not work.'),
    );
    await place.run(['-p', 'Edit', '--permission-mode', 'acceptEdits'], { url, shell: 'ulimit -f 6; exec "$@"' });
    assert.equal(await readFile(file, 'utf8'), before);
    assert.match(server?.requests[2]?.text ?? '', /"is_error":true/);
  });

  it('a session folder that cannot be made', async () => {
    await writeFile(path.join(place.home, '.deft'), 'in the way');
    const url = await serve(reply('x'));
    refused(await place.run(['-p', 'Hi'], { url }), /^deft: The session cannot be opened\. /);
    await rm(path.join(place.home, '.deft'));
  });
});
