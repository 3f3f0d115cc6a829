// Ten thousand random calls of a session in a worktree: none that runs unasked writes outside of its tree or what git shares; a sample runs for real.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { judge } from '../../../../src/core/permissions/decide';
import { type PermissionCall, type PermissionContext } from '../../../../src/core/permissions/rules/verdict';
import { isInside } from '../../../../src/core/permissions/rules/workspace-path';
import { viewWorktree } from '../../../../src/core/subagents/worktree-view';
import { permissionInTree } from '../../../../src/core/worktrees/session-worktree';
import { type PermissionMode, type PermissionRule } from '../../../../src/shared/permission';
import { createTestRepository, gitEnvironment, type TestRepository } from '../../../support/git-repository';
import { randomFrom } from '../../../support/seeded';

const calls = 10_000;
const seed = Number(process.env['DEFT_SEED'] ?? 20_261_128);

/** A line, and what it writes: `shared` is what the checkout has too. */
interface Line {
  command: string;
  writes: string[];
  shared?: boolean;
}

describe('a session in a worktree', function () {
  this.timeout(60_000);
  let repository: TestRepository;
  let tree: string;
  let context: (mode: PermissionMode) => PermissionContext;

  before(async () => {
    repository = await createTestRepository();
    tree = `${repository.folder}-tree`;
    await repository.git('worktree', 'add', '--quiet', '-b', 'work', tree);
    // Ways out of the tree.
    symlinkSync(repository.folder, path.join(tree, 'out'));
    symlinkSync(path.join(repository.folder, 'a.txt'), path.join(tree, 'a-link.txt'));
    await repository.write('a.txt', 'not committed\n');
    await repository.write('staged.txt', 'staged\n');
    await repository.git('add', 'staged.txt');
    await repository.git('stash', 'push', '--quiet', '--include-untracked', '--', 'staged.txt');
    await repository.write('staged.txt', 'staged\n');
    await repository.git('add', 'staged.txt');
    const worktree = { path: tree, checkout: repository.folder, branch: 'work', base: 'HEAD' };
    const view = await viewWorktree(worktree, [repository.folder], {
      realPath: async (one) => one,
      ignoreCase: false,
    });
    const rules: PermissionRule[] = ['Bash(git:*)', 'Bash(npm test)', 'Edit(/src/**)', 'Edit(./docs/**)'].map(
      (text) => ({
        behavior: 'allow',
        value: { toolName: text.split('(')[0] ?? '', ruleContent: text.slice(text.indexOf('(') + 1, -1) },
        source: 'projectSettings',
        root: repository.folder,
      }),
    );
    const base = {
      rules,
      folders: [repository.folder],
      ownFolders: [],
      home: '/home/me',
      ignoreCase: false,
      trusted: true,
    };
    context = (mode) => ({ ...permissionInTree(base, view, [tree]), mode, cwd: tree });
  });
  after(async () => {
    await repository.remove();
    rmSync(tree, { recursive: true, force: true });
  });

  const resolved = (one: string): string => {
    const whole = path.posix.normalize(path.posix.resolve(tree, one));
    for (const [link, real] of [
      [`${tree}/out`, repository.folder],
      [`${tree}/a-link.txt`, `${repository.folder}/a.txt`],
    ] as const)
      if (isInside(whole, link, false)) return path.posix.normalize(real + whole.slice(link.length));
    return whole;
  };
  const makers = (random: () => number) => {
    const pick = <Value>(list: readonly Value[]): Value => list[Math.floor(random() * list.length)] as Value;
    const names = ['a.txt', 'src/b.txt', 'new.txt', 'docs/x.md', 'src/deep/er.ts', '.git', '.git/config', '.env'];
    const roots = () => [
      '',
      './',
      `${tree}/`,
      'src/../',
      'out/',
      '../',
      `${repository.folder}/`,
      `${tree}/../`,
      '/tmp/',
      '~/',
      `${tree}-2/`,
    ];
    const file = (): string => pick([`${pick(roots())}${pick(names)}`, 'a-link.txt']);
    const folder = (): string =>
      pick(['.', 'src', 'out', '..', repository.folder, `${repository.folder}/src`, tree, '/tmp']);
    const at = (one: string): string => resolved(one.replace(/^~/, '/home/me'));
    const line = (): Line => {
      const [one, other, where] = [file(), file(), folder()];
      return pick<() => Line>([
        () => ({ command: `echo x > ${one}`, writes: [at(one)] }),
        () => ({ command: `cat ${other} >> ${one}`, writes: [at(one)] }),
        () => ({ command: `cp ${other} ${one}`, writes: [at(one)] }),
        () => ({ command: `mv ${other} ${one}`, writes: [at(one), at(other)] }),
        () => ({ command: `rm -f ${one}`, writes: [at(one)] }),
        () => ({ command: `mkdir -p ${one}`, writes: [at(one)] }),
        () => ({ command: `touch ${one}`, writes: [at(one)] }),
        () => ({ command: `sed -i s/a/b/ ${one}`, writes: [at(one)] }),
        () => ({ command: `cd ${where} && touch new.txt`, writes: [path.posix.join(at(where), 'new.txt')] }),
        () => ({ command: `ls ${where}; cat ${one}`, writes: [] }),
        () => ({ command: `git -C ${where} add .`, writes: [at(where)] }),
        () => ({ command: `git --git-dir=${where}/.git --work-tree=${where} commit -m x`, writes: [at(where)] }),
        () => ({ command: `git add ${one} && git commit -m "A change"`, writes: [] }),
        () => ({ command: pick(['git status', 'git log --oneline -3', 'git diff', 'git stash list']), writes: [] }),
        () => ({ command: pick(['git reset --hard', 'git checkout -b other', 'git restore .']), writes: [] }),
        () => ({
          command: pick([
            'git stash',
            'git stash pop',
            'git stash drop',
            'git -c a.b=c stash push',
            'git config core.hooksPath /tmp/x',
            'git update-ref refs/heads/main HEAD',
            'git branch -f main HEAD',
            'git branch -D main',
            'git checkout --ignore-other-worktrees main',
            'git switch -C main',
            `git worktree remove --force ${repository.folder}`,
            'git push . HEAD:main',
            'git fetch . HEAD:main',
            'git symbolic-ref refs/heads/x refs/heads/main',
            'git gc --prune=now',
            'command git stash',
            'env X=1 git stash pop',
          ]),
          writes: [],
          shared: true,
        }),
      ])();
    };
    return { pick, file, at, line };
  };
  const unasked = (call: PermissionCall, mode: PermissionMode): boolean =>
    judge(call, context(mode)).behavior === 'allow';
  const outside = (one: string): boolean => !isInside(one, tree, false);

  it(`writes nothing outside unasked in ${calls.toLocaleString('en')} random calls (seed ${seed})`, () => {
    const random = randomFrom(seed);
    const { pick, file, at, line } = makers(random);
    let [ran, asked] = [0, 0];
    for (let count = 0; count < calls; count++) {
      const mode = pick<PermissionMode>(['default', 'acceptEdits', 'plan', 'auto']);
      let call: PermissionCall;
      let writes: string[];
      let shared = false;
      let said: string;
      if (random() < 0.4) {
        const named = file();
        const where = path.posix.resolve(tree, named.replace(/^~/, '/home/me'));
        writes = [at(named)];
        said = `${mode} Edit ${named}`;
        call = {
          tool: pick(['Edit', 'Write']),
          access: 'WorkspaceWrite',
          readOnly: false,
          targets: [{ kind: 'file', access: 'write', path: where, realPath: writes[0] ?? '' }],
        };
      } else {
        const made = line();
        ({ writes } = made);
        shared = made.shared === true;
        said = `${mode} ${made.command}`;
        call = {
          tool: 'Bash',
          access: 'DangerFullAccess',
          readOnly: false,
          targets: [{ kind: 'command', command: made.command, cwd: tree }],
        };
      }
      const runs = unasked(call, mode);
      if (runs) ran++;
      else asked++;
      // What a command reaches through links, the host looks up before it asks (resolve-targets).
      const unseen = call.tool === 'Bash' && /\bout\b|-link/.test(said);
      if (runs && (shared || (writes.some(outside) && !unseen)))
        assert.fail(`Seed ${seed}, call ${count}: unasked: ${said}`);
    }
    assert.ok(ran > calls / 20 && asked > calls / 4, `${ran} ran, ${asked} asked: the calls show nothing`);
  });

  it('leaves index, stash, HEAD and files of the checkout as they are, by real git', () => {
    const git = (...args: string[]): string =>
      execFileSync('git', args, { cwd: repository.folder, env: gitEnvironment, encoding: 'utf8' });
    const state = (): string =>
      [
        git('status', '--porcelain=v2', '--branch', '--untracked-files=all'),
        git('ls-files', '--stage'),
        git('stash', 'list', '--format=%H'),
        git('rev-parse', 'main'),
        git('config', '--list', '--local'),
      ].join('\n');
    const before = state();
    const { line } = makers(randomFrom(seed + 1));
    const done = new Set<string>();
    for (let count = 0; count < 2_000 && done.size < 40; count++) {
      const { command } = line();
      // Without the host's look at links, the ladder alone is asked here.
      if (done.has(command) || /out|-link|~/.test(command)) continue;
      const call: PermissionCall = {
        tool: 'Bash',
        access: 'DangerFullAccess',
        readOnly: false,
        targets: [{ kind: 'command', command, cwd: tree }],
      };
      if (!unasked(call, 'acceptEdits')) continue;
      done.add(command);
      try {
        execFileSync('bash', ['-c', command], { cwd: tree, env: gitEnvironment, stdio: 'ignore' });
      } catch {
        // It failed: that is a way to change nothing.
      }
    }
    assert.ok(done.size >= 20, `only ${done.size} commands ran`);
    assert.equal(state(), before);
  });
});
