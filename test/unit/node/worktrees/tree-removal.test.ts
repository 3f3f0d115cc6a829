// Removing worktrees of chats, by real git: which are listed, what is only in them, and that nothing else goes with them.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createRunGit } from '../../../../src/node/worktrees/run-git';
import { createSessionTrees } from '../../../../src/node/worktrees/session-trees';
import { setUpTree } from '../../../../src/node/worktrees/set-up-tree';
import {
  losesNothing,
  type MadeTree,
  madeTrees,
  programsIn,
  type RemovedTree,
  removeTree,
  sizeOfTree,
  treeLoss,
  type TreeLoss,
} from '../../../../src/node/worktrees/tree-removal';
import { lockReason } from '../../../../src/node/worktrees/worktree-lock';
import { createTestRepository, gitEnvironment, gitIn, type TestRepository } from '../../../support/git-repository';

describe('removing worktrees of chats', function () {
  this.timeout(60_000);
  const run = createRunGit(async () => gitEnvironment);
  let repository: TestRepository;
  let all: string;
  beforeEach(async () => {
    repository = await createTestRepository();
    all = `${repository.folder}-trees`;
    await repository.write('.gitignore', 'dist\n.env\nnode_modules/\nvendor/\n');
    await repository.git('commit', '--quiet', '-am', 'Ignore');
  });
  afterEach(async () => {
    await repository.remove();
    await rm(all, { recursive: true, force: true });
  });

  const places = () => ({ run, folder: all });
  const listed = async (): Promise<MadeTree[]> => {
    const found = await madeTrees(repository.folder, places());
    assert.ok(typeof found !== 'string', String(found));
    return found;
  };
  const named = async (branch: string): Promise<MadeTree> => {
    const tree = (await listed()).find((one) => one.branch === branch);
    return tree ?? assert.fail(`${branch} is not listed`);
  };
  const make = async (branch: string, base = 'HEAD'): Promise<MadeTree> => {
    const made = await createSessionTrees(run, all).create(
      { folder: repository.folder, folders: [repository.folder], branch, base },
      new AbortController().signal,
    );
    assert.ok(typeof made !== 'string', String(made));
    return named(branch);
  };
  const put = async (tree: MadeTree, name: string, text: string) => {
    await mkdir(path.dirname(path.join(tree.path, name)), { recursive: true });
    await writeFile(path.join(tree.path, name), text);
  };
  const commit = async (tree: MadeTree, message: string) => {
    await gitIn(tree.path, 'add', '--all');
    await gitIn(tree.path, 'commit', '--quiet', '-m', message);
  };
  const loss = async (tree: MadeTree, going: readonly string[] = []): Promise<TreeLoss> => {
    const found = await treeLoss(tree, going, run);
    assert.ok(typeof found !== 'string', String(found));
    return found;
  };
  const subjects = ({ commits }: TreeLoss) => commits.map(({ subject }) => subject);
  const remove = (tree: MadeTree, agreed: TreeLoss, withBranch = true): Promise<RemovedTree> =>
    removeTree(tree, agreed, { withBranch, going: [], ...places() });
  const branches = async () => (await repository.git('branch', '--format=%(refname:short)')).split('\n').sort();
  const nothing: TreeLoss = { files: [], ignored: [], commits: [] };

  it('lists those that Deft made for chats of this repository: no others, and no agents’', async () => {
    const tree = await make('feature/one');
    await repository.git('worktree', 'add', '--quiet', '-b', 'own', `${repository.folder}-own`);
    await repository.git('worktree', 'add', '--quiet', '-b', 'worktree-agent-a1', path.join(tree.path, '../agent-a1'));
    try {
      const head = await repository.git('rev-parse', 'HEAD');
      assert.deepEqual(await listed(), [
        {
          path: tree.path,
          checkout: repository.folder,
          branch: 'feature/one',
          head,
          ownsBranch: true,
          locked: undefined,
          gone: false,
        },
      ]);
      // The same from a chat's own worktree.
      assert.equal((await madeTrees(tree.path, places())).length, 1);
      assert.match(String(await madeTrees(path.dirname(repository.folder), places())), /in no git repository/);
    } finally {
      await rm(`${repository.folder}-own`, { recursive: true, force: true });
    }
  });

  it('removes one without changes, with its branch', async () => {
    const tree = await make('idle');
    assert.deepEqual(await loss(tree), nothing);
    assert.deepEqual(await remove(tree, nothing), { branch: true });
    assert.equal(existsSync(tree.path), false);
    assert.deepEqual(await branches(), ['main']);
    assert.deepEqual(await listed(), []);
  });

  it('names what is only there: files, ignored ones that the checkout has otherwise, commits', async () => {
    await repository.write('.env', 'A=1\n');
    await repository.write('vendor/pack/index.js', 'x\n');
    await repository.write('node_modules/pack/index.js', 'x\n');
    const tree = await make('work');
    await setUpTree(tree, { copy: ['.env'], link: ['vendor', 'node_modules'] }, run);
    assert.ok(losesNothing(await loss(tree)), 'copies and links of the checkout are nothing of its own');
    await put(tree, 'b.txt', 'b\n');
    await commit(tree, 'Add b');
    await put(tree, 'a.txt', 'changed\n');
    await put(tree, ' odd "name".txt', 'new\n');
    await put(tree, '.env', 'A=2\n');
    await put(tree, 'dist/out.js', 'built\n');
    await put(tree, 'node_modules/installed/index.js', 'remade\n');
    const found = await loss(await named('work'));
    assert.deepEqual(found.files.sort(), [' odd "name".txt', 'a.txt']);
    assert.deepEqual(found.ignored.sort(), ['.env', 'dist/']);
    assert.deepEqual(subjects(found), ['Add b']);
  });

  it('removes what the user agreed to lose, and nothing that its links lead to', async () => {
    await repository.write('node_modules/pack/index.js', 'x\n');
    const tree = await make('work');
    await setUpTree(tree, { link: ['node_modules'] }, run);
    await put(tree, 'b.txt', 'b\n');
    await commit(tree, 'Add b');
    await put(tree, 'a.txt', 'changed\n');
    await symlink(repository.folder, path.join(tree.path, 'to-checkout'));
    const before = await repository.git('status', '--porcelain=v2', '--branch');
    const now = await named('work');
    assert.deepEqual(await remove(now, await loss(now)), { branch: true });
    assert.equal(existsSync(tree.path), false);
    assert.equal(await readFile(path.join(repository.folder, 'node_modules/pack/index.js'), 'utf8'), 'x\n');
    assert.equal(await readFile(path.join(repository.folder, 'a.txt'), 'utf8'), 'one\n');
    assert.equal(await repository.git('status', '--porcelain=v2', '--branch'), before);
    assert.deepEqual(await branches(), ['main']);
  });

  it('keeps the branch where the user wants that, and where it is not the one that the worktree was made with', async () => {
    const tree = await make('work');
    await put(tree, 'b.txt', 'b\n');
    await commit(tree, 'Add b');
    const now = await named('work');
    assert.deepEqual(await remove(now, await loss(now), false), {});
    assert.deepEqual(await branches(), ['main', 'work']);
    const other = await make('other');
    await repository.git('branch', 'develop');
    await gitIn(other.path, 'checkout', '--quiet', 'develop');
    const switched = await named('develop');
    assert.equal(switched.ownsBranch, false);
    assert.deepEqual(await remove(switched, await loss(switched)), {});
    assert.deepEqual(await branches(), ['develop', 'main', 'other', 'work']);
  });

  it('knows the branch that a worktree was made with by the name of its folder, numbers included', async () => {
    const first = await make('a/fix');
    const second = await make('a-fix');
    assert.deepEqual(
      [first, second].map((tree) => path.basename(tree.path)),
      ['a-fix', 'a-fix-2'],
    );
    assert.deepEqual([first.ownsBranch, second.ownsBranch], [true, true]);
    const other = await make('a-fix-3');
    await remove(second, nothing, false);
    await gitIn(other.path, 'checkout', '--quiet', 'a-fix');
    assert.equal((await named('a-fix')).ownsBranch, false, 'it was made for a-fix-3');
  });

  it('leaves one that was changed since the user was asked', async () => {
    const tree = await make('work');
    const agreed = await loss(tree);
    await put(tree, 'late.txt', 'late\n');
    assert.deepEqual(await remove(tree, agreed), { stays: 'it was changed meanwhile.' });
    await commit(tree, 'Late');
    assert.deepEqual(await remove(tree, agreed), { stays: 'a commit was made there just now.' });
    assert.equal(await readFile(path.join(tree.path, 'late.txt'), 'utf8'), 'late\n');
    assert.deepEqual(await branches(), ['main', 'work']);
  });

  it('knows commits of other branches and tags, and that two which go together lose what both have', async () => {
    const tree = await make('work');
    await put(tree, 'b.txt', 'b\n');
    await commit(tree, 'Add b');
    const twin = await make('twin', 'work');
    const now = await named('work');
    assert.deepEqual(await loss(now), nothing);
    assert.deepEqual(await loss(twin), nothing);
    assert.deepEqual(subjects(await loss(now, ['work', 'twin'])), ['Add b']);
    await repository.git('tag', 'kept', 'work');
    assert.deepEqual(await loss(now, ['work', 'twin']), nothing);
    await repository.git('tag', '-d', 'kept');
    await repository.git('update-ref', 'refs/remotes/origin/work', 'work');
    assert.deepEqual(await loss(now, ['work', 'twin']), nothing, 'it was pushed');
  });

  it('names commits that no branch has where none is checked out, and refuses in the middle of a merge', async () => {
    const tree = await make('work');
    await gitIn(tree.path, 'checkout', '--quiet', '--detach');
    await put(tree, 'a.txt', 'there\n');
    await commit(tree, 'Loose');
    const [loose] = await listed();
    assert.ok(loose);
    assert.deepEqual([loose.branch, loose.ownsBranch], [undefined, false]);
    assert.deepEqual(subjects(await loss(loose)), ['Loose']);
    await repository.write('a.txt', 'here\n');
    await repository.git('commit', '--quiet', '-am', 'Here');
    await assert.rejects(gitIn(tree.path, 'merge', 'main'));
    assert.match(String(await treeLoss(loose, [], run)), /in the middle of a merge/);
  });

  it('keeps what somebody has locked, and what is not as git made it; a lock of a run that has ended does not count', async () => {
    const tree = await make('work');
    await repository.git('worktree', 'lock', '--reason', 'mine', tree.path);
    assert.equal((await named('work')).locked, 'mine');
    assert.match((await remove(tree, nothing)).stays ?? '', /locked/);
    await repository.git('worktree', 'unlock', tree.path);
    await repository.git('worktree', 'lock', '--reason', lockReason(tree.head), tree.path);
    assert.equal((await named('work')).locked, undefined);
    assert.deepEqual(await remove(tree, nothing), { branch: true });
    const forged = await make('forged');
    await writeFile(path.join(forged.path, '.git'), `gitdir: ${path.join(repository.folder, '.git')}\n`);
    assert.match((await remove(forged, nothing)).stays ?? '', /not as git created it/);
    assert.ok(existsSync(forged.path));
  });

  it('clears what is left of one whose folder was taken away', async () => {
    const tree = await make('work');
    await rm(tree.path, { recursive: true });
    const left = await named('work');
    assert.equal(left.gone, true);
    assert.deepEqual(await remove(left, await loss(left)), { branch: true });
    assert.deepEqual([await listed(), await branches()], [[], ['main']]);
  });

  it('counts its size, up to a number of files', async () => {
    const tree = await make('work');
    const { bytes, more } = await sizeOfTree(tree.path, 100);
    await put(tree, 'big.txt', 'x'.repeat(1_000));
    assert.deepEqual(await sizeOfTree(tree.path, 100), { bytes: bytes + 1_000, more: false });
    assert.equal(more, false);
    assert.equal((await sizeOfTree(tree.path, 1)).more, true);
  });

  it('knows a program that stands in it, where the system tells', async function () {
    if (process.platform !== 'linux') this.skip();
    const tree = await make('work');
    assert.deepEqual(await programsIn(tree.path), []);
    const child = spawn(process.execPath, ['-e', 'console.log(1); setInterval(() => {}, 1000)'], {
      cwd: path.join(tree.path, 'src'),
    });
    try {
      await new Promise((resolve) => child.stdout.once('data', resolve));
      const found = await programsIn(tree.path);
      assert.equal(found.length, 1, found.join());
      assert.match(found[0] ?? '', new RegExp(`\\(process ${child.pid}\\)$`));
    } finally {
      child.kill('SIGKILL');
    }
  });
});
