// What a rewind must never touch: files that only seem to be new, that nobody kept, or that changed after they were shown.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type RewindPreview, type SessionCheckpoints } from '../../../../src/core/ports/checkpoints';
import { findRipgrep } from '../../../../src/node/search/ripgrep-path';
import {
  type Call,
  createRewindPlace,
  openCheckpoints,
  type RewindPlace,
  runTurns,
} from '../../../support/rewind-session';

describe('a rewind leaves alone', function () {
  this.timeout(60_000);
  let place: RewindPlace;
  beforeEach(() => (place = createRewindPlace()));
  afterEach(() => place.remove());

  const file = (name: string): string => path.join(place.folder, name);
  const write = (name: string, text: string): void => {
    mkdirSync(path.dirname(file(name)), { recursive: true });
    writeFileSync(file(name), text);
  };
  const bash = (command: string): Call => ['Bash', { command, description: 'Run it' }];
  /** Older than the clock of the file system is coarse. */
  const aged = async (name: string): Promise<void> => {
    while (Date.now() - statSync(file(name)).birthtimeMs < 100) await new Promise((resolve) => setTimeout(resolve, 10));
  };
  const shown = async (checkpoints: SessionCheckpoints): Promise<{ to: string; plan: RewindPreview['plan'] }> => {
    const to = (await checkpoints.points())[0]?.id ?? assert.fail();
    return { to, plan: ((await checkpoints.preview(to)) ?? assert.fail()).plan };
  };
  const names = (plan: RewindPreview['plan']): string[] =>
    plan.steps.map((step) => path.relative(place.folder, step.path));

  it('what was ignored before a command changed what is', async () => {
    execFileSync('git', ['init', '-q'], { cwd: place.folder });
    write('.gitignore', '.env\nbuild/\n');
    write('.env', 'KEY=1\n');
    write('build/report', 'report\n');
    await aged('build/report');
    const checkpoints = openCheckpoints(place);
    // What a command names is kept exactly; this one does not say what it moves.
    await runTurns(place, checkpoints, [
      [bash(`echo > .gitignore; node -e 'fs.renameSync(["build", "report"].join("/"), "re" + "port")'; echo x > made`)],
    ]);
    const { to, plan } = await shown(checkpoints);
    assert.deepEqual(names(plan), ['.gitignore', 'made']);
    await checkpoints.rewind(to, plan.steps);
    assert.ok(existsSync(file('.env')) && existsSync(file('report')) && !existsSync(file('made')));
    await checkpoints.close();
  });

  it('what stood beyond the limit of a look', async () => {
    for (let index = 0; index < 60; index++) write(`f/${index}.txt`, 'mine\n');
    const checkpoints = openCheckpoints(place, { limits: { files: 20, fileBytes: 100, allBytes: 10_000 } });
    await runTurns(place, checkpoints, [[bash('rm f/1*.txt')], [bash('touch nothing')]]);
    const { plan } = await shown(checkpoints);
    assert.deepEqual(
      plan.steps.filter(({ action, path: at }) => action === 'delete' && path.basename(at) !== 'nothing'),
      [],
    );
    await checkpoints.close();
  });

  it('what a first look could not list', async () => {
    write('a.txt', 'mine\n');
    let looks = 0;
    const checkpoints = openCheckpoints(place, {
      early: false,
      ripgrep: async () =>
        looks++ === 0 ? undefined : findRipgrep({ searchPath: process.env['PATH'], packageRoots: [process.cwd()] }),
    });
    await runTurns(place, checkpoints, [[bash('echo 1 > x')], [bash('echo 2 > x')]]);
    assert.ok(looks > 1);
    assert.deepEqual(names((await shown(checkpoints)).plan), ['x']);
    await checkpoints.close();
  });

  it('what changed after it was shown, and says so', async () => {
    write('a.txt', 'one\n');
    const checkpoints = openCheckpoints(place);
    await runTurns(place, checkpoints, [[bash('echo two > a.txt')]]);
    const { to, plan } = await shown(checkpoints);
    write('a.txt', 'mine\n');
    const { done, failed } = await checkpoints.rewind(to, plan.steps);
    assert.deepEqual([done, failed.map(({ path: at }) => at)], [[], [file('a.txt')]]);
    assert.equal(readFileSync(file('a.txt'), 'utf8'), 'mine\n');
    await checkpoints.close();
  });

  it('what would be put back from damaged bytes', async () => {
    write('a.txt', 'one\n');
    const checkpoints = openCheckpoints(place);
    await runTurns(place, checkpoints, [[bash('echo two > a.txt')]]);
    const { to, plan } = await shown(checkpoints);
    const blobs = path.join(place.sessions, 'session-1/checkpoints/blobs');
    for (const name of readdirSync(blobs)) truncateSync(path.join(blobs, name), 0);
    const { done, failed } = await checkpoints.rewind(to, plan.steps);
    assert.deepEqual([done, failed.length], [[], 1]);
    assert.equal(readFileSync(file('a.txt'), 'utf8'), 'two\n');
    await checkpoints.close();
  });

  it('what the user saved while a command ran, unless they say so', async () => {
    write('a.txt', 'one\n');
    write('b.txt', 'one\n');
    const checkpoints = openCheckpoints(place, { savedSince: () => new Set([file('b.txt')]) });
    await runTurns(place, checkpoints, [[bash('echo two > a.txt; echo mine > b.txt')]]);
    const { plan } = await shown(checkpoints);
    assert.deepEqual(
      plan.steps.map(({ path: at, others }) => [path.basename(at), others]),
      [
        ['a.txt', undefined],
        ['b.txt', 'unknown'],
      ],
    );
    await checkpoints.close();
  });
});
