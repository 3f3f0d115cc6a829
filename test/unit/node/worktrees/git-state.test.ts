// What git says of a folder at the beginning of a session: true, short, and without running a program of the repository.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createGitSource, gitText } from '../../../../src/core/context/git-source';
import { createGit } from '../../../../src/node/worktrees/git-state';
import { createRunGit } from '../../../../src/node/worktrees/run-git';
import { createTestRepository, gitEnvironment, type TestRepository } from '../../../support/git-repository';
import { said } from '../../../../src/core/text/words';

const git = createGit(createRunGit(async () => gitEnvironment));

describe('the state of a repository', function () {
  this.timeout(30_000);
  let repository: TestRepository;
  beforeEach(async () => void (repository = await createTestRepository()));
  afterEach(() => repository.remove());

  it('has the branch, changes from the folder on, and the last five commits', async () => {
    for (let index = 2; index <= 7; index++) await repository.git('commit', '--allow-empty', '-qm', `Commit ${index}`);
    await repository.write('src/b.txt', 'other\n');
    await repository.write('new ü.txt', '');
    await repository.git('config', 'color.ui', 'always');
    await repository.git('config', 'status.relativePaths', 'false');
    const state = await git.state(path.join(repository.folder, 'src'));
    assert.equal(state?.branch, 'main');
    assert.deepEqual(state?.changes, [' M b.txt', '?? "../new ü.txt"']);
    assert.deepEqual(
      state?.commits.map((line) => line.replace(/^[0-9a-f]{7,} /, '')),
      ['Commit 7', 'Commit 6', 'Commit 5', 'Commit 4', 'Commit 3'],
    );
  });

  it('is none outside a repository, and no failure where a repository has no commit or cannot be read', async () => {
    const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'deft-test-')));
    try {
      assert.equal(await git.state(folder), undefined);
      await repository.git('init', '--quiet', '-b', 'trunk', folder);
      assert.deepEqual(await git.state(folder), { branch: 'trunk', changes: [], commits: [] });
      assert.match(gitText({ branch: 'trunk', changes: [], commits: [] }), /No commits yet\./);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('has what is uncommitted below a folder, without what is hidden', async () => {
    await repository.write('src/b.txt', 'other\n');
    await repository.write('src/new ü.txt', 'fresh\n');
    await repository.write('src/secret.env', 'KEY=1\n');
    await repository.git('add', 'src/secret.env');
    await repository.write('outside.txt', '');
    const changes = await git.changes(path.join(repository.folder, 'src'), (file) => file.endsWith('.env'));
    assert.deepEqual(changes?.files, [
      { state: ' M', path: 'b.txt' },
      { state: '??', path: 'new ü.txt' },
    ]);
    assert.equal(changes.hidden, 1);
    assert.match(changes.diff, /^diff --git a\/b\.txt b\/b\.txt\n[^]*\n\+other\n$/);
    assert.doesNotMatch(changes.diff, /KEY/);
  });

  it('has what is staged before the first commit', async () => {
    const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'deft-test-')));
    try {
      await repository.git('init', '--quiet', folder);
      await writeFile(path.join(folder, 'a.txt'), 'one\n');
      await repository.git('-C', folder, 'add', '.');
      const changes = await git.changes(folder, () => false);
      assert.deepEqual(changes?.files, [{ state: 'A ', path: 'a.txt' }]);
      assert.match(changes.diff, /\n\+one\n$/);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('runs no program that the repository names: monitor, filter, pager, signature check, external difference', async () => {
    const ran = path.join(repository.folder, 'ran');
    const program = `touch ${ran}; cat`;
    for (const name of [
      'core.fsmonitor',
      'core.pager',
      'diff.external',
      'gpg.program',
      'filter.own.clean',
      'filter.own.process',
    ])
      await repository.git('config', name, program);
    await repository.git('config', 'filter.own.required', 'true');
    await repository.git('config', 'log.showSignature', 'true');
    await repository.write('.git/info/attributes', '* filter=own diff=own\n');
    await repository.git('config', 'diff.own.command', program);
    await repository.write('a.txt', 'six\n');
    assert.deepEqual((await git.state(repository.folder))?.changes, [' M a.txt']);
    assert.match((await git.changes(repository.folder, () => false))?.diff ?? '', /\+six/);
    assert.ok(!existsSync(ran), 'a program ran');
    // The same question without Deft's care runs the filter.
    await repository.git('-c', 'filter.own.process=', 'status').catch(() => undefined);
    assert.ok(existsSync(ran), 'the repository does name programs');
  });
});

describe('the note about the repository', () => {
  const commits = ['abc1234 First'];

  it('has at most 40 files and 2 KB, and counts what it leaves out', () => {
    const changes = Array.from({ length: 100 }, (_, index) => ` M f${index}.ts`);
    const text = gitText({ branch: 'main', changes, commits });
    assert.equal(text.split('\n').filter((line) => line.startsWith(' M ')).length, 40);
    assert.match(text, /\n\[60 more\]\nLast commits:\nabc1234 First$/);
    const long = gitText({
      branch: 'main',
      changes: changes.map((line) => line.repeat(40)),
      commits: Array.from({ length: 9 }, () => `abc1234 ${'ü'.repeat(300)}`),
    });
    assert.ok(Buffer.byteLength(long) <= 2_048, `${Buffer.byteLength(long)}`);
    assert.match(long, /more\]\nLast commits:(\nabc1234 ü+…){5}$/);
    assert.equal(
      gitText({ branch: 'main', changes: [], commits }),
      'Git as this session began; it is not updated. Branch: main. Nothing is changed.\nLast commits:\nabc1234 First',
    );
  });

  it('is the same for the whole session, has no credentials, and is not for agents', async () => {
    const state = { branch: 'main', changes: ['?? key-1234567890'], commits };
    const source = createGitSource(Promise.resolve(state), () => ['key-1234567890']);
    const [note] = await source.present(new AbortController().signal);
    assert.match(said(note?.text ?? ''), /\?\? \[redacted\]/);
    assert.deepEqual(await source.present(new AbortController().signal), [note]);
    assert.deepEqual(await source.narrowed?.([]).present(new AbortController().signal), []);
    const other = createGitSource(Promise.resolve({ ...state, changes: [] }), () => []);
    assert.notEqual((await other.present(new AbortController().signal))[0]?.key, note?.key);
  });
});
