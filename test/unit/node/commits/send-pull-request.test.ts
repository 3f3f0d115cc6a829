// A pull request by a program on the PATH: what it would push, what it is given, and what is said where it refuses. The program is a script that records its call.
import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openRepository } from '../../../../src/node/commits/read-changes';
import { findHosting, pushBranch, readBranch, sendPullRequest } from '../../../../src/node/commits/send-pull-request';
import { createTestRepository, gitEnvironment, gitIn, type TestRepository } from '../../../support/git-repository';

describe('a pull request', function () {
  this.timeout(60_000);
  let repository: TestRepository;
  let elsewhere: string;
  const record = () => path.join(elsewhere, 'record.json');
  const environment = async (): Promise<NodeJS.ProcessEnv> => ({
    ...gitEnvironment,
    ANTHROPIC_API_KEY: 'sk-ant-secret',
    PATH: `${path.join(elsewhere, 'bin')}${path.delimiter}${process.env['PATH'] ?? ''}`,
  });
  const install = async (name: string, end = 'console.log("https://github.com/o/r/pull/7")'): Promise<void> => {
    const file = path.join(elsewhere, 'bin', name);
    await mkdir(path.dirname(file), { recursive: true });
    const script = `const text = require('fs').readFileSync(0, 'utf8');
require('fs').writeFileSync(${JSON.stringify(record())}, JSON.stringify({ args: process.argv.slice(2), text, key: process.env.ANTHROPIC_API_KEY }));
${end}`;
    await writeFile(file, `#!${process.execPath}\n${script}\n`);
    await chmod(file, 0o755);
  };

  before(async () => {
    repository = await createTestRepository();
    elsewhere = await mkdtemp(path.join(tmpdir(), 'deft-test-'));
    await gitIn(elsewhere, 'init', '-q', '--bare', 'remote.git');
    await repository.git('remote', 'add', 'origin', path.join(elsewhere, 'remote.git'));
    await repository.git('push', '-q', '-u', 'origin', 'main');
    await repository.git('checkout', '-qb', 'feature');
  });
  after(async () => {
    await repository.remove();
    await rm(elsewhere, { recursive: true, force: true });
  });

  it('is of what the branch adds to its base; it says what is not pushed, and pushes only when told to', async () => {
    const opened = await openRepository(environment, repository.folder);
    await assert.rejects(readBranch(opened, undefined), /feature has no commit that origin\/main lacks/);
    await repository.write('a.txt', 'two\n');
    await repository.git('commit', '-qam', 'Count to two\n\nBecause.');
    const now = await openRepository(environment, repository.folder);
    const branch = await readBranch(now, undefined);
    assert.deepEqual(
      [branch.base, branch.baseRef, branch.commits, branch.files, branch.unpushed],
      ['main', 'origin/main', ['Count to two\n\nBecause.\n'], ['a.txt'], 1],
    );
    assert.match(branch.diff, /\+two/);
    assert.equal(await findHosting(environment, branch), undefined, 'a folder is no server');
    assert.equal(await gitIn(elsewhere, '-C', 'remote.git', 'branch', '--list', 'feature'), '');
    await pushBranch(now, branch);
    assert.equal(await gitIn(elsewhere, '-C', 'remote.git', 'log', '-1', '--format=%s', 'feature'), 'Count to two');
    assert.equal((await readBranch(now, undefined)).unpushed, 0);
  });

  it('goes to gh by arguments and standard input, as it is, without credentials of Deft', async () => {
    await repository.git('remote', 'set-url', 'origin', 'https://ann:secret@github.com/o/r.git');
    const opened = await openRepository(environment, repository.folder);
    const branch = await readBranch(opened, undefined);
    assert.equal(branch.remote?.address, 'https://github.com/o/r.git');
    assert.equal(await findHosting(environment, branch), undefined, 'it is not installed');
    await install('gh');
    const program = await findHosting(environment, branch);
    assert.equal(program?.kind, 'gh');
    const text = { title: '"$(touch x)" `y`; --title', body: '# What\n\n`rm -rf` $HOME ü\n' };
    const created = await sendPullRequest(opened, program, { ...text, branch });
    assert.equal(created, 'https://github.com/o/r/pull/7');
    const { args, text: input, key } = JSON.parse(await readFile(record(), 'utf8')) as Record<string, unknown>;
    assert.deepEqual(args, [
      'pr',
      'create',
      '--title',
      text.title,
      '--body-file',
      '-',
      '--base',
      'main',
      '--head',
      'feature',
    ]);
    assert.deepEqual([input, key], [text.body, undefined]);
    await install('gh', 'console.error("a pull request for branch feature already exists"); process.exit(1)');
    await assert.rejects(
      sendPullRequest(opened, program, { ...text, branch }),
      /gh could not create it: a pull request for branch feature already exists/,
    );
  });

  it('goes to glab where the remote is a GitLab', async () => {
    await repository.git('remote', 'set-url', 'origin', 'git@gitlab.example.org:group/sub/r.git');
    await install('glab');
    const opened = await openRepository(environment, repository.folder);
    const branch = await readBranch(opened, undefined);
    assert.deepEqual(branch.remote?.known, { name: 'origin', host: 'gitlab.example.org', path: 'group/sub/r' });
    const program = await findHosting(environment, branch);
    assert.ok(program);
    await sendPullRequest(opened, program, { title: 'T', body: 'B', branch });
    const { args } = JSON.parse(await readFile(record(), 'utf8')) as { args: string[] };
    assert.deepEqual(args.slice(0, 6), ['mr', 'create', '--title', 'T', '--description', 'B']);
  });

  it('is none of a detached HEAD', async () => {
    await repository.git('checkout', '-q', '--detach');
    await assert.rejects(
      readBranch(await openRepository(environment, repository.folder), undefined),
      /No branch is checked out/,
    );
  });
});
