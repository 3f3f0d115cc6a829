// The private folder of commands: who may read it, and what a later session does with one that was left behind.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runFiles, runMark } from '../../../../src/node/terminal/run-files';
import { createRunDirectory, sweepRunDirectories } from '../../../../src/node/terminal/run-owners';
import { isAlive } from '../../../../src/node/process-owner';

const DAY = 24 * 60 * 60 * 1000;

describe('the folder of commands', () => {
  let root: string;
  beforeEach(() => (root = mkdtempSync(path.join(tmpdir(), 'deft-test-'))));
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  /** A folder whose owner is a process that is gone. */
  async function leftBehind(processesEndWithOwner: boolean): Promise<{ directory: string; mark: string }> {
    const made = await createRunDirectory(root, { processesEndWithOwner });
    const gone = spawn('true');
    await once(gone, 'exit');
    writeFileSync(path.join(made.path, 'owner'), JSON.stringify({ pid: gone.pid, processesEndWithOwner }));
    return { directory: made.path, mark: runMark(made, 1) };
  }

  it('is readable by its owner alone', async () => {
    const made = await createRunDirectory(root, { processesEndWithOwner: true });
    assert.equal(statSync(made.path).mode & 0o777, 0o700);
    assert.notEqual((await createRunDirectory(root, { processesEndWithOwner: true })).path, made.path);
    assert.equal(path.dirname(runFiles(made, 3).output), made.path);
  });

  it('stays while its session lives', async () => {
    const made = await createRunDirectory(root, { processesEndWithOwner: true });
    await sweepRunDirectories(root, Date.now() + 9 * DAY);
    assert.ok(existsSync(made.path));
  });

  it('goes with its session', async () => {
    const { directory } = await leftBehind(true);
    await sweepRunDirectories(root, Date.now());
    assert.ok(!existsSync(directory));
  });

  it('of a process that cannot be looked for from here stays for a day', async () => {
    const { directory } = await leftBehind(true);
    const owner = path.join(directory, 'owner');
    writeFileSync(owner, readFileSync(owner, 'utf8').replace('{', '{"host":"another host",'));
    await sweepRunDirectories(root, Date.now() + DAY / 2);
    assert.ok(existsSync(directory));
    await sweepRunDirectories(root, Date.now() + 2 * DAY);
    assert.ok(!existsSync(directory));
  });

  it('whose maker was killed before it said who it is stays for a day', async () => {
    const made = await createRunDirectory(root, { processesEndWithOwner: true });
    rmSync(path.join(made.path, 'owner'));
    await sweepRunDirectories(root, Date.now() + DAY / 2);
    assert.ok(existsSync(made.path));
    await sweepRunDirectories(root, Date.now() + 2 * DAY);
    assert.ok(!existsSync(made.path));
  });

  it('of a crashed session: its commands are ended', async function () {
    if (process.platform !== 'linux')
      return void console.log('Skipped: processes are known by their mark on Linux only.');
    const { mark, directory } = await leftBehind(true);
    const orphan = spawn('sleep', ['60'], { env: { ...process.env, DEFT_RUN: mark }, detached: true });
    const stranger = spawn('sleep', ['60'], { env: { ...process.env, DEFT_RUN: `x${mark}` }, detached: true });
    const ended = once(orphan, 'exit');
    await Promise.all([once(orphan, 'spawn'), once(stranger, 'spawn')]);
    const swept = sweepRunDirectories(root, Date.now());
    assert.deepEqual((await ended)[1], 'SIGTERM');
    assert.ok(stranger.pid !== undefined && isAlive(stranger.pid));
    await swept;
    assert.ok(!existsSync(directory));
    stranger.kill();
  });

  it('of a shell whose command goes on stays, whatever its age', async () => {
    const { directory } = await leftBehind(false);
    writeFileSync(path.join(directory, '1.pid'), `${process.pid}\n`);
    await sweepRunDirectories(root, Date.now() + 2 * DAY);
    assert.ok(existsSync(directory));
    writeFileSync(path.join(directory, 'ends', '1.rc'), '0\n');
    await sweepRunDirectories(root, Date.now() + 2 * DAY);
    assert.ok(!existsSync(directory));
  });

  it('is not taken for one when something else has its name', async () => {
    const external = path.join(root, 'deft-commands-external');
    mkdirSync(external);
    writeFileSync(path.join(external, 'owner'), 'not json');
    utimesSync(external, 1, 1);
    await sweepRunDirectories(root, Date.now());
    await sweepRunDirectories(path.join(root, 'absent'), Date.now());
    assert.deepEqual(readdirSync(external), ['owner']);
  });
});
