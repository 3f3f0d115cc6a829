import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { jsonLines, type HeadlessPlace, type HeadlessProcess } from '../../support/headless-run';
import { withHeadlessPlace } from '../../support/headless-suite';
import { gate, reply, text, toolUse } from '../../support/messages-api/script';
import { type MessagesApi } from '../../support/messages-api/server';

describe('headless interruption', function () {
  this.timeout(60_000);
  let place: HeadlessPlace;
  let server: MessagesApi;
  const never = new Promise<void>(() => undefined);

  withHeadlessPlace((...opened) => ([place, server] = opened));

  const start = (...args: string[]): HeadlessProcess =>
    place.start(['-p', 'Go', '--output-format', 'stream-json', '--permission-mode', 'bypassPermissions', ...args], {
      url: server.url,
    });

  async function resumeIsAccepted(): Promise<string> {
    server.setScript([reply('Back.')]);
    const end = await place.run(['-p', 'And now?', '--continue'], { url: server.url });
    assert.equal(end.stdout, 'Back.\n', end.stderr);
    return server.requests.at(-1)?.text ?? '';
  }

  it('in the middle of an answer: exit 130, what was read stays', async () => {
    server.setScript([reply(text('The beginning of an answer', gate(never), ' and its end.'))]);
    const run = start('--include-partial-messages');
    await run.said('answer');
    run.child.kill('SIGINT');
    const end = await run.ended;
    assert.equal(end.code, 130);
    assert.match(end.stderr, /Interrupted/);
    const result = jsonLines(end.stdout).at(-1);
    assert.deepEqual(
      [result?.['type'], result?.['subtype'], result?.['is_error']],
      ['result', 'error_during_execution', true],
    );
    assert.match(await resumeIsAccepted(), /The beginning of an answer/);
  });

  it('in the middle of a command: the command ends, its result is on disk', async () => {
    server.setScript([
      reply(
        toolUse(
          'Bash',
          { command: 'touch started; while ! test -e go; do sleep 0.05; done; touch finished' },
          'toolu_wait',
        ),
      ),
    ]);
    const run = start();
    while (!existsSync(path.join(place.workspace, 'started'))) await new Promise((resolve) => setImmediate(resolve));
    run.child.kill('SIGINT');
    const end = await run.ended;
    assert.equal(end.code, 130);
    const records = await place.transcript();
    assert.ok(
      records.some((record) => JSON.stringify(record['message'] ?? '').includes('"tool_use_id":"toolu_wait"')),
      JSON.stringify(records.slice(-4)),
    );
    assert.match(await resumeIsAccepted(), /Command was aborted before completion/);
    // It would have gone on had it been left running.
    await writeFile(path.join(place.workspace, 'go'), '');
    assert.equal(existsSync(path.join(place.workspace, 'finished')), false);
  });

  it('a second one ends at once', async () => {
    server.setScript([reply(text('Talking', gate(never)))]);
    const run = start('--include-partial-messages');
    await run.said('Talking');
    run.child.kill('SIGINT');
    run.child.kill('SIGINT');
    assert.equal((await run.ended).code, 130);
    await resumeIsAccepted();
  });

  it('SIGTERM stops as carefully and exits with 143', async () => {
    server.setScript([reply(text('Talking', gate(never)))]);
    const run = start('--include-partial-messages');
    await run.said('Talking');
    run.child.kill('SIGTERM');
    assert.equal((await run.ended).code, 143);
    await resumeIsAccepted();
  });

  it('a reader that goes away stops the run', async () => {
    server.setScript([reply(text('Talking', gate(100), ' on', gate(100), ' and on', gate(never)))]);
    const run = start('--include-partial-messages');
    await run.said('Talking');
    run.child.stdout?.destroy();
    assert.equal((await run.ended).code, 1);
    await resumeIsAccepted();
  });

  it('while standard input is read: it ends at once, and JSON gets a result', async () => {
    const run = place.start(['-p', '--output-format', 'json'], { url: server.url, stdin: 'open' });
    // More than a pipe holds: who has it all reads.
    await new Promise((resolve) => run.child.stdin?.write('x'.repeat(1024 * 1024), resolve));
    run.child.kill('SIGINT');
    const { code, stdout } = await run.ended;
    assert.equal(code, 130);
    const [result, ...more] = jsonLines(stdout);
    assert.deepEqual(
      [result?.['type'], result?.['is_error'], result?.['errors'], more],
      ['result', true, ['The run was interrupted.'], []],
    );
  });

  it('while it waits for the next message: the session is closed and unlocked', async () => {
    server.setScript([reply('First.')]);
    const run = place.start(['--input-format', 'stream-json', '--output-format', 'stream-json'], {
      url: server.url,
      stdin: 'open',
    });
    run.child.stdin?.write(`${JSON.stringify({ type: 'user', message: { role: 'user', content: 'one' } })}\n`);
    await run.said('"result"');
    run.child.kill('SIGINT');
    assert.equal((await run.ended).code, 130);
    assert.deepEqual(
      (await readdir(place.sessions)).filter((name) => name.endsWith('.lock')),
      [],
    );
    await resumeIsAccepted();
  });
});
