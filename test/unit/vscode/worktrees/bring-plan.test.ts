// Bringing a worktree's changes as edits: what would land is known before anything does, and all of it lands or nothing.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { type Worktree } from '../../../../src/core/ports/worktrees';
import { viewWorktree, type WorktreeView } from '../../../../src/core/subagents/worktree-view';
import { createNodeFileSystem } from '../../../../src/node/files/node-file-system';
import { createRunGit } from '../../../../src/node/worktrees/run-git';
import { createSessionTrees } from '../../../../src/node/worktrees/session-trees';
import { treeChanges } from '../../../../src/node/worktrees/tree-changes';
import { type BringPlan, hasMarks, planBringing, writeBrought } from '../../../../src/vscode/worktrees/bring-plan';
import { createTestRepository, gitEnvironment, type TestRepository } from '../../../support/git-repository';

describe('bringing changes of a worktree as edits', function () {
  this.timeout(60_000);
  const run = createRunGit(async () => gitEnvironment);
  const files = createNodeFileSystem();
  let repository: TestRepository;
  let all: string;
  let tree: Worktree;
  let view: WorktreeView;
  beforeEach(async () => {
    repository = await createTestRepository();
    all = `${repository.folder}-trees`;
    await repository.write('a.txt', 'one\ntwo\nthree\nfour\nfive\n');
    await repository.write('gone.txt', 'gone\n');
    await repository.write('mine-gone.txt', 'x\n');
    await repository.git('add', '.');
    await repository.git('commit', '--quiet', '-m', 'Second');
    const wanted = { folder: repository.folder, folders: [repository.folder], branch: 'work', base: 'HEAD' };
    const made = await createSessionTrees(run, all).create(wanted, new AbortController().signal);
    assert.ok(typeof made !== 'string', String(made));
    tree = made;
    const links = { realPath: (one: string) => files.realPath(one), ignoreCase: false };
    view = await viewWorktree(tree, [repository.folder], links);
  });
  afterEach(async () => {
    await repository.remove();
    await rm(all, { recursive: true, force: true });
  });

  const there = (name: string, text: string): void => writeFileSync(path.join(tree.path, name), text);
  const here = (name: string): string => readFileSync(path.join(repository.folder, name), 'utf8');
  const plan = async (): Promise<BringPlan> => {
    const changes = await treeChanges(tree, run);
    assert.ok(typeof changes !== 'string', String(changes));
    return planBringing(changes, { view, files, run });
  };
  const land = (of: BringPlan) =>
    writeBrought(
      of.files.map(({ proposal: { path: at, base, text } }) => ({ path: at, base, text })),
      'session',
      files,
    );

  it('merges with what was changed here, names conflicts and what cannot come, and writes nothing meanwhile', async () => {
    there('a.txt', 'one\nTWO\nthree\nfour\nfive\n');
    there('src/b.txt', 'theirs\n');
    there('new.txt', 'new\n');
    there('both.txt', 'same\n');
    there('mine-gone.txt', 'changed\n');
    await rm(path.join(tree.path, 'gone.txt'));
    await repository.write('a.txt', 'one\ntwo\nthree\nfour\nFIVE\n');
    await repository.write('src/b.txt', 'ours\n');
    await repository.write('both.txt', 'same\n');
    await rm(path.join(repository.folder, 'mine-gone.txt'));
    const before = await repository.git('status', '--porcelain');
    const found = await plan();
    assert.deepEqual(
      found.files.map(({ name, conflicts }) => [name, conflicts]),
      [
        ['a.txt', 0],
        ['new.txt', 0],
        ['src/b.txt', 1],
      ],
    );
    assert.equal(found.files[0]?.proposal.text, 'one\nTWO\nthree\nfour\nFIVE\n');
    assert.ok(hasMarks(found.files[2]?.proposal.text ?? ''));
    assert.equal(hasMarks('a\n<<<<<<< not\nresolved'), false);
    assert.equal(found.same, 1);
    assert.deepEqual(
      found.left.map(({ name }) => name),
      ['gone.txt', 'mine-gone.txt'],
    );
    assert.equal(await repository.git('status', '--porcelain'), before);
    assert.equal(await land({ ...found, files: found.files.slice(0, 2) }), undefined);
    assert.equal(here('a.txt'), 'one\nTWO\nthree\nfour\nFIVE\n');
    assert.equal(here('new.txt'), 'new\n');
    assert.equal(here('src/b.txt'), 'ours\n');
    const again = await plan();
    assert.deepEqual(
      again.files.map(({ name }) => name),
      ['src/b.txt'],
      'what is here already does not come twice',
    );
  });

  it('writes none of them where one was changed since', async () => {
    there('a.txt', 'theirs\n');
    there('src/b.txt', 'theirs\n');
    const found = await plan();
    await repository.write('src/b.txt', 'meanwhile\n');
    assert.match(String(await land(found)), /src\/b\.txt was changed meanwhile, so nothing was written/);
    assert.equal(here('a.txt'), 'one\ntwo\nthree\nfour\nfive\n');
  });

  it('puts back what was written where a later file fails', async () => {
    there('a.txt', 'theirs\n');
    there('src/b.txt', 'theirs\n');
    const found = await plan();
    const failing = {
      readText: files.readText,
      writeText: (async (change) =>
        change.path.endsWith('b.txt')
          ? { outcome: 'refused', code: 'no_space', message: 'The disk is full.' }
          : files.writeText(change)) as typeof files.writeText,
    };
    const texts = found.files.map(({ proposal: { path: at, base, text } }) => ({ path: at, base, text }));
    assert.equal(await writeBrought(texts, 'session', failing), 'The disk is full. Nothing was brought.');
    assert.equal(here('a.txt'), 'one\ntwo\nthree\nfour\nfive\n');
  });

  it('follows no link out of the checkout', async () => {
    const elsewhere = `${all}-elsewhere`;
    await mkdir(elsewhere);
    try {
      await mkdir(path.join(tree.path, 'docs'));
      there('docs/x.md', 'x\n');
      symlinkSync(elsewhere, path.join(repository.folder, 'docs'));
      const found = await plan();
      assert.deepEqual(found.files, []);
      assert.match(found.left[0]?.why ?? '', /leads out of your checkout/);
      assert.equal(existsSync(path.join(elsewhere, 'x.md')), false);
    } finally {
      await rm(elsewhere, { recursive: true });
    }
  });
});
