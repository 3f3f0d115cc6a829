// Worktrees of chats by real git: made, set up, found again by what a log says, compared with the checkout, and brought there as commits.
import assert from 'node:assert/strict';
import { existsSync, readlinkSync } from 'node:fs';
import { readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Worktree } from '../../../../src/core/ports/worktrees';
import { bringCommits } from '../../../../src/node/worktrees/bring-commits';
import { createRunGit } from '../../../../src/node/worktrees/run-git';
import { createSessionTrees, type SessionTrees } from '../../../../src/node/worktrees/session-trees';
import { setUpTree } from '../../../../src/node/worktrees/set-up-tree';
import { mergeTexts, treeChanges } from '../../../../src/node/worktrees/tree-changes';
import { createTestRepository, gitEnvironment, gitIn, type TestRepository } from '../../../support/git-repository';

const never = new AbortController().signal;

describe('the worktree of a chat', function () {
  this.timeout(60_000);
  const run = createRunGit(async () => gitEnvironment);
  let repository: TestRepository;
  let trees: SessionTrees;
  let all: string;
  beforeEach(async () => {
    repository = await createTestRepository();
    all = `${repository.folder}-trees`;
    trees = createSessionTrees(run, all);
  });
  afterEach(async () => {
    await repository.remove();
    await rm(all, { recursive: true, force: true });
  });

  const create = async (branch = 'feature/one', base = 'HEAD'): Promise<Worktree> => {
    const made = await trees.create({ folder: repository.folder, folders: [repository.folder], branch, base }, never);
    assert.ok(typeof made !== 'string', String(made));
    return made;
  };
  const put = (tree: Worktree, name: string, text: string) => writeFile(path.join(tree.path, name), text);
  const commit = async (tree: Worktree, message: string) => {
    await gitIn(tree.path, 'add', '--all');
    await gitIn(tree.path, 'commit', '--quiet', '-m', message);
  };
  const state = async (): Promise<string> =>
    [
      await repository.git('status', '--porcelain=v2', '--branch', '--untracked-files=all'),
      await repository.git('ls-files', '--stage'),
      await repository.git('worktree', 'list', '--porcelain'),
    ].join('\n');
  const bring = async (tree: Worktree, unsaved: (name: string) => boolean = () => false) => {
    const changes = await treeChanges(tree, run);
    assert.ok(typeof changes !== 'string', String(changes));
    return bringCommits(tree, changes, { run, unsaved });
  };

  it('is on the branch and at the commit that the user chose, and nobody has locked it', async () => {
    const first = await repository.git('rev-parse', 'HEAD');
    await repository.write('a.txt', 'later\n');
    await repository.git('commit', '--quiet', '-am', 'Later');
    await repository.write('a.txt', 'not committed\n');
    const tree = await create('feature/one', 'HEAD~1');
    assert.equal(tree.base, first);
    assert.equal(path.basename(tree.path), 'feature-one');
    assert.equal(await gitIn(tree.path, 'symbolic-ref', '--short', 'HEAD'), 'feature/one');
    assert.doesNotMatch(await repository.git('worktree', 'list', '--porcelain'), /locked/);
    assert.deepEqual(await trees.state(tree), { branch: 'feature/one', ahead: 0, behind: 1, files: 0 });
    const facts = await trees.repository(repository.folder);
    assert.ok(typeof facts !== 'string');
    assert.deepEqual([facts.head, facts.uncommitted], ['main', 1]);
    assert.deepEqual(facts.branches.map(({ name }) => name).sort(), ['feature/one', 'main']);
  });

  it('says why it cannot be made', async () => {
    const wanted = { folder: repository.folder, folders: [repository.folder], branch: 'main', base: 'HEAD' };
    assert.match(String(await trees.create(wanted, never)), /main.*already exists/);
    assert.match(String(await trees.create({ ...wanted, branch: 'x', base: 'nowhere' }, never)), /names no commit/);
    assert.match(String(await trees.create({ ...wanted, branch: 'x', base: '--all' }, never)), /names no commit/);
    assert.match(String(await trees.repository(path.dirname(repository.folder))), /in no git repository/);
  });

  it('is found again, also where its folder is gone, and nothing else is taken for it', async () => {
    const tree = await create();
    const folders = [repository.folder];
    assert.deepEqual(await trees.find(tree, folders, true), { worktree: tree, restored: false });
    for (const path of ['/', repository.folder, all, `${tree.path}/..`, `${tree.path}-2/../../x`])
      assert.equal(typeof (await trees.find({ ...tree, path }, folders, true)), 'string', path);
    await rm(tree.path, { recursive: true });
    assert.match(String(await trees.find(tree, folders, false)), /is gone/);
    assert.deepEqual(await trees.find(tree, folders, true), { worktree: tree, restored: true });
    assert.equal(await readFile(path.join(tree.path, 'a.txt'), 'utf8'), 'one\n');
    await writeFile(path.join(tree.path, '.git'), `gitdir: ${path.join(repository.folder, '.git')}\n`);
    assert.match(String(await trees.find(tree, folders, true)), /not as git created it/);
    assert.equal(await trees.state(tree), undefined);
    await rm(tree.path, { recursive: true });
    await repository.git('worktree', 'prune');
    await repository.git('branch', '-D', 'feature/one');
    assert.match(String(await trees.find(tree, folders, true)), /and so is its branch/);
  });

  it('gets what the settings name, within the repository and over nothing', async () => {
    await repository.write('.gitignore', 'dist\n.env\nnode_modules/\n');
    await repository.git('commit', '--quiet', '-am', 'Ignore');
    await repository.write('.env', 'A=1\n');
    await repository.write('node_modules/pack/index.js', 'x\n');
    await repository.write('node_modules/.lock.json', '{}\n');
    await repository.write('loose/x', 'x\n');
    await symlink('/etc/hostname', path.join(repository.folder, 'leak'));
    const tree = await create();
    const done = await setUpTree(
      tree,
      {
        copy: ['.env', 'a.txt', '../x', '/etc/passwd', 'none', 'leak', '.git/config'],
        link: ['node_modules', 'loose'],
      },
      run,
    );
    assert.deepEqual(done.copied, ['.env']);
    assert.deepEqual(done.linked, ['node_modules']);
    assert.equal(done.left.length, 7, done.left.join('\n'));
    assert.equal(
      readlinkSync(path.join(tree.path, 'node_modules/pack')),
      path.join(repository.folder, 'node_modules/pack'),
    );
    assert.equal(await gitIn(tree.path, 'status', '--porcelain'), '', 'nothing of it is there to commit');
    await put(tree, 'node_modules/.lock.json', '{"other":1}\n');
    assert.equal(await readFile(path.join(repository.folder, 'node_modules/.lock.json'), 'utf8'), '{}\n');
  });

  it('has changes, committed or not, whatever their names; what is no text is named', async () => {
    const tree = await create();
    await put(tree, 'a.txt', 'one\nmore\n');
    await commit(tree, 'More');
    await put(tree, ' odd "name".txt', 'new\n');
    await put(tree, 'picture.bin', 'a\0b');
    await rm(path.join(tree.path, 'src/b.txt'));
    await symlink('/etc', path.join(tree.path, 'way-out'));
    const changes = await treeChanges(tree, run);
    assert.ok(typeof changes !== 'string');
    assert.deepEqual(changes.texts, [
      { name: ' odd "name".txt', base: undefined, theirs: 'new\n' },
      { name: 'a.txt', base: 'one\n', theirs: 'one\nmore\n' },
      { name: 'src/b.txt', base: 'two\n', theirs: undefined },
    ]);
    assert.deepEqual(
      changes.left.map(({ name, why }) => `${name}: ${why}`),
      ['picture.bin: it is no UTF-8 text', 'way-out: it is a link'],
    );
    assert.deepEqual(
      changes.commits.map(({ subject }) => subject),
      ['More'],
    );
    assert.equal(changes.uncommitted.length, 4);
    assert.deepEqual(await trees.state(tree), { branch: 'feature/one', ahead: 1, behind: 0, files: 4 });
  });

  it('merges texts three-way and counts what clashes', async () => {
    const base = 'a\nb\nc\nd\ne\n';
    const labels = { ours: 'here', theirs: 'there' };
    const merged = await mergeTexts(
      { base, ours: base.replace('a', 'A'), theirs: base.replace('e', 'E') },
      labels,
      run,
    );
    assert.deepEqual(merged, { text: 'A\nb\nc\nd\nE\n', conflicts: 0 });
    const clash = await mergeTexts({ base, ours: base.replace('c', 'X'), theirs: base.replace('c', 'Y') }, labels, run);
    assert.ok(typeof clash !== 'string' && clash.conflicts === 1);
    assert.match(clash.text, /<<<<<<< here\nX\n=======\nY\n>>>>>>> there/);
  });

  it('brings its commits onto the checkout, forward or on top, and leaves other changes alone', async () => {
    const tree = await create();
    await put(tree, 'a.txt', 'one\ntree\n');
    await commit(tree, 'Tree');
    await repository.write('src/b.txt', 'mine\n');
    await repository.write('staged.txt', 'staged\n');
    await repository.git('add', 'staged.txt');
    assert.deepEqual(await bring(tree), { outcome: 'brought', count: 1 });
    assert.equal(await readFile(path.join(repository.folder, 'a.txt'), 'utf8'), 'one\ntree\n');
    assert.equal(await repository.git('diff', '--cached', '--name-only'), 'staged.txt');
    assert.equal(await readFile(path.join(repository.folder, 'src/b.txt'), 'utf8'), 'mine\n');
    await repository.git('commit', '--quiet', '-am', 'Mine');
    await put(tree, 'other.txt', 'x\n');
    await commit(tree, 'Other');
    assert.deepEqual(await bring(tree), { outcome: 'brought', count: 1 });
    assert.equal(await repository.git('log', '-1', '--format=%s'), 'Other');
    assert.equal(await repository.git('status', '--porcelain'), '');
  });

  it('brings no commit where something is in the way, says what, and leaves all as it was', async () => {
    const tree = await create();
    assert.match(JSON.stringify(await bring(tree)), /no commit that your checkout does not have/);
    await put(tree, 'a.txt', 'tree\n');
    await put(tree, 'fresh.txt', 'tree\n');
    await commit(tree, 'Tree');
    const refuses = async (why: RegExp, unsaved?: (name: string) => boolean) => {
      const before = await state();
      assert.match(JSON.stringify(await bring(tree, unsaved)), why);
      assert.equal(await state(), before);
    };
    await repository.write('fresh.txt', 'mine\n');
    await refuses(/not committed: fresh\.txt/);
    await rm(path.join(repository.folder, 'fresh.txt'));
    await refuses(/unsaved changes in the editor: a\.txt/, (name) => name === 'a.txt');
    await repository.write('a.txt', 'mine\n');
    await refuses(/not committed: a\.txt/);
    await repository.git('commit', '--quiet', '-am', 'Mine');
    await refuses(/other changes in the same places of a\.txt/);
    await repository.git('merge', '--quiet', '--no-commit', 'feature/one').catch(() => undefined);
    assert.ok(existsSync(path.join(repository.folder, '.git/MERGE_HEAD')));
    assert.match(JSON.stringify(await bring(tree)), /in the middle of a merge/);
  });
});
