// What only the disk shows about a command: where `..` behind a link leads, what is a folder, where git finds settings.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isReadOnlyCall, permissionCall, resolveTargets } from '../../../../src/core/calls/resolve-targets';
import { decide } from '../../../../src/core/permissions/decide';
import { bashTool } from '../../../../src/core/tools/bash/bash';
import { powerShellTool } from '../../../../src/core/tools/bash/power-shell';
import { createNodeFileSystem } from '../../../../src/node/files/node-file-system';
import { type PermissionMode } from '../../../../src/shared/permission';
import { context } from '../permissions/permission-table';

const files = createNodeFileSystem();

describe('resolveTargets', () => {
  let place: string;
  const at = (...names: string[]): string => join(place, ...names);
  const verdict = async (
    command: string,
    mode: PermissionMode = 'default',
    rules: string[] = [],
    cwd = at('ws'),
  ): Promise<string> => {
    const { targets } = await resolveTargets(bashTool, { command }, { cwd, home: at('home'), folders: [] }, files);
    const where = context(mode, rules, { folders: [at('ws')], cwd, home: at('home') });
    const { behavior, code } = decide({ tool: 'Bash', access: bashTool.access, readOnly: false, targets }, where);
    return `${behavior} ${code}`;
  };
  const expectAll = async (
    commands: string[],
    expected: string,
    mode?: PermissionMode,
    rules?: string[],
  ): Promise<void> => {
    for (const command of commands) assert.equal(await verdict(command, mode, rules), expected, command);
  };

  beforeEach(async () => {
    place = realpathSync(mkdtempSync(join(tmpdir(), 'deft-targets-')));
    for (const folder of ['ws/src/deep', 'ws/test', 'ws/real/inner', 'home', 'other'])
      await mkdir(at(folder), { recursive: true });
    for (const file of ['secret', 'other/key', 'ws/a', 'ws/b', 'ws/src/c', 'ws/real/d', 'ws/test/c'])
      await writeFile(at(file), 'x\n');
  });
  afterEach(() => rmSync(place, { recursive: true }));

  it('a call of several commands only looks if each of them does', async () => {
    const looks = async (...commands: string[]): Promise<boolean> => {
      const tool = { ...bashTool, targets: () => commands.map((command) => ({ kind: 'command', command }) as const) };
      const session = { cwd: at('ws'), home: at('home'), folders: [] };
      const resolved = await resolveTargets(tool, { command: '' }, session, files);
      return isReadOnlyCall(tool, { command: '' }, resolved);
    };
    assert.deepEqual(
      [await looks('cat a', 'ls'), await looks('cat a', 'rm b'), await looks('rm b', 'cat a')],
      [true, false, false],
    );
  });

  it('a loop over files redirects from each: links out of the workspace and denied ones are seen', async () => {
    const line = 'for f in src/*; do wc -l < "$f"; done';
    assert.equal(await verdict(line), 'allow read-only');
    assert.equal(await verdict(line, 'default', ['deny Read(src/c)']), 'deny rule');
    await symlink(at('secret'), at('ws/src/z'));
    assert.match(await verdict(line), /^ask/);
    assert.match(await verdict('f=src/z; cat "$f"'), /^ask/);
  });

  it('diff that compares links as links is free of folders, but not beside a denial', async () => {
    assert.equal(await verdict('diff -r --no-dereference src test'), 'allow read-only');
    assert.match(await verdict('diff --no-dereference src test'), /^ask/);
    assert.match(await verdict('diff -r --no-dereference src test', 'default', ['deny Read(src/c)']), /^(ask|deny)/);
  });

  describe('folders that a command takes as a whole', () => {
    const inFolder = async (...names: string[]): Promise<void> => {
      for (const name of names) {
        await mkdir(at('ws', name, '..'), { recursive: true });
        await writeFile(at('ws', name), 'x\n');
      }
    };
    const asks = async (commands: string[], expected: string, rules?: string[]): Promise<void> =>
      expectAll(commands, expected, 'acceptEdits', rules);

    it('ask where their files take effect elsewhere, wherever those stand', async () => {
      await inFolder(
        '.github/workflows/ci.yml',
        'app/.gitlab-ci.yml',
        'app/src/x',
        'app/docs/AGENTS.md',
        'stage/CLAUDE.md',
      );
      await asks(
        [
          'rm -r .github',
          'rm -rf ./.github/',
          'rm -r .github/workflows',
          'rm -r app',
          'rm -r app/docs',
          'rm -rf a app',
        ],
        'ask effect-elsewhere',
      );
      await asks(
        ['mv .github x', 'mv app x', 'mv app/docs .', 'cp -r stage src', 'cp -a stage new'],
        'ask effect-elsewhere',
      );
      await asks(['rm -r app/src', 'mv app/src app/lib', 'cp -r app/src lib'], 'allow mode');
      // As with each of the files, a rule for edits allows it.
      assert.equal(await verdict('rm -r app', 'default', ['allow Bash(rm:*)']), 'allow rule');
    });

    it('ask where they hold protected files, whatever rule allows the command', async () => {
      await inFolder('app/.npmrc', 'web/.husky/pre-commit', 'tool/.vscode/tasks.json', 'stage/.envrc');
      for (const rules of [[], ['allow Bash(rm:*)', 'allow Bash(mv:*)', 'allow Bash(cp:*)', 'allow Edit']])
        await asks(
          [
            'rm -r app',
            'rm -r web',
            'rm -rf tool',
            'mv tool x',
            'cp -r stage src',
            'cp -r web/.husky x',
            'rm -r web/.husky',
          ],
          'ask protected-path',
          rules,
        );
      assert.equal(await verdict('rm -r app', 'default', ['allow Bash(rm:*)']), 'ask protected-path');
      assert.equal(await verdict('sudo rm -r app', 'default', ['allow Bash(sudo:*)']), 'ask protected-path');
    });

    it("ask about the folder of git's hooks and those above it", async () => {
      execFileSync('git', ['init', '-q'], { cwd: at('ws') });
      execFileSync('git', ['config', 'core.hooksPath', 'tools/git/hooks'], { cwd: at('ws') });
      await inFolder('tools/git/hooks/pre-commit', 'tools/x', 'stage/hooks/pre-push', 'deep/git/hooks/pre-push');
      await asks(
        [
          'rm -r tools',
          'rm -r tools/git',
          'rm -r tools/git/hooks',
          'mv tools old',
          'mv tools/git old',
          'mv stage/hooks tools/git',
        ],
        'ask protected-path',
      );
      await asks(['cp -r stage/hooks tools/git', 'cp -r deep/git tools'], 'ask protected-path');
      await rm(at('ws/tools'), { recursive: true });
      await asks(['mv deep tools', 'cp -r deep tools', 'mv stage tools/git'], 'ask protected-path');
      await asks(['mv stage tools', 'rm -r stage'], 'allow mode');
    });

    it('do not ask about installed packages, nor about scripts that stay as they are', async () => {
      await inFolder(
        'node_modules/a/.npmrc',
        'node_modules/a/package.json',
        'pack/package.json',
        'pack/node_modules/b/CLAUDE.md',
      );
      await asks(['rm -rf node_modules', 'rm -rf pack', 'mv pack other'], 'allow mode');
      await inFolder('other/pack/package.json');
      await asks(['mv pack other', 'cp -r pack third'], 'ask effect-elsewhere');
    });

    it('ask where there is more in them than is looked through', async () => {
      await mkdir(at('ws/many'));
      await Promise.all(Array.from({ length: 10_001 }, (_, index) => writeFile(at(`ws/many/f${index}`), '')));
      await asks(['rm -r many', 'mv many x'], 'ask effect-elsewhere');
      assert.equal(await verdict('rm -r many', 'default', ['allow Bash(rm:*)']), 'allow rule');
    });
  });

  describe('`..` in a folder that a link leads to', () => {
    beforeEach(async () => {
      await symlink(at('ws'), at('ws/link'));
      await symlink(at('ws/real/inner'), at('ws/short'));
    });

    it('is the folder above the real one', async () => {
      assert.equal(
        execFileSync('bash', ['-c', 'cd link && cat ../secret'], { cwd: at('ws'), encoding: 'utf8' }),
        'x\n',
      );
      await expectAll(
        [
          'cd link && cat ../secret',
          'cd link && ls ..',
          'cd link && cat < ../secret',
          'cd link && head -n1 ./../secret',
          'cd link; cat ../*',
        ],
        'ask outside-workspace',
      );
      await expectAll(
        ['cd link && echo x > ../new', 'cd link && touch ../new', 'cd link && cp a ../b'],
        'ask outside-workspace',
        'acceptEdits',
      );
      await expectAll(['cd link && cat ../secret'], 'deny rule', 'bypassPermissions', [`deny Read(/${at('secret')})`]);
    });

    it('asks where shells may take it one way or the other', () =>
      expectAll(
        ['cd link && cd .. && cat a', 'cd short && cd .. && cat a', 'cd short && cd -P .. && cat d'],
        'ask outside-workspace',
      ));

    it('is free where it stays inside, links or not', () =>
      expectAll(
        [
          'cd src && cat ../a',
          'cd src/deep && cat ../../a && cd .. && cat c',
          'cd src && cd ../test && cat c',
          'cd short && cat ../d',
        ],
        'allow read-only',
      ));

    it('counts from the real folder of the session, too', async () => {
      await symlink(at('ws'), at('spelled'));
      const { targets } = await resolveTargets(
        bashTool,
        { command: 'cat ../secret' },
        { cwd: at('spelled/src'), home: at('home'), folders: [] },
        files,
      );
      assert.deepEqual(targets[1], {
        kind: 'file',
        access: 'read',
        path: at('spelled/secret'),
        realPath: at('ws/secret'),
      });
    });
  });

  it('diff asks about folders: it goes through the links in them', async () => {
    await symlink(at('other/key'), at('ws/src/same'));
    await writeFile(at('ws/test/same'), '');
    assert.throws(
      () => execFileSync('diff', ['src', 'test'], { cwd: at('ws'), encoding: 'utf8' }),
      ({ stdout }) => /^< x$/m.test(String(stdout)),
    );
    await expectAll(
      [
        'diff src test',
        'diff a src',
        'diff -u src a',
        'diff src/ test/',
        'diff . test',
        'diff a ..',
        'diff -r src test',
        'diff --from-file=src a b',
        'cd src && diff deep c',
      ],
      'ask outside-workspace',
    );
    await expectAll(['diff a b', 'diff -u a src/c', 'cd src && diff c ../a', 'diff a missing'], 'allow read-only');
  });

  describe('git', () => {
    const git = ['git status', 'git log --oneline', 'cat a && git diff', 'git --no-pager log'];

    it('runs unasked in a workspace with a repository, whatever else lies there', async () => {
      execFileSync('git', ['init', '-q'], { cwd: at('ws') });
      for (const name of ['objects', 'refs']) await mkdir(at('ws', name));
      await writeFile(at('ws/HEAD'), 'ref: refs/heads/x\n');
      await expectAll(git, 'allow read-only');
    });

    it('runs unasked where there is no repository at all', () => expectAll(git, 'allow read-only'));

    it('asks where the workspace looks like the inside of a repository', async () => {
      execFileSync('git', ['init', '-q', '--bare'], { cwd: at('ws') });
      await expectAll(git, 'ask outside-workspace');
      await expectAll(git, 'ask outside-workspace', 'acceptEdits', [
        'allow Bash(git status:*)',
        'allow Bash(git log:*)',
        'allow Bash(git --no-pager log:*)',
        'allow Bash(git diff:*)',
        'allow Bash(cat:*)',
      ]);
      await expectAll(['cat a', 'ls'], 'allow read-only');
    });

    for (const [title, names] of [
      ['`objects` and `refs`, where HEAD leads nowhere', ['config', 'objects/', 'refs/']],
      ['HEAD', ['HEAD', 'config']],
      ['`commondir`', ['commondir']],
    ] as const) {
      it(`knows such a folder by ${title}`, async () => {
        for (const name of names) await (name.endsWith('/') ? mkdir(at('ws', name)) : writeFile(at('ws', name), 'x\n'));
        await expectAll(git, 'ask outside-workspace');
      });
    }

    it('finds such a folder above the workspace before the repository', async () => {
      execFileSync('git', ['init', '-q'], { cwd: place });
      await expectAll(git, 'allow read-only');
      await rm(at('.git'), { recursive: true });
      execFileSync('git', ['init', '-q', '--bare'], { cwd: place });
      await expectAll(git, 'ask outside-workspace');
    });

    it('is not misled by an empty `.git`', async () => {
      execFileSync('git', ['init', '-q', '--bare'], { cwd: at('ws') });
      await mkdir(at('ws/.git'));
      await expectAll(git, 'ask outside-workspace');
    });
  });

  it('finds the links of a PowerShell line next to an encoded command', async () => {
    await symlink(at('secret'), at('ws/link'));
    const session = { cwd: at('ws'), home: at('home'), folders: [] };
    for (const [command, access] of [
      ['Get-Content link; powershell -EncodedCommand SQBFAFgA', 'read'],
      ['pwsh -enc SQBFAFgA; Set-Content link x', 'write'],
    ] as const) {
      const input = { command };
      const { targets, lines } = await resolveTargets(powerShellTool, input, session, files);
      assert.deepEqual(targets.slice(1), [{ kind: 'file', access, path: at('ws/link'), realPath: at('secret') }]);
      const where = context('bypassPermissions', [`deny Read(/${at('secret')})`], { ...session, folders: [at('ws')] });
      const call = permissionCall(powerShellTool, input, { targets, lines, cwd: at('ws') });
      assert.equal(decide(call, where, lines).behavior, 'deny', command);
    }
  });

  describe('a glob whose files a command shows', () => {
    it('is free where all that it finds is in the workspace', () =>
      expectAll(
        ['cat src/*', 'grep x src/c* test/?', 'head -5 *', 'for f in src/*; do cat "$f"; done', 'cat src/[a-c]'],
        'allow read-only',
      ));

    it('asks where a link leads outside, also in the middle of the path', async () => {
      await symlink(at('secret'), at('ws/src/leak'));
      await symlink(at('other'), at('ws/real/out'));
      await expectAll(
        ['cat src/*', 'grep x */leak', 'cat real/*/key', 'for f in src/*; do cat "$f"; done', 'head -1 src/l[e]ak'],
        'ask outside-workspace',
      );
      await expectAll(['cat src/c*'], 'allow read-only');
    });

    it('holds each file against denials', async () => {
      await writeFile(at('ws/src/key.pem'), 'x');
      const denials = ['deny Read(*.pem)'];
      await expectAll(
        ['cat src/*', 'grep x src/*.pem', 'for f in src/*; do head "$f"; done'],
        'deny rule',
        'default',
        denials,
      );
      await expectAll(['cat test/*'], 'allow read-only', 'default', denials);
    });

    it('asks where shells differ, or a file name may be taken for an option or split', async () => {
      await expectAll(['cat src/**/c', 'cat src/[[:alpha:]]'], 'ask outside-workspace');
      await expectAll(['sort *', 'for f in *; do sort "$f"; done'], 'ask unknown-command');
      assert.match(await verdict('for f in src/*; do cat $f; done'), /^ask/);
    });
  });

  describe('git below the workspace', () => {
    const own = async (command: string): Promise<string> => {
      const { targets } = await resolveTargets(
        bashTool,
        { command },
        { cwd: at('ws'), home: at('home'), folders: [at('ws')] },
        files,
      );
      const where = context('default', [], { folders: [at('ws')], cwd: at('ws'), home: at('home') });
      const { behavior, code } = decide({ tool: 'Bash', access: bashTool.access, readOnly: false, targets }, where);
      return `${behavior} ${code}`;
    };
    const lines = [
      'git -C src status',
      'cd src && git status',
      'git -C src -C deep log -3',
      'cd src/deep && git diff --stat',
    ];

    it('reads unasked in the repository of the workspace', async () => {
      execFileSync('git', ['init', '-q'], { cwd: at('ws') });
      for (const line of lines) assert.equal(await own(line), 'allow read-only', line);
    });

    it('asks in another repository, in none, and where the line may change that', async () => {
      for (const line of lines) assert.equal(await own(line), 'ask unknown-command', line);
      execFileSync('git', ['init', '-q'], { cwd: at('ws') });
      execFileSync('git', ['init', '-q'], { cwd: at('ws/src') });
      for (const line of lines) assert.equal(await own(line), 'ask unknown-command', line);
      assert.equal(await own('cd test && git status; npm ci'), 'ask unknown-command');
      assert.match(await own('git -C ../other status'), /^ask/);
      assert.match(await own('git -C "$X" status'), /^ask/);
      assert.equal(await own('git -C test commit -m x'), 'ask unknown-command');
    });
  });
});
