// What commands leave behind: their processes after a crash, and their temporary files.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type HeadlessPlace, type HeadlessProcess } from '../../support/headless-run';
import { withHeadlessPlace } from '../../support/headless-suite';
import { reply, toolUse } from '../../support/messages-api/script';
import { type MessagesApi } from '../../support/messages-api/server';

/** The processes of the machine whose command line contains the text. */
function processesWith(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const state = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.[0];
        return state !== 'Z' && readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').includes(text);
      } catch {
        return false;
      }
    })
    .map(Number);
}

(process.platform === 'linux' ? describe : describe.skip)('what commands leave behind', function () {
  this.timeout(120_000);
  let place: HeadlessPlace;
  let server: MessagesApi;
  /** A duration that no other process sleeps. */
  let nap: string;
  let naps = 0;

  withHeadlessPlace((...opened) => ([place, server] = opened));
  beforeEach(() => (nap = `${5000 + naps++}.${process.pid}`));
  afterEach(() => {
    for (const pid of processesWith(`sleep ${nap}`)) process.kill(pid, 'SIGKILL');
  });

  const start = (): HeadlessProcess =>
    place.start(['-p', 'Go', '--permission-mode', 'bypassPermissions'], { url: server.url });
  const running = (): number => processesWith(`sleep ${nap}`).length;

  it('what a killed run left running is ended before anything is said of it', async () => {
    server.setScript([
      reply(toolUse('Bash', { command: `sleep ${nap}`, run_in_background: true })),
      reply(toolUse('Bash', { command: `touch started; sleep ${nap}; touch late` })),
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
    assert.match(end.stderr, new RegExp(`Still running since an earlier run crashed, and ended now: .*sleep ${nap}`));
    assert.match(
      server.requests.at(-1)?.text ?? '',
      /Background command bash_1 .* has ended, its exit code is unknown/,
    );
  });

  it('a command that empties the temporary folder is not called "not started", and the next one runs', async () => {
    const temporary = path.join(place.home, 'tmp');
    mkdirSync(temporary);
    server.setScript([
      reply(toolUse('Bash', { command: 'find "$TMPDIR" -mindepth 1 -delete; touch ran' })),
      reply(toolUse('Bash', { command: 'rm -rf "$TMPDIR"; touch again' })),
      reply(toolUse('Bash', { command: 'echo still here' })),
      reply('Done.'),
    ]);
    const args = ['-p', 'Go', '--permission-mode', 'bypassPermissions'];
    const end = await place.run(args, { url: server.url, env: { TMPDIR: temporary } });
    assert.equal(end.stdout, 'Done.\n', end.stderr);
    const said = server.requests.at(-1)?.text ?? '';
    assert.ok(existsSync(path.join(place.workspace, 'ran')), said);
    assert.ok(existsSync(path.join(place.workspace, 'again')), said);
    assert.doesNotMatch(said, /not started|could not be started/);
    assert.equal(said.split('how it ended is unknown').length - 1, 2, said);
    assert.match(said, /still here/);
  });

  it('leaves no temporary files', async () => {
    const temporary = path.join(place.home, 'tmp');
    mkdirSync(temporary);
    const files: string[] = [];
    server.setScript((_request, index) => {
      files.push(...readdirSync(temporary, { recursive: true, encoding: 'utf8' }).filter((name) => /\d\./.test(name)));
      return index < 4 ? reply(toolUse('Bash', { command: `echo ${index}` })) : reply('Done.');
    });
    const args = ['-p', 'Go', '--permission-mode', 'bypassPermissions'];
    const end = await place.run(args, { url: server.url, env: { TMPDIR: temporary } });
    assert.equal(end.stdout, 'Done.\n', end.stderr);
    assert.deepEqual(files, [], 'after each call');
    assert.deepEqual(
      readdirSync(temporary).filter((name) => name.startsWith('deft-commands-')),
      [],
      'after the run',
    );
  });
});
