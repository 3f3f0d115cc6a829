// Worktrees by real git: what they leave alone, when they go, and what a dead process has left.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { type Worktree } from '../../../../src/core/ports/worktrees';
import { createGitWorktrees } from '../../../../src/node/worktrees/git-worktrees';
import { dropLeftLock, lockReason, machineIdentity } from '../../../../src/node/worktrees/worktree-lock';
import { createRunGit } from '../../../../src/node/worktrees/run-git';
import { repositoryFolder } from '../../../../src/node/worktrees/worktrees-directory';
import {
  addGitHook,
  createTestRepository,
  gitEnvironment,
  gitIn,
  type TestRepository,
} from '../../../support/git-repository';

const never = new AbortController().signal;

describe('worktrees by git', function () {
  this.timeout(30_000);
  let repository: TestRepository;
  let worktrees: ReturnType<typeof createGitWorktrees>;
  /** Deft's own folder, and that of the repository in it. */
  let all: string;
  let home: string;
  beforeEach(async () => {
    repository = await createTestRepository();
    all = `${repository.folder}-worktrees`;
    home = path.join(all, repositoryFolder(path.join(repository.folder, '.git')));
    worktrees = createGitWorktrees(
      createRunGit(async () => gitEnvironment),
      all,
    );
  });
  afterEach(async () => {
    await repository.remove();
    await rm(all, { recursive: true, force: true });
  });

  const create = async (name = 'agent-a1', folder = repository.folder): Promise<Worktree & { uncommitted: number }> => {
    const made = await worktrees.create(folder, name, never);
    assert.ok(made.outcome === 'created', JSON.stringify(made));
    return { ...made.worktree, uncommitted: made.uncommitted };
  };
  const state = async (): Promise<string> =>
    [
      await repository.git('status', '--porcelain=v2', '--branch', '--untracked-files=all'),
      await repository.git('ls-files', '--stage', '--debug'),
    ].join('\n');

  it('begin at the last commit, and leave the index, the files and the branch of the user as they are', async () => {
    await repository.write('a.txt', 'changed\n');
    await repository.write('new.txt', 'staged\n');
    await repository.git('add', 'new.txt');
    const before = await state();
    const { path: place, branch, base, uncommitted } = await create();
    assert.equal(await state(), before, 'the worktree is not even listed as untracked');
    assert.deepEqual([place, branch, uncommitted], [path.join(home, 'agent-a1'), 'worktree-agent-a1', 2]);
    assert.equal(base, await repository.git('rev-parse', 'HEAD'));
    assert.equal(await readFile(path.join(place, 'a.txt'), 'utf8'), 'one\n');
    assert.ok(!existsSync(path.join(place, 'new.txt')));
    assert.ok(!existsSync(path.join(repository.folder, '.claude')), 'nothing of it is in the workspace');
  });

  it('run no hook, no file monitor and no git of the repository', async () => {
    const mark = path.join(repository.folder, 'ran');
    for (const hook of ['post-checkout', 'reference-transaction', 'post-index-change'])
      await addGitHook(repository, hook, `echo ${hook} >>${mark}`);
    await repository.write('monitor.sh', `#!/bin/sh\necho monitor >>${mark}\n`);
    await repository.git('config', 'core.fsmonitor', `sh ${path.join(repository.folder, 'monitor.sh')}`);
    const worktree = await create();
    await worktrees.changes(worktree);
    assert.equal(await worktrees.remove(worktree), undefined);
    assert.ok(!existsSync(mark), existsSync(mark) ? await readFile(mark, 'utf8') : '');
  });

  it('are removed with their branch where nothing was changed', async () => {
    const worktree = await create();
    assert.deepEqual(await worktrees.changes(worktree), { files: 0, commits: 0 });
    assert.equal(await worktrees.remove(worktree), undefined);
    assert.ok(!existsSync(worktree.path));
    assert.equal(await repository.git('branch', '--list', 'worktree-*'), '');
    assert.equal((await repository.git('worktree', 'list')).split('\n').length, 1);
  });

  const changes: [what: string, make: (place: string) => Promise<unknown>, expected: object][] = [
    [
      'a changed file',
      (place) => repository.write(path.relative(repository.folder, path.join(place, 'a.txt')), 'x\n'),
      { files: 1, commits: 0 },
    ],
    [
      'a new file',
      (place) => repository.write(path.relative(repository.folder, path.join(place, 'deep/c.txt')), 'x\n'),
      { files: 1, commits: 0 },
    ],
    [
      'a commit',
      (place) => gitIn(place, 'commit', '--quiet', '--allow-empty', '-m', 'Second'),
      { files: 0, commits: 1 },
    ],
    [
      'a commit on its branch, with another one checked out',
      async (place) => (
        await gitIn(place, 'commit', '--quiet', '--allow-empty', '-m', 'Second'),
        gitIn(place, 'checkout', '--quiet', '--detach', 'main')
      ),
      { files: 0, commits: 1 },
    ],
  ];
  changes.push(
    [
      'what git ignores',
      async (place) => (await mkdir(path.join(place, 'dist')), writeFile(path.join(place, 'dist/report.txt'), 'x')),
      { files: 0, commits: 0, ignored: 1 },
    ],
    [
      'no packages and caches',
      async (place) => {
        await repository.write('.git/info/exclude', 'node_modules\n__pycache__\n');
        for (const name of ['node_modules/a', 'src/__pycache__'])
          await mkdir(path.join(place, name), { recursive: true }).then(() =>
            writeFile(path.join(place, name, 'x'), 'x'),
          );
      },
      { files: 0, commits: 0 },
    ],
  );
  for (const [what, make, expected] of changes) {
    it(`say that they hold ${what}`, async () => {
      const worktree = await create();
      await make(worktree.path);
      assert.deepEqual(await worktrees.changes(worktree), expected);
    });
  }

  describe('start no program of a repository that somebody put into one', () => {
    const mark = (): string => path.join(repository.folder, '.git/ran');
    /** A repository whose settings run a command wherever git looks at its files. */
    const plant = async (folder: string): Promise<void> => {
      await mkdir(folder, { recursive: true });
      await gitIn(folder, 'init', '--quiet');
      await writeFile(path.join(folder, '.gitattributes'), '* filter=x\n');
      await writeFile(path.join(folder, 'one.txt'), 'one\n');
      await gitIn(folder, 'add', '.');
      await gitIn(folder, 'commit', '--quiet', '-m', 'First');
      await gitIn(folder, 'config', 'filter.x.clean', `touch ${mark()}; cat`);
      await gitIn(folder, 'config', 'filter.x.smudge', `touch ${mark()}; cat`);
      await writeFile(path.join(folder, 'one.txt'), 'two\n');
    };
    const submodule = async (): Promise<void> => {
      await repository.git(
        'update-index',
        '--add',
        '--cacheinfo',
        `160000,${await repository.git('rev-parse', 'HEAD')},sub`,
      );
      await repository.git('commit', '--quiet', '-m', 'Submodule');
    };
    const ran = async (act: () => Promise<unknown>): Promise<unknown> => {
      const result = await act();
      assert.ok(!existsSync(mark()), 'a command of the planted repository ran');
      return result;
    };

    it('as a submodule: its content counts as a change', async () => {
      await submodule();
      const worktree = await create();
      assert.deepEqual(await worktrees.changes(worktree), { files: 0, commits: 0 });
      await plant(path.join(worktree.path, 'sub'));
      const counted = (await ran(() => worktrees.changes(worktree))) as { files: number };
      assert.ok(counted.files > 0);
      await writeFile(path.join(worktree.path, 'sub/.git/HEAD'), `${await repository.git('rev-parse', 'HEAD~1')}\n`);
      assert.ok(
        ((await ran(() => worktrees.changes(worktree))) as { files: number }).files > 0,
        'its own commit is the one that the checkout names',
      );
    });

    it('as a submodule of the checkout itself', async () => {
      await submodule();
      await plant(path.join(repository.folder, 'sub'));
      await ran(() => create());
    });

    const links: [what: string, plantIn: (place: string) => Promise<unknown>][] = [
      ['a repository in place of its link', async (place) => (await rm(path.join(place, '.git')), plant(place))],
      [
        'a link to another',
        async (place) => (
          await plant(path.join(place, 'other')),
          writeFile(path.join(place, '.git'), `gitdir: ${path.join(place, 'other/.git')}\n`)
        ),
      ],
      [
        'a link to an entry of its own',
        async (place) => {
          await plant(path.join(place, 'worktrees'));
          await rename(path.join(place, 'worktrees/.git'), path.join(place, 'worktrees/e'));
          await writeFile(path.join(place, 'worktrees/e/gitdir'), path.join(place, '.git'));
          await writeFile(path.join(place, '.git'), `gitdir: ${path.join(place, 'worktrees/e')}\n`);
        },
      ],
      [
        'another common folder in its entry',
        async (place) => {
          await plant(path.join(place, 'other'));
          await gitIn(
            path.join(place, 'other'),
            'fetch',
            '--quiet',
            repository.folder,
            'worktree-agent-a1:worktree-agent-a1',
          );
          await writeFile(path.join(place, '.gitattributes'), '* filter=x\n');
          await writeFile(path.join(place, 'a.txt'), 'two\n');
          await writeFile(
            path.join(repository.folder, '.git/worktrees/agent-a1/commondir'),
            path.join(place, 'other/.git'),
          );
        },
      ],
    ];
    for (const [what, plantIn] of links) {
      it(`as ${what}: nobody can tell what was changed, and none is made from there`, async () => {
        const worktree = await create();
        await plantIn(worktree.path);
        assert.equal(await ran(() => worktrees.changes(worktree)), undefined);
        const made = (await ran(() => worktrees.create(worktree.path, 'agent-a2', never))) as { outcome: string };
        assert.equal(made.outcome, 'refused');
        assert.ok(existsSync(worktree.path));
      });
    }

    it('as a link in one that a hook made', async () => {
      const made = `${repository.folder}-made`;
      await repository.git('worktree', 'add', '--quiet', '--detach', made);
      try {
        const worktree = await worktrees.adopt(made, repository.folder);
        assert.ok(typeof worktree === 'object');
        await rm(path.join(made, '.git'));
        await plant(made);
        assert.equal(await ran(() => worktrees.changes(worktree)), undefined);
      } finally {
        await rm(made, { recursive: true, force: true });
      }
    });
  });

  it('stay where git finds changes that came after the look, and their branch where it has moved', async () => {
    const [one, two] = [await create('agent-a1'), await create('agent-a2')];
    await writeFile(path.join(one.path, 'late.txt'), 'x\n');
    assert.match((await worktrees.remove(one)) ?? '', /agent-a1 was not removed: .*modified or untracked/);
    assert.ok(existsSync(path.join(one.path, 'late.txt')));
    await gitIn(two.path, 'commit', '--quiet', '--allow-empty', '-m', 'Late');
    assert.equal(await worktrees.remove(two), undefined);
    assert.match(await repository.git('branch', '--list', 'worktree-agent-a2'), /worktree-agent-a2/);
  });

  it('several are made at once, and further ones from inside one lie beside it and begin where that one stands', async () => {
    const several = await Promise.all(['a', 'b', 'c'].map((name) => create(`agent-${name}`)));
    assert.equal(new Set(several.map(({ path: place }) => place)).size, 3);
    const [first] = several;
    await gitIn(first?.path ?? '', 'commit', '--quiet', '--allow-empty', '-m', 'Inside');
    const inner = await create('agent-d', path.join(first?.path ?? '', 'src'));
    assert.equal(inner.path, path.join(home, 'agent-d'));
    assert.equal(inner.checkout, first?.path);
    assert.equal(inner.base, await gitIn(first?.path ?? '', 'rev-parse', 'HEAD'));
  });

  describe('are refused with a sentence', () => {
    it('without git', async () => {
      const made = await createGitWorktrees(
        createRunGit(async () => ({ PATH: '' })),
        all,
      ).create(repository.folder, 'agent-a1', never);
      assert.match(made.outcome === 'refused' ? made.message : '', /git was not found on the PATH/);
    });
    it('without a repository, and without a commit', async () => {
      await mkdir(path.join(repository.folder, 'empty'));
      await gitIn(path.join(repository.folder, 'empty'), 'init', '--quiet');
      const [none, empty] = await Promise.all(
        ['/', path.join(repository.folder, 'empty')].map((folder) => worktrees.create(folder, 'agent-a1', never)),
      );
      assert.match(none?.outcome === 'refused' ? none.message : '', /is not in a usable git repository/);
      assert.match(empty?.outcome === 'refused' ? empty.message : '', /has no commit yet/);
    });
    it('where the name is taken', async () => {
      await repository.git('branch', 'worktree-agent-a1');
      const made = await worktrees.create(repository.folder, 'agent-a1', never);
      assert.match(made.outcome === 'refused' ? made.message : '', /git could not create a worktree: .*already exists/);
    });
  });

  describe('with changes', () => {
    const name = 'agent-a0123456789ab';
    const branch = `worktree-${name}`;
    const begin = async (): Promise<Worktree> => {
      const worktree = await create(name);
      await writeFile(path.join(worktree.path, 'a.txt'), 'changed\n');
      await mkdir(path.join(worktree.path, 'deep'));
      await writeFile(path.join(worktree.path, 'deep/new.txt'), 'new\n');
      return worktree;
    };

    it('become commits of their branch, new files too, and go; no hook runs, and nobody needs a name', async () => {
      const mark = path.join(repository.folder, '.git/ran');
      for (const hook of ['pre-commit', 'commit-msg', 'post-commit', 'reference-transaction'])
        await addGitHook(repository, hook, `touch ${mark}`);
      await repository.git('config', 'commit.gpgSign', 'true');
      const nameless = Object.fromEntries(
        Object.entries(gitEnvironment).filter(([key]) => !/_(NAME|EMAIL)$/.test(key)),
      );
      worktrees = createGitWorktrees(
        createRunGit(async () => ({ ...nameless, EMAIL: '' })),
        all,
      );
      await repository.git('config', 'user.useConfigOnly', 'true');
      const worktree = await begin();
      assert.equal(await worktrees.keep(worktree), undefined);
      assert.ok(!existsSync(worktree.path));
      assert.equal(
        await repository
          .git('diff', '--stat', `main...${branch}`, '--', 'deep')
          .then((text) => text.includes('new.txt')),
        true,
      );
      assert.equal(await repository.git('status', '--porcelain'), '');
      assert.ok(!existsSync(mark));
      assert.deepEqual(await worktrees.list(repository.folder), [{ name: branch, commits: 1 }]);
    });

    it('are there again for the agent that goes on, and their branch goes once it is merged', async () => {
      const worktree = await begin();
      assert.equal(await worktrees.keep(worktree), undefined);
      assert.equal(await worktrees.reopen(worktree), true);
      assert.equal(await readFile(path.join(worktree.path, 'deep/new.txt'), 'utf8'), 'new\n');
      assert.deepEqual(await worktrees.changes(worktree), { files: 0, commits: 1 });
      assert.equal(await worktrees.keep(worktree), undefined);
      await repository.git('merge', '--quiet', branch);
      await repository.git('branch', 'worktree-of-mine');
      assert.deepEqual(await worktrees.list(path.join(repository.folder, 'src')), []);
      assert.equal(await repository.git('branch', '--list', 'worktree-*'), 'worktree-of-mine');
      assert.deepEqual(await worktrees.sweep(repository.folder), { removed: [], left: [] });
      assert.ok(!existsSync(home), 'the next session need not ask git');
      assert.equal(await worktrees.reopen(worktree), false);
    });

    it('stay where a commit would not have all of them, and are removed on demand', async () => {
      const worktree = await begin();
      await mkdir(path.join(worktree.path, 'dist'));
      await writeFile(path.join(worktree.path, 'dist/report.txt'), 'x');
      assert.match((await worktrees.keep(worktree)) ?? '', /was not removed: it has files that git ignores/);
      assert.deepEqual(await worktrees.changes(worktree), { files: 0, commits: 1, ignored: 1 });
      await mkdir(path.join(worktree.path, 'inner'));
      await gitIn(path.join(worktree.path, 'inner'), 'init', '--quiet');
      await gitIn(path.join(worktree.path, 'inner'), 'commit', '--quiet', '--allow-empty', '-m', 'Inner');
      assert.match((await worktrees.keep(worktree)) ?? '', /a further repository is in it/);
      assert.match((await worktrees.discard(repository.folder, branch)) ?? '', /An agent works in/);
      await worktrees.release(worktree);
      assert.deepEqual(await worktrees.list(repository.folder), [{ name: branch, commits: 1, path: worktree.path }]);
      assert.equal(await worktrees.discard(repository.folder, branch), undefined);
      assert.ok(!existsSync(worktree.path));
      assert.equal(await repository.git('branch', '--list', 'worktree-*'), '');
      assert.match((await worktrees.discard(repository.folder, 'main')) ?? '', /There is no branch main of an agent/);
    });
  });

  it('that an agent goes on in are locked in the name of the process that it runs in now', async () => {
    const child = spawn(process.execPath, ['-e', '']);
    await once(child, 'exit');
    const worktree = await create();
    await repository.git('worktree', 'unlock', worktree.path);
    await repository.git(
      'worktree',
      'lock',
      '--reason',
      `An agent of Deft works here (process ${child.pid} on ${machineIdentity()}, from ${worktree.base}).`,
      worktree.path,
    );
    assert.equal(await worktrees.reopen(worktree), true);
    assert.match(
      await repository.git('worktree', 'list', '--porcelain'),
      new RegExp(`^locked An agent of Deft works here \\(process ${process.pid} on `, 'm'),
    );
  });

  it('that somebody else has locked are not taken, with a reason or without', async () => {
    const worktree = await create();
    const locked = async (): Promise<string | undefined> =>
      /^locked.*$/m.exec(await repository.git('worktree', 'list', '--porcelain'))?.[0];
    const alive = `An agent of Deft works here (process ${process.ppid} on ${machineIdentity()}, from ${worktree.base}).`;
    for (const reason of [undefined, 'On a stick', alive]) {
      await repository.git('worktree', 'unlock', worktree.path);
      await repository.git(
        ...['worktree', 'lock', ...(reason === undefined ? [] : ['--reason', reason]), worktree.path],
      );
      const before = await locked();
      assert.equal(await worktrees.reopen(worktree), false, reason);
      await worktrees.release(worktree);
      assert.match((await worktrees.remove(worktree)) ?? '', /was not removed: .*locked/);
      assert.equal(await locked(), before);
    }
  });

  it('go to one of two that find the lock of a dead process', async () => {
    const child = spawn(process.execPath, ['-e', '']);
    await once(child, 'exit');
    const { path: place, base } = await create();
    const entry = path.join(repository.folder, '.git/worktrees', path.basename(place));
    const lock = path.join(entry, 'locked');
    const dead = `An agent of Deft works here (process ${child.pid} on ${machineIdentity()}, from ${base}).\n`;
    await writeFile(lock, dead);
    const taken = await Promise.all(Array.from({ length: 5 }, () => dropLeftLock(entry)));
    assert.deepEqual(taken.filter(Boolean), [true]);
    assert.ok(!existsSync(lock));
    // The other one has it already when the second comes to take the dead one's away.
    const fresh = dead.replace(`process ${child.pid}`, `process ${process.ppid}`);
    await writeFile(lock, fresh);
    assert.equal(await dropLeftLock(entry), false);
    assert.equal(await readFile(lock, 'utf8'), fresh);
    assert.deepEqual(
      (await readdir(entry)).filter((name) => name.startsWith('locked')),
      ['locked'],
    );
  });

  it('that a dead process has left are removed where nothing was changed, and told of once where something was', async () => {
    const child = spawn(process.execPath, ['-e', '']);
    await once(child, 'exit');
    const leave = async (name: string, owner = `process ${child.pid} on ${machineIdentity()}`): Promise<string> => {
      const place = path.join(home, name);
      await repository.git('worktree', 'add', '--quiet', '-b', `worktree-${name}`, place, 'HEAD');
      await repository.git(
        'worktree',
        'lock',
        '--reason',
        `An agent of Deft works here (${owner}, from ${await repository.git('rev-parse', 'HEAD')}).`,
        place,
      );
      return place;
    };
    const [clean, changed, other, alive] = [
      await leave('agent-b1'),
      await leave('agent-b2'),
      await leave('agent-b3', 'process 1 on elsewhere'),
      await leave('agent-b4', `process ${process.ppid} on ${machineIdentity()}`),
    ];
    // Of another container or another start of this machine: the number of the process says nothing of it.
    const unknown: string[] = [];
    for (const machine of [hostname(), `${machineIdentity()}7`, machineIdentity().replace(process.platform, 'other')])
      unknown.push(await leave(`agent-c${unknown.length}`, `process ${child.pid} on ${machine}`));
    const own = await create();
    await writeFile(path.join(home, 'agent-b2/c.txt'), 'x\n');
    const found = await worktrees.sweep(path.join(repository.folder, 'src'));
    assert.deepEqual(
      found.removed.map(({ path: place }) => place),
      [clean],
    );
    assert.deepEqual(
      found.left.map(({ path: place, branch, changes: left, kept }) => [place, branch, left, kept]),
      [[changed, 'worktree-agent-b2', { files: 1, commits: 0 }, true]],
    );
    assert.ok(!existsSync(changed));
    assert.equal(await repository.git('show', 'worktree-agent-b2:c.txt'), 'x');
    for (const place of [other, alive, own.path, ...unknown]) assert.ok(existsSync(place), place);
    assert.ok(!existsSync(clean));
    assert.deepEqual(await worktrees.sweep(repository.folder), { removed: [], left: [] });
  });

  it('are locked in the name of a process of this start of this machine', async () => {
    const { path: place, base = '' } = await create();
    assert.match(
      await repository.git('worktree', 'list', '--porcelain'),
      new RegExp(`locked ${lockReason(base).replace(/[()[\]]/g, '\\$&')}`),
    );
    for (const file of ['/proc/sys/kernel/random/boot_id'].filter((one) => existsSync(one)))
      assert.ok(lockReason(base).includes((await readFile(file, 'utf8')).trim()), place);
  });

  it('with ignored files that a hook brought along count those that came later alone', async () => {
    const made = `${repository.folder}-made`;
    await repository.git('worktree', 'add', '--quiet', '--detach', made);
    try {
      await repository.write('.git/info/exclude', '.env*\n');
      await writeFile(path.join(made, '.env'), 'x');
      const worktree = await worktrees.adopt(made, repository.folder);
      assert.ok(typeof worktree === 'object');
      assert.deepEqual(await worktrees.changes(worktree), { files: 0, commits: 0 });
      await writeFile(path.join(made, '.env.local'), 'x');
      assert.deepEqual(await worktrees.changes(worktree), { files: 0, commits: 0, ignored: 1 });
    } finally {
      await repository.git('worktree', 'remove', '--force', made);
    }
  });

  it('that somebody else has made are taken as they are', async () => {
    await repository.git('worktree', 'add', '--quiet', '--detach', `${repository.folder}-made`);
    const made = `${repository.folder}-made`;
    try {
      const worktree = await worktrees.adopt(made, repository.folder);
      assert.ok(typeof worktree === 'object' && worktree.branch === undefined);
      assert.deepEqual(await worktrees.changes(worktree), { files: 0, commits: 0 });
      assert.match((await worktrees.remove(worktree)) ?? '', /git did not create it/);
      const plain = await worktrees.adopt(path.join(repository.folder, 'src'), repository.folder);
      assert.ok(
        typeof plain === 'object' && (await worktrees.changes(plain)) === undefined,
        'no checkout of its own: nobody can tell',
      );
      for (const [named, taken] of [
        [repository.folder, []],
        [path.dirname(repository.folder), []],
        [path.dirname(made), [made]],
        [made, [made]],
        [made, [path.join(made, 'src')]],
      ] as const) {
        assert.match((await worktrees.adopt(named, repository.folder, taken)) as string, / is or holds /);
      }
      assert.equal(
        typeof (await worktrees.adopt(made, repository.folder, [
          path.join(repository.folder, 'src'),
          path.dirname(made),
        ])),
        'object',
        'beside one, and in one',
      );
    } finally {
      await repository.git('worktree', 'remove', '--force', made);
    }
  });
});
