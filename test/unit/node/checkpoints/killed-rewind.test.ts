import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { createRewindPlace, openCheckpoints, type RewindPlace, treeOf } from '../../../support/rewind-session';

describe('a rewind that is killed in the middle', function () {
  this.timeout(60_000);
  let place: RewindPlace;
  beforeEach(() => (place = createRewindPlace()));
  afterEach(() => place.remove());

  it('is repeated without a question, and undone', async () => {
    const files = Array.from({ length: 60 }, (_, index) => path.join(place.folder, `${index}.txt`));
    const fill = (text: string): void => files.forEach((file) => writeFileSync(file, text));
    const child = path.join(place.root, 'child.mjs');
    await build({
      entryPoints: ['test/unit/node/checkpoints/killed-rewind-child.ts'],
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: child,
      logLevel: 'error',
      mainFields: ['module', 'main'],
    });
    fill('before\n');
    const before = treeOf(place.folder);
    const first = openCheckpoints(place, { early: false });
    first.prompt('prompt', 'Change them');
    const ended = await first.before({ id: 'call', files, anything: false, othersRun: false });
    fill('after\n');
    const after = treeOf(place.folder);
    await ended();
    await first.close();

    const killed = spawnSync(process.execPath, [child, place.sessions, place.folder, 'prompt', '20'], {
      encoding: 'utf8',
    });
    assert.equal(killed.signal, 'SIGKILL', killed.stderr);
    const half = Object.values(treeOf(place.folder)).filter((one) => one.endsWith('before\n')).length;
    assert.ok(half >= 20 && half < 60, `${half} of 60 are back`);

    const second = openCheckpoints(place, { early: false });
    const { plan } = (await second.preview('prompt')) ?? assert.fail();
    assert.deepEqual([plan.steps.length, plan.steps.filter(({ others }) => others !== undefined)], [60 - half, []]);
    const { undo, failed } = await second.rewind('prompt', plan.steps);
    assert.deepEqual(failed, []);
    assert.deepEqual(treeOf(place.folder), before);
    const back = (await second.preview(undo)) ?? assert.fail();
    await second.rewind(undo, back.plan.steps);
    assert.equal(Object.values(treeOf(place.folder)).filter((one) => one.endsWith('after\n')).length, 60 - half);
    assert.deepEqual(Object.keys(treeOf(place.folder)), Object.keys(after), 'nothing is left beside them');
    await second.close();
  });
});
