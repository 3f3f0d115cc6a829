// A folder that comes into the workspace while a session is open: a rewind covers what commands change there, and touches nothing else in it.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type SessionCheckpoints } from '../../../../src/core/ports/checkpoints';
import { type Call, type RewindPlace, withCheckpoints, runTurns, treeOf } from '../../../support/rewind-session';

describe('checkpoints whose workspace gets other folders', function () {
  this.timeout(60_000);
  let place: RewindPlace;
  let added: string;
  let checkpoints: SessionCheckpoints;
  const bash = (command: string): Call => ['Bash', { command, description: 'Run it' }];
  const put = (folder: string, name: string): void => writeFileSync(path.join(folder, name), 'mine\n');
  const rewind = async (index: number): Promise<string[]> => {
    const to = (await checkpoints.points())[index]?.id ?? assert.fail();
    const { plan } = (await checkpoints.preview(to)) ?? assert.fail();
    assert.deepEqual((await checkpoints.rewind(to, plan.steps)).failed, []);
    return plan.steps.map((step) => path.relative(place.root, step.path));
  };
  withCheckpoints((...opened) => {
    [place, checkpoints] = opened;
    added = path.join(place.root, 'added');
    mkdirSync(added);
    put(place.folder, 'a.txt');
  });

  it('cover one that is added: what a command did in it is taken back', async () => {
    put(added, 'kept.txt');
    put(added, 'gone.txt');
    await runTurns(place, checkpoints, [[bash('echo one > a.txt')]]);
    // As new as can be, and nobody's work in this session.
    put(added, 'latest.txt');
    const before = treeOf(added);
    checkpoints.follow([place.folder, added]);
    const failed = await runTurns(place, checkpoints, [
      [bash('cd ../added && rm gone.txt && echo two >> kept.txt && mkdir deep && echo three > deep/new.txt')],
    ]);
    assert.deepEqual(failed, []);
    assert.notDeepEqual(treeOf(added), before);
    assert.deepEqual((await rewind(1)).sort(), [
      'added/deep',
      'added/deep/new.txt',
      'added/gone.txt',
      'added/kept.txt',
    ]);
    assert.deepEqual(treeOf(added), before);
  });

  it('take no file of a folder that is added while a command runs for one that the command made', async () => {
    await runTurns(place, checkpoints, [[bash('echo one > a.txt')]]);
    checkpoints.prompt('later', 'Again');
    const ended = await checkpoints.before({ id: 'c1', files: [], anything: true, othersRun: false });
    put(added, 'latest.txt');
    writeFileSync(path.join(place.folder, 'a.txt'), 'two\n');
    checkpoints.follow([place.folder, added]);
    await ended();
    assert.deepEqual(await rewind(1), ['work/a.txt']);
    assert.deepEqual(Object.keys(treeOf(added)), ['latest.txt']);
  });

  it('keep what was there in one that is removed, and cover one that comes before anything was looked at', async () => {
    put(added, 'kept.txt');
    checkpoints.follow([place.folder, added]);
    await runTurns(place, checkpoints, [[bash('echo one > ../added/kept.txt')]]);
    checkpoints.follow([place.folder]);
    await runTurns(place, checkpoints, [[bash('echo two > a.txt')]]);
    assert.deepEqual((await rewind(0)).sort(), ['added/kept.txt', 'work/a.txt']);
  });
});
