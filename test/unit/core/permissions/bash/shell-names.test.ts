// A name of the user's own is judged as what it stands for: it never widens what is allowed, and never gets past a rule that denies.
import { defined } from '../../../../../src/shared/defined';
import assert from 'node:assert/strict';
import { readBash } from '../../../../../src/core/permissions/bash/bash-line';
import { resolveTargets } from '../../../../../src/core/calls/resolve-targets';
import { conditionHolds } from '../../../../../src/core/hooks/hook-matcher';
import { decide } from '../../../../../src/core/permissions/decide';
import { meaningOf, type ShellNames, usedNames } from '../../../../../src/core/permissions/bash/shell-names';
import { type PermissionCall, type PermissionContext } from '../../../../../src/core/permissions/rules/verdict';
import { bashTool } from '../../../../../src/core/tools/bash/bash';
import { type PermissionMode, type PermissionRule } from '../../../../../src/shared/permission';
import { createMemoryFiles } from '../../../../support/memory-files';

const names: ShellNames = new Map([
  ['gp', { kind: 'alias', text: 'git push' }],
  ['ll', { kind: 'alias', text: 'ls -alF' }],
  ['wipe', { kind: 'function', text: 'wipe () \n{ \n    rm -rf ~\n}' }],
  ['all', { kind: 'alias', text: 'll; gp' }],
  ['cat', { kind: 'alias', text: 'rm -rf' }],
]);
const rule = (behavior: PermissionRule['behavior'], ruleContent?: string): PermissionRule => ({
  behavior,
  value: { toolName: 'Bash', ...defined({ ruleContent }) },
  source: 'userSettings',
  root: '/h',
});
const context = (mode: PermissionMode, ...rules: PermissionRule[]): PermissionContext => ({
  mode,
  rules,
  cwd: '/w',
  folders: ['/w'],
  ownFolders: [],
  home: '/h',
  ignoreCase: false,
  trusted: true,
});

async function callOf(command: string, more: Partial<PermissionCall> = {}): Promise<PermissionCall> {
  const { targets } = await resolveTargets(
    bashTool,
    { command },
    { cwd: '/w', home: '/h', folders: ['/w'], shellNames: async () => names },
    createMemoryFiles({}),
  );
  return {
    tool: 'Bash',
    access: 'DangerFullAccess',
    readOnly: bashTool.isReadOnly({ command }),
    targets,
    input: { command },
    ...more,
  };
}
const judged = async (
  command: string,
  permission: PermissionContext,
  more: Partial<PermissionCall> = {},
): Promise<string> => decide(await callOf(command, more), permission).behavior;

describe('names of start-up files', () => {
  it('are found where a command begins, with those that they use; elsewhere a word is a word', () => {
    const used = (command: string): string[] =>
      usedNames(readBash(command), names)
        .map(({ name }) => name)
        .sort();
    assert.deepEqual(used('all'), ['all', 'gp', 'll']);
    assert.deepEqual(used('echo x && gp -f | wipe'), ['gp', 'wipe']);
    assert.deepEqual(used('for a in b; do gp; done'), ['gp']);
    assert.deepEqual(used('echo gp wipe; npm run all'), []);
    assert.deepEqual(used('cat a.txt'), [], 'a command that rules know is never another one');
    assert.equal(meaningOf(names.get('wipe') ?? assert.fail()), 'rm -rf ~');
  });

  it('ask where no rule knows them, also where what they stand for is free', async () => {
    assert.equal(await judged('ll', context('default')), 'ask');
    assert.equal(await judged('ls -alF', context('default')), 'allow');
    assert.equal(await judged('gp', context('default')), 'ask');
  });

  it('run unasked only where both the name and its meaning may', async () => {
    assert.equal(await judged('ll', context('default', rule('allow', 'll *'), rule('allow', 'll'))), 'allow');
    assert.equal(await judged('gp', context('default', rule('allow', 'gp'))), 'ask');
    assert.equal(await judged('gp', context('default', rule('allow', 'gp'), rule('allow', 'git push *'))), 'allow');
    assert.equal(
      await judged('all', context('default', rule('allow', 'all'), rule('allow', 'll'), rule('allow', 'gp'))),
      'ask',
    );
  });

  it('are denied by a rule about what they stand for, in every mode and in the sandbox', async () => {
    const denies = rule('deny', 'git push *');
    for (const mode of ['default', 'bypassPermissions', 'acceptEdits', 'dontAsk', 'auto'] as const)
      assert.equal(await judged('echo a; gp --force', context(mode, denies, rule('allow', 'gp *'))), 'deny');
    assert.equal(await judged('all', context('bypassPermissions', denies)), 'deny');
    assert.equal(await judged('gp', context('default', denies), { sandboxed: true }), 'deny');
    assert.equal(await judged('wipe', context('bypassPermissions')), 'ask', 'a critical path asks in every mode');
    assert.equal(await judged('ll', context('plan')), 'deny');
  });

  it('say in the question what they stand for, and are seen by the conditions of hooks', async () => {
    const { reason } = decide(await callOf('gp'), context('default', rule('allow', 'gp')));
    assert.match(reason, /^With `gp` from your shell's startup files it is `git push`\./);
    assert.equal(
      conditionHolds({ toolName: 'Bash', ruleContent: 'git push *' }, await callOf('gp'), context('default')),
      true,
    );
    assert.equal(
      conditionHolds({ toolName: 'Bash', ruleContent: 'git push *' }, await callOf('ll'), context('default')),
      false,
    );
  });

  describe('take the words of the call along', () => {
    const more: ShellNames = new Map([
      ['g', { kind: 'alias', text: 'git' }],
      ['h', { kind: 'alias', text: 'g' }],
      ['rmf', { kind: 'alias', text: 'rm -rf' }],
      ['w', { kind: 'alias', text: 'tee' }],
      ['show', { kind: 'alias', text: 'head -n 5' }],
      ['t', { kind: 'function', text: 't () \n{ \n    tee "$@"\n}' }],
      ['first', { kind: 'function', text: "first () \n{ \n    tee $1 > /dev/null;\n    echo '$2'\n}" }],
      ['hook', { kind: 'function', text: 'hook () \n{ \n    tee ".git/hooks/$1"\n}' }],
      ['run', { kind: 'function', text: 'run () \n{ \n    "$@"\n}' }],
      ['both', { kind: 'function', text: 'both () \n{ \n    t "${1}";\n    g "$2"\n}' }],
      ['kept', { kind: 'function', text: 'kept () \n{ \n    local place="$1";\n    tee "$place"\n}' }],
      ['each', { kind: 'function', text: 'each () \n{ \n    for one in "$@"; do\n        tee "$one";\n    done\n}' }],
      ['later', { kind: 'function', text: 'later () \n{ \n    shift;\n    tee "$1"\n}' }],
      ['again', { kind: 'function', text: 'again () \n{ \n    again x "$@"\n}' }],
      ['plain', { kind: 'function', text: 'plain () \n{ \n    echo done\n}' }],
    ]);
    const callWith = async (
      command: string,
      disk: Record<string, string> = {},
      links: Record<string, string> = {},
    ): Promise<PermissionCall> => {
      const files = createMemoryFiles(disk);
      const linked = { ...files, realPath: async (path: string) => links[path] ?? (await files.realPath(path)) };
      const { targets } = await resolveTargets(
        bashTool,
        { command },
        { cwd: '/w', home: '/h', folders: ['/w'], shellNames: async () => more },
        linked,
      );
      return {
        tool: 'Bash',
        access: 'DangerFullAccess',
        readOnly: bashTool.isReadOnly({ command }),
        targets,
        input: { command },
      };
    };
    const noPush = rule('deny', 'git push:*');
    const anything = rule('allow');
    const table: [command: string, permission: PermissionContext, expected: string][] = [
      ['g push origin main', context('bypassPermissions', noPush), 'deny'],
      ['h push origin main', context('bypassPermissions', noPush), 'deny'],
      ['echo a && x=$(h push origin main)', context('bypassPermissions', noPush), 'deny'],
      ['sudo g push origin main', context('bypassPermissions', noPush), 'deny'],
      ['eval "g push origin main"', context('bypassPermissions', noPush), 'deny'],
      ['run git push origin main', context('bypassPermissions', noPush), 'deny'],
      ['g status; run g push', context('bypassPermissions', noPush), 'deny'],
      ['both a push', context('bypassPermissions', noPush), 'deny'],
      ['g status', context('bypassPermissions', noPush), 'allow'],
      ['rmf /', context('bypassPermissions'), 'ask'],
      ['rmf build', context('bypassPermissions'), 'allow'],
      ['cd / && rmf usr', context('bypassPermissions'), 'ask'],
      ['echo x | w .git/hooks/pre-commit', context('default', anything), 'ask'],
      ['cd .git/hooks && echo x | w pre-commit', context('default', anything), 'ask'],
      ['cat x | t .git/hooks/a', context('default', anything), 'ask'],
      ['cat x | t out.txt', context('default', anything), 'allow'],
      ['cat x | t a out.txt > log', context('bypassPermissions'), 'allow'],
      ['echo x | first .git/hooks/a b', context('default', anything), 'ask'],
      ['echo x | first out.txt .git/hooks/a', context('default', anything), 'allow'],
      ['echo x | first $NONE .git/hooks/a', context('bypassPermissions'), 'ask'],
      ['echo x | first "a .git/hooks/b"', context('bypassPermissions'), 'ask'],
      ['echo x | hook pre-commit', context('default', anything), 'ask'],
      ['both .git/hooks/a status', context('default', anything), 'ask'],
      // What cannot be put in plainly asks in every mode.
      ['kept .git/hooks/a', context('bypassPermissions'), 'ask'],
      ['kept', context('bypassPermissions'), 'allow'],
      ['each .git/hooks/a', context('bypassPermissions'), 'ask'],
      ['later x .git/hooks/a', context('bypassPermissions'), 'ask'],
      ['again a', context('bypassPermissions'), 'ask'],
      ['A=1 t out.txt', context('bypassPermissions'), 'ask'],
      ['eval "t out.txt"', context('bypassPermissions'), 'ask'],
      ['t out.txt <<EOF\nx\nEOF', context('bypassPermissions'), 'allow'],
      ['plain .git/hooks/a', context('bypassPermissions'), 'allow'],
    ];
    for (const [command, permission, expected] of table) {
      it(`${JSON.stringify(command)} in ${permission.mode}: ${expected}`, async () => {
        const verdict = decide(await callWith(command), permission);
        assert.equal(verdict.behavior, expected, verdict.reason);
      });
    }

    it('find the files that they touch: links, critical and protected ones, and those that a rule hides', async () => {
      const hidden: PermissionRule = {
        behavior: 'deny',
        value: { toolName: 'Read', ruleContent: './secret.txt' },
        source: 'userSettings',
        root: '/w',
      };
      assert.equal(decide(await callWith('show secret.txt'), context('bypassPermissions', hidden)).behavior, 'deny');
      const linked = await callWith(
        'echo x | w notes.txt',
        { '/w/notes.txt': '' },
        { '/w/notes.txt': '/w/.git/hooks/pre-commit' },
      );
      assert.ok(
        linked.targets.some(
          (target) =>
            target.kind === 'file' && target.access === 'write' && target.realPath === '/w/.git/hooks/pre-commit',
        ),
      );
      assert.equal(decide(linked, context('default', anything)).behavior, 'ask');
      const bare = await callWith('g status', { '/w/HEAD': '', '/w/objects/a': '', '/w/refs/a': '' });
      assert.match(JSON.stringify(bare.targets), /as a repository/);
    });
  });
});
