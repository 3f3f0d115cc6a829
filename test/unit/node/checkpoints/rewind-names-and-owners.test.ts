// A rewind of files with other names, other owners, and names as long as a system allows.
import assert from 'node:assert/strict';
import { chownSync, linkSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type SessionCheckpoints } from '../../../../src/core/ports/checkpoints';
import { type Call, type RewindPlace, runTurns, treeOf, withCheckpoints } from '../../../support/rewind-session';

describe('a rewind of a file', function () {
  this.timeout(60_000);
  let place: RewindPlace;
  let checkpoints: SessionCheckpoints;
  withCheckpoints((...opened) => ([place, checkpoints] = opened));

  const file = (name: string): string => path.join(place.folder, name);
  const bash = (command: string): Call => ['Bash', { command, description: 'Run it' }];
  const edit = (name: string, from: string, to: string): Call[] => [
    ['Read', { file_path: file(name) }],
    ['Edit', { file_path: file(name), old_string: from, new_string: to }],
  ];
  const rewind = async (to: string): Promise<string> => {
    const { plan } = (await checkpoints.preview(to)) ?? assert.fail();
    const { undo, failed } = await checkpoints.rewind(to, plan.steps);
    assert.deepEqual(failed, []);
    return undo;
  };
  /** Without modes, which the machine's umask decides. */
  const texts = (): string[] => Object.entries(treeOf(place.folder)).map(([name, what]) => `${name} ${what.slice(4)}`);
  const first = async (): Promise<string> => (await checkpoints.points())[0]?.id ?? assert.fail();

  it('with other names goes through to all of them, as the edit did, and so does its undo', async () => {
    writeFileSync(file('a.txt'), 'one\n');
    linkSync(file('a.txt'), file('b.txt'));
    await runTurns(place, checkpoints, [edit('a.txt', 'one', 'two')]);
    assert.equal(readFileSync(file('b.txt'), 'utf8'), 'two\n');
    const undo = await rewind(await first());
    assert.deepEqual(texts(), ['a.txt one\n', 'b.txt one\n']);
    assert.equal(statSync(file('a.txt')).ino, statSync(file('b.txt')).ino);
    await rewind(undo);
    assert.deepEqual(texts(), ['a.txt two\n', 'b.txt two\n']);
  });

  it('that a command made a second name of another one leaves the other one alone', async () => {
    writeFileSync(file('a.txt'), 'one\n');
    writeFileSync(file('other.txt'), 'other\n');
    await runTurns(place, checkpoints, [[bash('ln -f other.txt a.txt')]]);
    await rewind(await first());
    assert.deepEqual(texts(), ['a.txt one\n', 'other.txt other\n']);
  });

  it('of somebody else leaves it theirs', async function () {
    if (process.getuid?.() !== 0) return this.skip();
    writeFileSync(file('a.txt'), 'one\n');
    chownSync(file('a.txt'), 1234, 1234);
    await runTurns(place, checkpoints, [edit('a.txt', 'one', 'two')]);
    await rewind(await first());
    const { uid, gid } = statSync(file('a.txt'));
    assert.deepEqual([uid, gid, readFileSync(file('a.txt'), 'utf8')], [1234, 1234, 'one\n']);
  });

  it('whose name is as long as a name may be', async () => {
    const name = `${'文'.repeat(84)}.t`;
    writeFileSync(file(name), 'one\n');
    await runTurns(place, checkpoints, [edit(name, 'one', 'two')]);
    await rewind(await first());
    assert.deepEqual(texts(), [`${name} one\n`]);
  });
});
