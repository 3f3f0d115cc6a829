import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type SessionCheckpoints } from '../../../../src/core/ports/checkpoints';
import { createNodeCheckpoints } from '../../../../src/node/checkpoints/node-checkpoints';
import {
  agentDone,
  type Call,
  createRewindPlace,
  openCheckpoints,
  type RewindPlace,
  runTurns,
  treeOf,
} from '../../../support/rewind-session';

describe('a rewind on the disk', function () {
  this.timeout(60_000);
  let place: RewindPlace;
  beforeEach(() => (place = createRewindPlace()));
  afterEach(() => place.remove());

  const file = (name: string): string => path.join(place.folder, name);
  const write = (name: string, text: string | Buffer): void => {
    mkdirSync(path.dirname(file(name)), { recursive: true });
    writeFileSync(file(name), text);
  };
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
      cwd: place.folder,
      encoding: 'utf8',
    });
  const bash = (command: string): Call => ['Bash', { command, description: 'Run it' }];
  const rewindAll = async (checkpoints: SessionCheckpoints, to: string) => {
    const preview = (await checkpoints.preview(to)) ?? assert.fail('no such checkpoint');
    const outcome = await checkpoints.rewind(to, preview.plan.steps);
    assert.deepEqual(outcome.failed, []);
    return { ...outcome, preview };
  };
  const pointOf = async (checkpoints: SessionCheckpoints, index: number): Promise<string> =>
    (await checkpoints.points())[index]?.id ?? assert.fail();

  it('covers what agents changed, under the prompt that started them', async () => {
    fill();
    const before = treeOf(place.folder);
    const checkpoints = openCheckpoints(place);
    const started: Call = [
      'Agent',
      { description: 'Change it', prompt: 'Change it', subagent_type: 'general-purpose' },
    ];
    const failed = await runTurns(place, checkpoints, [
      [
        started,
        ['Write', { file_path: file('by-agent.txt'), content: 'made\n' }],
        bash('rm a.txt; echo y > untracked.txt'),
        agentDone,
        bash('echo z > by-main.txt'),
      ],
    ]);
    assert.deepEqual(failed, []);
    assert.notDeepEqual(treeOf(place.folder), before);
    await rewindAll(checkpoints, await pointOf(checkpoints, 0));
    assert.deepEqual(treeOf(place.folder), before);
    await checkpoints.close();
  });

  function fill(): void {
    git('init', '-q');
    write('.gitignore', 'ignored/\n*.secret\n');
    write('a.txt', 'one\ntwo\n');
    write('src/moved.ts', 'export const a = 1;\n');
    write('src/deep/gone.bin', Buffer.from([0, 255, 254, 13, 10, 0]));
    write('run.sh', '#!/bin/sh\n');
    chmodSync(file('run.sh'), 0o755);
    symlinkSync('a.txt', file('link'));
    mkdirSync(file('empty/inner'), { recursive: true });
    git('add', '-A');
    git('commit', '-qm', 'first');
    write('untracked.txt', 'mine\n');
    write('key.secret', 'KEY=1\n');
    write('ignored/cache.txt', 'cache\n');
    write('stashed.txt', 'stash\n');
    git('stash', 'push', '-q', '-u', 'stashed.txt');
  }
  const mixed = (): Call[][] => [
    [
      ['Read', { file_path: file('a.txt') }],
      ['Edit', { file_path: file('a.txt'), old_string: 'two', new_string: 'TWO' }],
      ['Write', { file_path: file('new/deep/made.txt'), content: 'made\n' }],
      ['Read', { file_path: file('key.secret') }],
      ['Edit', { file_path: file('key.secret'), old_string: '1', new_string: '2' }],
    ],
    [
      bash('sed -i s/one/ONE/ a.txt untracked.txt'),
      bash('git mv src/moved.ts src/renamed.ts'),
      bash('rm -r src/deep empty && mkdir -p made/hollow && echo x > made/file.txt'),
      bash('rm link && ln -s untracked.txt link && ln -s a.txt second && chmod 644 run.sh && chmod +x a.txt'),
    ],
    [
      ['Read', { file_path: file('untracked.txt') }],
      ['Edit', { file_path: file('untracked.txt'), old_string: 'mine', new_string: 'yours' }],
      bash('rm untracked.txt && mkdir untracked.txt && echo y > untracked.txt/inside && echo KEY=3 > key.secret'),
      ['Write', { file_path: file('ignored/made.txt'), content: 'made\n' }],
    ],
  ];

  it('gives back the exact tree at each prompt, and the undo the other one, whatever changed the files', async () => {
    fill();
    const trees = [treeOf(place.folder)];
    const checkpoints = openCheckpoints(place);
    const turns = mixed();
    for (const turn of turns) {
      assert.deepEqual(await runTurns(place, checkpoints, [turn]), []);
      trees.push(treeOf(place.folder));
    }
    const [index, head, stash] = [readFileSync(file('.git/index')), git('rev-parse', 'HEAD'), git('stash', 'list')];
    for (const at of [2, 1, 0]) {
      const before = treeOf(place.folder);
      const { undo, preview } = await rewindAll(checkpoints, await pointOf(checkpoints, at));
      assert.deepEqual(
        preview.plan.steps.filter(({ others }) => others !== undefined),
        [],
        'nobody else had a hand in it',
      );
      assert.deepEqual(treeOf(place.folder), trees[at]);
      await rewindAll(checkpoints, undo);
      assert.deepEqual(treeOf(place.folder), before, 'the undo');
    }
    await rewindAll(checkpoints, await pointOf(checkpoints, 0));
    assert.deepEqual(treeOf(place.folder), trees[0]);
    assert.deepEqual(readFileSync(file('.git/index')), index, 'what the command staged stays staged, byte for byte');
    assert.deepEqual([git('rev-parse', 'HEAD'), git('stash', 'list')], [head, stash]);
    // Forwards again: to what was before the last prompt.
    await rewindAll(checkpoints, await pointOf(checkpoints, 2));
    assert.deepEqual(treeOf(place.folder), trees[2]);
    await checkpoints.close();
  });

  it('goes on after the session was closed and opened again', async () => {
    fill();
    const before = treeOf(place.folder);
    const first = openCheckpoints(place);
    const turns = mixed();
    await runTurns(place, first, turns.slice(0, 1));
    await first.close();
    const second = openCheckpoints(place);
    await runTurns(place, second, turns.slice(1));
    await rewindAll(second, await pointOf(second, 0));
    assert.deepEqual(treeOf(place.folder), before);
    await second.close();
  });

  it('names what the user changed since, and leaves it where it is not asked for', async () => {
    write('a.txt', 'one\n');
    write('b.txt', 'one\n');
    write('c.txt', 'one\n');
    const checkpoints = openCheckpoints(place);
    await runTurns(place, checkpoints, [[bash('sed -i s/one/two/ a.txt b.txt c.txt')]]);
    write('a.txt', 'my own\n');
    write('c.txt', 'between\n');
    await runTurns(place, checkpoints, [[bash('sed -i s/between/after/ c.txt')]]);
    const to = await pointOf(checkpoints, 0);
    const { plan } = (await checkpoints.preview(to)) ?? assert.fail();
    assert.deepEqual(
      plan.steps.map(({ path: at, others }) => [path.basename(at), others]),
      [
        ['a.txt', 'since'],
        ['b.txt', undefined],
        ['c.txt', 'between'],
      ],
    );
    await checkpoints.rewind(
      to,
      plan.steps.filter(({ others }) => others === undefined),
    );
    assert.deepEqual(
      ['a.txt', 'b.txt', 'c.txt'].map((name) => readFileSync(file(name), 'utf8')),
      ['my own\n', 'one\n', 'after\n'],
    );
    await checkpoints.close();
  });

  it('tells what commands have done besides edits that were undone, since the prompt of those', async () => {
    write('kept.txt', 'one\n');
    write('edited.txt', 'one\n');
    write('gone.txt', 'one\n');
    write('old.txt', 'one\n');
    mkdirSync(file('empty'));
    const checkpoints = openCheckpoints(place);
    const edit = (name: string, from: string, to: string): Call[] => [
      ['Read', { file_path: file(name) }],
      ['Edit', { file_path: file(name), old_string: from, new_string: to }],
    ];
    await runTurns(place, checkpoints, [
      [...edit('kept.txt', 'one', 'two'), bash('echo earlier > earlier.txt')],
      [
        ...edit('edited.txt', 'one', 'two'),
        bash('rm gone.txt && mv old.txt new.txt && rmdir empty && echo x >> kept.txt'),
        ['Write', { file_path: file('made.txt'), content: 'made\n' }],
      ],
      edit('edited.txt', 'two', 'three'),
    ]);
    // As the review undoes it: by the editor, with nothing in the log of checkpoints.
    write('edited.txt', 'one\n');
    rmSync(file('made.txt'));
    const left = (await checkpoints.leftByCommands([file('edited.txt'), file('made.txt')])) ?? assert.fail();
    assert.equal(left.to, await pointOf(checkpoints, 1));
    assert.deepEqual(
      left.preview.plan.steps.map(({ path: at, action }) => [path.relative(place.folder, at), action]),
      [
        ['empty', 'create'],
        ['gone.txt', 'create'],
        ['kept.txt', 'restore'],
        ['new.txt', 'delete'],
        ['old.txt', 'create'],
      ],
    );
    await checkpoints.rewind(left.to, left.preview.plan.steps);
    assert.deepEqual(Object.keys(treeOf(place.folder)), [
      'earlier.txt',
      'edited.txt',
      'empty',
      'gone.txt',
      'kept.txt',
      'old.txt',
    ]);
    assert.equal(readFileSync(file('kept.txt'), 'utf8'), 'two\n', 'the edit of an earlier prompt stays');
    const none = await checkpoints.leftByCommands([file('edited.txt')]);
    assert.deepEqual(none?.preview.plan.steps, []);
    await checkpoints.close();
  });

  it('says what it does not cover', async () => {
    write('small.txt', '12345');
    write('large.txt', '1234567890');
    const checkpoints = openCheckpoints(place, { limits: { files: 100, fileBytes: 8, allBytes: 1_000 } });
    await runTurns(place, checkpoints, [
      [bash('for name in small large; do file=$(echo $name.txt); echo changed > "$file"; done')],
    ]);
    const preview = (await checkpoints.preview(await pointOf(checkpoints, 0))) ?? assert.fail();
    assert.deepEqual(
      preview.plan.steps.map((step) => step.path),
      [file('small.txt')],
    );
    assert.deepEqual(preview.plan.lost, [{ path: file('large.txt'), why: 'too large to back up' }]);
    await checkpoints.close();
  });

  it('does not write through a folder that has become a link', async () => {
    write('inside/a.txt', 'one\n');
    const checkpoints = openCheckpoints(place);
    await runTurns(place, checkpoints, [[bash('echo two > inside/a.txt')]]);
    execFileSync('mv', [file('inside'), path.join(place.root, 'outside')]);
    symlinkSync(path.join(place.root, 'outside'), file('inside'));
    const to = await pointOf(checkpoints, 0);
    const { failed } = await checkpoints.rewind(to, [{ path: file('inside/a.txt') }]);
    assert.match(failed[0]?.message ?? '', /was left alone/);
    assert.equal(readFileSync(path.join(place.root, 'outside/a.txt'), 'utf8'), 'two\n');
    await checkpoints.close();
  });

  it('tells what another program wrote once a command had ended from what the command wrote', async () => {
    write('a.txt', 'one\n');
    write('b.txt', 'one\n');
    const checkpoints = openCheckpoints(place);
    checkpoints.prompt('p1', 'Go');
    const ended = await checkpoints.before({ id: 'c1', files: [], anything: true, othersRun: false });
    write('a.txt', 'by the command\n');
    const settled = ended();
    // Before the look that follows, and later than any clock of a file system goes behind.
    for (const until = Date.now() + 40; Date.now() < until;);
    write('b.txt', 'by a formatter\n');
    write('c.txt', 'by a generator\n');
    await settled;
    const plan = (await checkpoints.preview('p1'))?.plan;
    assert.deepEqual(
      plan?.steps.map((step) => [path.basename(step.path), step.others]),
      [
        ['a.txt', undefined],
        ['b.txt', 'unknown'],
        ['c.txt', 'unknown'],
      ],
    );
    await checkpoints.close();
  });

  it('gives a fork the checkpoints of a session that is not open, also while it goes on, and none where there are none', async () => {
    write('a.txt', 'one\n');
    const first = openCheckpoints(place);
    await runTurns(place, first, [[bash('echo two > a.txt')]]);
    const to = await pointOf(first, 0);
    const all = createNodeCheckpoints({
      ripgrep: async () => undefined,
      log: {
        debug: () => undefined,
        info: () => undefined,
        warn: (message) => assert.fail(message),
        error: () => undefined,
      },
      uuid: () => 'u',
      early: true,
    });
    const folderOf = (id: string): string => path.join(place.sessions, id, 'tool-results');
    // Its window still has it open.
    await all.copy(folderOf('session-1'), folderOf('fork'));
    await all.copy(folderOf('nobody'), folderOf('fork-of-nobody'));
    assert.ok(!existsSync(path.join(place.sessions, 'fork-of-nobody')));
    await first.close();
    const fork = openCheckpoints(place, {}, 'fork');
    await rewindAll(fork, to);
    assert.equal(readFileSync(file('a.txt'), 'utf8'), 'one\n');
    // A second copy leaves alone what the fork has kept since.
    const log = path.join(place.sessions, 'fork', 'checkpoints', 'log.jsonl');
    const before = readFileSync(log, 'utf8');
    await all.copy(folderOf('session-1'), folderOf('fork'));
    assert.equal(readFileSync(log, 'utf8'), before);
    await fork.close();
  });

  it('takes the bytes of an earlier session by hard links, and a fork gets them all', async () => {
    write('a.txt', 'one\n');
    const first = openCheckpoints(place);
    await runTurns(place, first, [[bash('echo two > a.txt')]]);
    const to = await pointOf(first, 0);
    await first.copyTo('fork');
    await first.close();
    const fork = openCheckpoints(place, {}, 'fork');
    await rewindAll(fork, to);
    assert.equal(readFileSync(file('a.txt'), 'utf8'), 'one\n');
    await fork.close();
  });
});
