// What commands leave behind: their processes after a crash, and their temporary files.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type HeadlessPlace, type HeadlessProcess } from '../../support/headless-run';
import { withHeadlessPlace } from '../../support/headless-suite';
import { withLongSleeps } from '../../support/long-sleeps';
import { reply, toolUse } from '../../support/messages-api/script';
import { type MessagesApi } from '../../support/messages-api/server';
import { skipUnless } from '../../support/skip-unless';

describe('what commands leave behind', function () {
  skipUnless(process.platform === 'linux', 'processes are found in /proc, on Linux only.');
  this.timeout(120_000);
  let place: HeadlessPlace;
  let server: MessagesApi;

  withHeadlessPlace((...opened) => ([place, server] = opened));
  const sleeping = withLongSleeps(5000);

  const start = (): HeadlessProcess =>
    place.start(['-p', 'Go', '--permission-mode', 'bypassPermissions'], { url: server.url });
  const { running } = sleeping;
  const folders = (): string[] => readdirSync(place.temporary).filter((name) => name.startsWith('deft-commands-'));

  it('what a killed run left running is ended before anything is said of it', async () => {
    server.setScript([
      reply(toolUse('Bash', { command: `sleep ${sleeping.nap}`, run_in_background: true })),
      reply(toolUse('Bash', { command: `touch started; sleep ${sleeping.nap}; touch late` })),
    ]);
    const run = start();
    while (!existsSync(path.join(place.workspace, 'started')) || running() < 2) await sleep(20);
    run.child.kill('SIGKILL');
    await run.ended;
    assert.ok(running() >= 2);
    // As the first request goes out.
    let atRequest: number | undefined;
    server.setScript(() => {
      atRequest ??= running();
      return reply('I see.');
    });
    const end = await place.run(['-p', 'And now?', '--continue'], { url: server.url });
    assert.equal(end.stdout, 'I see.\n', end.stderr);
    assert.equal(atRequest, 0);
    assert.match(
      end.stderr,
      new RegExp(`Still running since an earlier run crashed, and ended now: .*sleep ${sleeping.nap}`),
    );
    assert.match(
      server.requests.at(-1)?.text ?? '',
      /Background command bash_1 .* has ended, its exit code is unknown/,
    );
  });

  it('of a killed run, the folder of its commands goes when the next session is opened', async () => {
    server.setScript([reply(toolUse('Bash', { command: `touch started; sleep ${sleeping.nap}` }))]);
    const run = start();
    while (!existsSync(path.join(place.workspace, 'started')) || running() < 1) await sleep(20);
    run.child.kill('SIGKILL');
    await run.ended;
    assert.equal(folders().length, 1);
    server.setScript([reply('I see.')]);
    const end = await place.run(['-p', 'And now?', '--continue'], { url: server.url });
    assert.equal(end.stdout, 'I see.\n', end.stderr);
    assert.deepEqual(folders(), []);
  });

  it('the folder of a living run is left alone', async () => {
    server.setScript((_request, index) =>
      index === 0
        ? reply(toolUse('Bash', { command: 'touch started; until [ -e go ]; do sleep 0.05; done; echo whole' }))
        : reply('Fine.'),
    );
    const run = start();
    while (!existsSync(path.join(place.workspace, 'started'))) await sleep(20);
    const [before] = folders();
    const other = await start().ended;
    assert.equal(other.stdout, 'Fine.\n', other.stderr);
    assert.ok(folders().includes(before ?? 'none'));
    writeFileSync(path.join(place.workspace, 'go'), '');
    assert.equal((await run.ended).stdout, 'Fine.\n');
    assert.match(JSON.stringify(server.requests.at(-1)?.body['messages']), /whole/);
  });
});

describe('temporary files of commands', function () {
  skipUnless(process.platform === 'linux', 'processes are found in /proc, on Linux only.');
  this.timeout(120_000);
  let place: HeadlessPlace;
  let server: MessagesApi;
  withHeadlessPlace((...opened) => ([place, server] = opened));

  it('a command that empties the temporary folder is not called "not started", and the next one runs', async () => {
    server.setScript([
      reply(toolUse('Bash', { command: 'find "$TMPDIR" -mindepth 1 -delete; touch ran' })),
      reply(toolUse('Bash', { command: 'rm -rf "$TMPDIR"; touch again' })),
      reply(toolUse('Bash', { command: 'echo still here' })),
      reply('Done.'),
    ]);
    const args = ['-p', 'Go', '--permission-mode', 'bypassPermissions'];
    const end = await place.run(args, { url: server.url });
    assert.equal(end.stdout, 'Done.\n', end.stderr);
    const said = JSON.stringify(server.requests.at(-1)?.body['messages']);
    assert.ok(existsSync(path.join(place.workspace, 'ran')), said);
    assert.ok(existsSync(path.join(place.workspace, 'again')), said);
    assert.doesNotMatch(said, /not started|could not be started/);
    assert.equal(said.split('How the command ended is unknown').length - 1, 2, said);
    assert.match(said, /still here/);
  });

  it('leaves no temporary files', async () => {
    const files: string[] = [];
    server.setScript((_request, index) => {
      files.push(
        ...readdirSync(place.temporary, { recursive: true, encoding: 'utf8' }).filter((name) => /\d\./.test(name)),
      );
      return index < 4 ? reply(toolUse('Bash', { command: `echo ${index}` })) : reply('Done.');
    });
    const args = ['-p', 'Go', '--permission-mode', 'bypassPermissions'];
    const end = await place.run(args, { url: server.url });
    assert.equal(end.stdout, 'Done.\n', end.stderr);
    assert.deepEqual(files, [], 'after each call');
    assert.deepEqual(readdirSync(place.temporary), [], 'after the run');
  });
});
