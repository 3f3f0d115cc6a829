// Commits of chosen changes with real git: exactly those, and everything else as it was, also where a hook fails half way.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { partsOf, utf8Of } from '../../../../src/core/commit/changes';
import { makeCommits, type CommitsOutcome } from '../../../../src/node/commits/make-commits';
import { readUncommitted, type Uncommitted } from '../../../../src/node/commits/read-changes';
import { addGitHook, createTestRepository, gitEnvironment, type TestRepository } from '../../../support/git-repository';

const numbered = (change: Record<number, string> = {}): string =>
  Array.from({ length: 40 }, (_line, index) => `${change[index + 1] ?? `line ${index + 1}`}\n`).join('');

describe('commits of chosen changes', function () {
  this.timeout(60_000);
  let repository: TestRepository;
  let git: TestRepository['git'];
  const environment = async (): Promise<NodeJS.ProcessEnv> => gitEnvironment;
  const read = (): Promise<Uncommitted> => readUncommitted(environment, repository.folder);
  /** Ids of the parts of these files, in the order of the files. */
  const idsOf = ({ changes }: Uncommitted, ...files: string[]): string[] =>
    partsOf(changes).flatMap(({ change, part }) => (files.includes(change.path) ? [part.id] : []));
  const commit = (found: Uncommitted, ...commits: [message: string, parts: string[]][]): Promise<CommitsOutcome> =>
    makeCommits(
      found,
      commits.map(([message, parts]) => ({ message, parts })),
    );
  const made = async (found: Uncommitted, message: string, parts: string[]): Promise<void> => {
    const outcome = await commit(found, [message, parts]);
    assert.equal(outcome.kind, 'made', JSON.stringify(outcome));
  };
  /** All that must be as it was: HEAD, what is staged with its content, and the files. */
  const state = async (): Promise<string[]> => [
    await git('rev-parse', 'HEAD'),
    await git('diff', '--cached'),
    await git('status', '--porcelain', '-z'),
    await git('reflog', '-1', '--format=%H'),
  ];
  const inLast = async (): Promise<string[]> =>
    (await git('show', '--no-renames', '--name-status', '--format=', 'HEAD')).split('\n').sort();

  beforeEach(async () => {
    repository = await createTestRepository();
    ({ git } = repository);
    await repository.write('many.txt', numbered());
    await repository.write('run.sh', 'true\n');
    await git('add', '.');
    await git('commit', '-qm', 'Second');
  });
  afterEach(() => repository.remove());

  it('miss no change that is as long and as old as what git knows', async () => {
    const [file, index] = [path.join(repository.folder, 'run.sh'), path.join(repository.folder, '.git/index')];
    const then = new Date(Math.floor(Date.now() / 1_000) * 1_000 - 60_000);
    await git('config', 'core.trustctime', 'false');
    await utimes(file, then, then);
    await git('add', 'run.sh');
    await utimes(index, then, then);
    await repository.write('run.sh', 'fals\n');
    await utimes(file, then, then);
    assert.deepEqual(
      (await read()).changes.map((change) => change.path),
      ['run.sh'],
    );
  });

  it('take chosen hunks, and leave what is staged, the other hunks and new files as they were', async () => {
    await repository.write('a.txt', 'staged by the user\n');
    await git('add', 'a.txt');
    // One file with three hunks: the first is staged, the second is committed.
    await repository.write('many.txt', numbered({ 2: 'USER' }));
    await git('add', 'many.txt');
    await repository.write('many.txt', numbered({ 2: 'USER', 20: 'DEFT', 38: 'later' }));
    await repository.write('other.txt', 'untracked\n');
    const found = await read();
    const many = idsOf(found, 'many.txt');
    assert.equal(many.length, 3);
    await made(found, 'Take the middle\n\n# no comment', [many[1] ?? '']);
    assert.equal(await git('log', '-1', '--format=%B'), 'Take the middle\n\n# no comment');
    assert.deepEqual(await inLast(), ['M\tmany.txt']);
    assert.equal(await git('show', 'HEAD:many.txt'), numbered({ 20: 'DEFT' }).trim());
    assert.equal(
      await git('show', ':many.txt'),
      numbered({ 2: 'USER', 20: 'DEFT' }).trim(),
      'staged as before, on top',
    );
    assert.equal(await git('show', ':a.txt'), 'staged by the user');
    assert.equal(
      await readFile(path.join(repository.folder, 'many.txt'), 'utf8'),
      numbered({ 2: 'USER', 20: 'DEFT', 38: 'later' }),
    );
    assert.deepEqual((await git('status', '--porcelain')).split('\n'), ['M  a.txt', 'MM many.txt', '?? other.txt']);
    assert.deepEqual((await git('diff', '--name-only')).split('\n'), ['many.txt']);
  });

  it('take new, deleted, renamed, executable and linked files, those without a line feed, and bytes that are no UTF-8', async () => {
    await repository.write('neu ü "x".txt', 'no line feed');
    await rm(path.join(repository.folder, 'a.txt'));
    await rename(path.join(repository.folder, 'many.txt'), path.join(repository.folder, 'src/moved.txt'));
    await chmod(path.join(repository.folder, 'run.sh'), 0o755);
    await symlink('run.sh', path.join(repository.folder, 'link'));
    await repository.write('src/b.txt', Buffer.from([0xe9, 0x0a, 0xff, 0x0d, 0x0a]).toString('latin1'));
    const found = await read();
    assert.deepEqual(found.changes.map(({ kind, path: file }) => `${kind} ${file}`).sort(), [
      'added link',
      'added neu ü "x".txt',
      'deleted a.txt',
      'mode run.sh',
      'modified src/b.txt',
      'renamed src/moved.txt',
    ]);
    await made(
      found,
      'All',
      partsOf(found.changes).map(({ part }) => part.id),
    );
    assert.equal(await git('status', '--porcelain'), '');
    assert.match(await git('ls-files', '-s', 'run.sh'), /^100755 /);
    assert.match(await git('ls-files', '-s', 'link'), /^120000 /);
  });

  it('keep the bytes of lines that are not chosen, whatever their encoding and endings', async () => {
    const file = path.join(repository.folder, 'bytes.txt');
    const bytes = (first: string, last: string) => Buffer.from(`${first}\r\n${'\xe9\r\n'.repeat(9)}${last}`, 'latin1');
    await writeFile(file, bytes('\xe4', '\xfc'));
    await git('add', '.');
    await git('commit', '-qm', 'Bytes');
    await writeFile(file, bytes('\xc4', '\xdc\n'));
    const found = await read();
    const [first = '', last = ''] = idsOf(found, 'bytes.txt');
    assert.equal(utf8Of(found.changes[0]?.parts[0]?.hunks[0]?.lines[0] ?? ''), '-\ufffd\r');
    assert.equal((await commit(found, ['Last', [last]], ['First', [first]])).kind, 'made');
    assert.equal(await git('status', '--porcelain'), '');
    assert.equal(await git('rev-parse', 'HEAD~1:bytes.txt'), await hashOf(bytes('\xe4', '\xdc\n')));
  });

  async function hashOf(content: Buffer): Promise<string> {
    const file = path.join(repository.folder, '.git', 'content');
    await writeFile(file, content);
    return git('hash-object', '--no-filters', file);
  }

  it('commit what was shown, though the file has changed since', async () => {
    await repository.write('a.txt', 'shown\n');
    const found = await read();
    await repository.write('a.txt', 'later\n');
    await made(found, 'Shown', idsOf(found, 'a.txt'));
    assert.equal(await git('show', 'HEAD:a.txt'), 'shown');
    assert.equal(await git('status', '--porcelain'), 'M a.txt');
  });

  it('are all taken back where a hook fails at the second, and the index is untouched', async () => {
    await repository.write('a.txt', 'first\n');
    await repository.write('src/b.txt', 'second\n');
    await repository.write('run.sh', 'false\n');
    await git('add', 'run.sh');
    await addGitHook(
      repository,
      'pre-commit',
      'if git diff --cached --name-only | grep -q b.txt; then echo "b.txt is bad" >&2; exit 1; fi',
    );
    const before = await state();
    const index = await readFile(path.join(repository.folder, '.git/index'));
    const found = await read();
    const outcome = await commit(found, ['One', idsOf(found, 'a.txt')], ['Two', idsOf(found, 'src/b.txt')]);
    assert.deepEqual(outcome, {
      kind: 'failed',
      message: 'b.txt is bad.',
      output: 'b.txt is bad',
      at: 2,
      takenBack: 1,
    });
    assert.deepEqual(await readFile(path.join(repository.folder, '.git/index')), index);
    assert.deepEqual((await state()).slice(0, 3), before.slice(0, 3));
    assert.ok(!existsSync(path.join(repository.folder, '.git/index.lock')));
  });

  it('say what a commit-msg hook says, and have what a pre-commit hook adds in the index too', async () => {
    await addGitHook(repository, 'commit-msg', 'grep -q "^[A-Z]" "$1" || { echo "begin with a capital"; exit 1; }');
    await addGitHook(repository, 'pre-commit', 'echo formatted > a.txt; git add a.txt');
    await repository.write('a.txt', 'as shown\n');
    await repository.write('src/b.txt', 'staged\n');
    await git('add', 'src/b.txt');
    const found = await read();
    const refused = await commit(found, ['small', idsOf(found, 'a.txt')]);
    assert.deepEqual(refused, {
      kind: 'failed',
      message: 'begin with a capital.',
      output: 'begin with a capital',
      at: 1,
      takenBack: 0,
    });
    const outcome = await commit(found, ['Large', idsOf(found, 'a.txt')]);
    assert.deepEqual(outcome.kind === 'made' && outcome.commits.map(({ subject, byHook }) => [subject, byHook]), [
      ['Large', true],
    ]);
    assert.equal(await git('status', '--porcelain'), 'M  src/b.txt');
  });

  it('are refused where lines are staged in another version, and taken whole where all of the file is', async () => {
    await repository.write('many.txt', numbered({ 20: 'staged' }));
    await git('add', 'many.txt');
    await repository.write('many.txt', numbered({ 20: 'now', 38: 'other' }));
    const before = await state();
    const found = await read();
    const [first = ''] = idsOf(found, 'many.txt');
    const outcome = await commit(found, ['One', [first]]);
    assert.match(outcome.kind === 'failed' ? outcome.message : '', /^many\.txt: you have staged another version/);
    assert.deepEqual(await state(), before);
    await made(found, 'All of it', idsOf(found, 'many.txt'));
    assert.equal(await git('status', '--porcelain'), '');
  });

  it('are made on a detached HEAD, and as the first of a repository; an intent to add is no staged text', async () => {
    await git('checkout', '-q', '--detach');
    await repository.write('a.txt', 'detached\n');
    await repository.write('meant.txt', 'meant\n');
    await git('add', '-N', 'meant.txt');
    const found = await read();
    assert.equal(found.repository.branch, undefined);
    await made(found, 'Detached', idsOf(found, 'a.txt', 'meant.txt'));
    assert.equal(await git('status', '--porcelain'), '');
    assert.equal(await git('rev-parse', 'main'), await git('rev-parse', 'HEAD~1'));

    await git('checkout', '-q', '--orphan', 'fresh');
    await git('rm', '-rqf', '--cached', '.');
    await addGitHook(repository, 'pre-commit', 'test ! -e .git/refs/heads/fresh || { echo no second; exit 1; }');
    const first = await read();
    assert.equal(first.repository.head, undefined);
    const failed = await commit(first, ['One', idsOf(first, 'a.txt')], ['Two', idsOf(first, 'run.sh')]);
    assert.deepEqual(failed.kind === 'failed' && [failed.at, failed.takenBack, failed.unrestored], [2, 1, undefined]);
    await assert.rejects(git('rev-parse', '--verify', 'HEAD'));
    await made(first, 'One', idsOf(first, 'a.txt'));
    assert.equal(await git('log', '--format=%s'), 'One');
  });

  it('are refused during a merge, after another commit, and without an identity', async () => {
    await git('checkout', '-qb', 'side');
    await repository.write('a.txt', 'side\n');
    await git('commit', '-qam', 'Side');
    await git('checkout', '-q', 'main');
    await repository.write('a.txt', 'main\n');
    const found = await read();
    await git('commit', '-qam', 'Main');
    const moved = await commit(found, ['Late', idsOf(found, 'a.txt')]);
    assert.match(moved.kind === 'failed' ? moved.message : '', /moved to another commit or branch/);
    await git('merge', '-q', 'side').catch(() => undefined);
    await assert.rejects(read(), /A merge is in progress/);
    await git('merge', '--abort');

    const noName = async (): Promise<NodeJS.ProcessEnv> =>
      Object.fromEntries(
        Object.entries(gitEnvironment).filter(([name]) => !/^(GIT_(AUTHOR|COMMITTER)_|EMAIL$)/.test(name)),
      );
    await git('config', 'user.useConfigOnly', 'true');
    await repository.write('a.txt', 'nobody\n');
    const now = await readUncommitted(noName, repository.folder);
    const before = await state();
    const outcome = await makeCommits(now, [{ message: 'Nobody', parts: idsOf(now, 'a.txt') }]);
    assert.match(outcome.kind === 'failed' ? outcome.output : '', /user\.(name|email)/);
    assert.deepEqual(await state(), before);
  });

  it('leave repositories inside alone, and take a submodule as one change', async () => {
    await git('init', '-q', 'inner');
    await repository.write('inner/file', 'x\n');
    await git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', repository.folder, 'module');
    await git('commit', '-qam', 'Module');
    await git('-C', 'module', 'commit', '-q', '--allow-empty', '-m', 'Newer');
    const found = await read();
    assert.deepEqual(found.left, ['inner/ is a repository of its own']);
    assert.deepEqual(
      found.changes.map(({ kind, path: file }) => `${kind} ${file}`),
      ['submodule module'],
    );
    await made(found, 'Newer module', idsOf(found, 'module'));
    assert.equal(await git('status', '--porcelain'), '?? inner/');
  });

  it('take a locked index for a failure, and take their commits back', async () => {
    await repository.write('a.txt', 'locked\n');
    const found = await read();
    const head = await git('rev-parse', 'HEAD');
    await repository.write('.git/index.lock', '');
    const outcome = await commit(found, ['Locked', idsOf(found, 'a.txt')]);
    assert.deepEqual(outcome.kind === 'failed' && [outcome.at, outcome.takenBack], [undefined, 1]);
    assert.equal(await git('rev-parse', 'HEAD'), head);
  });
});
