// What users are shown about rules, a row for each sentence that no other table shows.
import assert from 'node:assert/strict';
import { decide } from '../../../../src/core/permissions/decide';
import { type PermissionCall, type PermissionContext } from '../../../../src/core/permissions/rules/verdict';
import { type PermissionMode, permissionModes } from '../../../../src/shared/permission';
import { bash, callOf, context, verdictOf } from './permission-table';

type Row = [sentence: string, rules: string[], expected: string, calls: string[], changes?: Partial<PermissionContext>];

const order: Row[] = [
  [
    'a wide denial outvotes a narrow leave',
    ['allow Bash(npm test)', 'deny Bash(npm:*)'],
    'deny rule',
    ['Bash npm test'],
  ],
  ['and so does a wide question', ['allow Edit(/src/a.ts)', 'ask Edit(/**)'], 'ask rule', ['Edit /ws/src/a.ts']],
  [
    'a denial that stands last is a denial',
    ['allow Read', 'ask Read', 'deny Read(*.pem)'],
    'deny rule',
    ['Read /ws/a.pem'],
  ],
  [
    '`Tool(*)` is the tool',
    ['deny Bash(*)', 'deny Edit(*)', 'deny Read(*)'],
    'deny rule',
    ['Bash ls', 'Edit /ws/a', 'Read /ws/a'],
  ],
];

const commands: Row[] = [
  [
    '`*` spans blanks',
    ['allow Bash(git * main)', 'allow Bash(* --version)'],
    'allow rule',
    ['Bash git merge main', 'Bash git push origin main', 'Bash terraform --version'],
  ],
  ['` *` ends a word', ['allow Bash(lsx *)'], 'ask unknown-command', ['Bash lsxof']],
  ['` *` is also no argument', ['allow Bash(lsx *)'], 'allow rule', ['Bash lsx', 'Bash lsx -l']],
  ['`*` without a blank does not end a word', ['allow Bash(lsx*)'], 'allow rule', ['Bash lsxof', 'Bash lsx -l']],
  ['`:*` is ` *`', ['allow Bash(lsx:*)'], 'allow rule', ['Bash lsx', 'Bash lsx -l']],
  ['`:*` ends a word', ['allow Bash(lsx:*)'], 'ask unknown-command', ['Bash lsxof', 'Bash lsx:y']],
  ['`:*` is one only at the end', ['allow Bash(lsx:* y)'], 'ask unknown-command', ['Bash lsx a y']],
  [
    'leave needs every command',
    ['allow Bash(aa:*)'],
    'ask unknown-command',
    [
      'Bash aa && b',
      'Bash aa || b',
      'Bash aa; b',
      'Bash aa | b',
      'Bash aa |& b',
      'Bash aa & b',
      'Bash aa\nb',
      'Bash b && aa',
      'Bash b; aa',
    ],
  ],
  [
    'and is one where each has it',
    ['allow Bash(aa:*)', 'allow Bash(bb)'],
    'allow rule',
    ['Bash aa x && bb', 'Bash aa | bb', 'Bash aa |& bb', 'Bash bb & aa', 'Bash aa\nbb', 'Bash aa || bb; bb'],
  ],
  [
    'one command is enough to deny',
    ['allow Bash', 'deny Bash(bb:*)'],
    'deny rule',
    [
      'Bash aa && bb',
      'Bash aa || bb',
      'Bash aa; bb',
      'Bash aa | bb',
      'Bash aa |& bb',
      'Bash aa & bb',
      'Bash aa\nbb',
      'Bash bb x && aa',
    ],
  ],
  [
    'one command is enough to ask',
    ['allow Bash', 'ask Bash(bb:*)'],
    'ask rule',
    ['Bash aa && bb', 'Bash aa |& bb', 'Bash aa & bb', 'Bash aa\nbb'],
  ],
  [
    'wrappers do not count for leave',
    ['allow Bash(aa:*)'],
    'allow rule',
    [
      'Bash timeout 5 aa',
      'Bash timeout -k 5 10 aa',
      'Bash time aa',
      'Bash nice aa',
      'Bash nice -n 5 aa',
      'Bash nohup aa',
      'Bash stdbuf -oL aa',
      'Bash command aa',
      'Bash builtin aa',
      'Bash noglob aa',
      'Bash xargs aa',
      'Bash time nice timeout 5 aa',
    ],
  ],
  [
    'nor for a denial',
    ['allow Bash', 'deny Bash(aa)'],
    'deny rule',
    [
      'Bash timeout 5 aa',
      'Bash time aa',
      'Bash nice -n 5 aa',
      'Bash nohup aa',
      'Bash stdbuf -oL aa',
      'Bash command aa',
      'Bash builtin aa',
      'Bash noglob aa',
      'Bash xargs aa',
    ],
  ],
  [
    'other runners are no wrappers, and neither is xargs with options',
    ['allow Bash(aa:*)'],
    'ask unknown-command',
    [
      'Bash sudo aa',
      'Bash env aa',
      'Bash exec aa',
      'Bash xargs -n1 aa',
      'Bash nice --adjustment 5 aa',
      'Bash watch aa',
    ],
  ],
  [
    'harmless variables do not count for leave',
    ['allow Bash(aa:*)'],
    'allow rule',
    ['Bash CI=1 aa', 'Bash NODE_ENV=test FORCE_COLOR=0 aa', 'Bash LC_ALL=C aa'],
  ],
  [
    'others do',
    ['allow Bash(aa:*)'],
    'ask unknown-command',
    ['Bash PATH=. aa', 'Bash LD_PRELOAD=x aa', 'Bash FOO=1 aa', 'Bash CI=$(id) aa', 'Bash NODE_OPTIONS=--require=x aa'],
  ],
  [
    'none counts for a denial',
    ['allow Bash', 'deny Bash(aa)', 'deny Bash(bb:*)'],
    'deny rule',
    ['Bash FOO=1 aa', 'Bash LD_PRELOAD=x aa', 'Bash A=1 B=$(id) bb x'],
  ],
  [
    '`/dev/null` is no file',
    ['allow Bash(aa:*)'],
    'allow rule',
    ['Bash aa > /dev/null', 'Bash aa 2>/dev/null', 'Bash aa &> /dev/null', 'Bash aa >/dev/null 2>&1'],
  ],
  [
    'a target is a file that is written',
    ['allow Bash(aa:*)', 'allow Edit(/out/**)', 'deny Edit(/out/x)'],
    'deny rule',
    ['Bash aa > out/x', 'Bash aa >> out/x', 'Bash aa 2> out/x', 'Bash cd out && aa > x'],
  ],
  [
    'a home or a pattern in it asks, whatever rules say',
    ['allow Bash(aa:*)', 'allow Edit(//**)'],
    'ask redirection',
    ['Bash aa > ~/x', 'Bash aa > *.txt', 'Bash aa > o?t', 'Bash aa > $X'],
  ],
  [
    'substitutions are commands',
    ['allow Bash(aa:*)'],
    'ask unknown-command',
    [
      'Bash aa $(bb)',
      'Bash aa `bb`',
      'Bash aa "$(bb)"',
      'Bash aa <(bb)',
      'Bash aa "${x:-$(bb)}"',
      'Bash aa <<EOF\n$(bb)\nEOF',
    ],
  ],
  [
    'and leave for each is leave',
    ['allow Bash(aa:*)', 'allow Bash(bb)'],
    'allow rule',
    ['Bash aa $(bb)', 'Bash aa "$(bb)"'],
  ],
  ['git elsewhere asks', [], 'ask unknown-command', ['Bash cd sub && git status', 'Bash cd sub && git log']],
  ['git here does not', [], 'allow read-only', ['Bash cd /ws && git status', 'Bash cd . && git log']],
];

const paths: Row[] = [
  ['a `!` un-denies nothing', ['deny Read(*.pem)', 'deny Read(!a.pem)'], 'deny rule', ['Read /ws/a.pem']],
  ['a name holds in any depth', ['deny Read(*.pem)'], 'deny rule', ['Read /ws/a.pem', 'Read /ws/x/y/a.pem']],
  [
    'a name with a folder starts where the session does',
    ['deny Read(x/a.pem)'],
    'allow inside-workspace',
    ['Read /ws/y/x/a.pem'],
  ],
  ['`**/` is any depth', ['deny Read(**/x/a.pem)'], 'deny rule', ['Read /ws/y/x/a.pem', 'Read /ws/x/a.pem']],
  ['`*` ends at a slash', ['allow Edit(/src/*.ts)'], 'ask mode', ['Edit /ws/src/x/a.ts']],
  ['`./` is the folder of the session', ['allow Edit(./a)'], 'allow rule', ['Edit /ws/sub/a'], { cwd: '/ws/sub' }],
  ['and not another one', ['allow Edit(./a)'], 'ask mode', ['Edit /ws/a'], { cwd: '/ws/sub' }],
  ['`/` is where the file of the rule belongs', ['allow Edit(/a) @ /home/u/.claude'], 'ask mode', ['Edit /ws/a']],
  ['and `//` the root', ['allow Edit(//opt/a)'], 'allow rule', ['Edit /opt/a']],
  [
    'rules about Edit are about all that writes',
    ['deny Edit(*.lock)'],
    'deny rule',
    [
      'Edit /ws/a.lock',
      'Write /ws/a.lock',
      'NotebookEdit /ws/a.lock',
      'MultiEdit /ws/a.lock',
      'Bash touch a.lock',
      'Bash ls > a.lock',
    ],
  ],
  ['and so is leave', ['allow Edit(/src/**)'], 'allow rule', ['Write /ws/src/a', 'NotebookEdit /ws/src/a.ipynb']],
  [
    'rules about Read are about all that reads',
    ['deny Read(secret/**)'],
    'deny rule',
    [
      'Read /ws/secret/a',
      'Grep /ws/secret',
      'Glob /ws/secret',
      'Edit /ws/secret/a',
      'Write /ws/secret/a',
      'Bash cat secret/a',
    ],
  ],
  ['leave to edit is leave to read', ['allow Edit(//opt/x/**)'], 'allow rule', ['Read /opt/x/a', 'Grep /opt/x']],
  ['leave to read is none to edit', ['allow Read(//opt/x/**)'], 'ask outside-workspace', ['Edit /opt/x/a']],
  [
    'paths of other tools never match',
    ['allow Write(/**)', 'allow NotebookEdit(/**)', 'allow MultiEdit(/**)', 'allow Glob(//**)'],
    'ask mode',
    ['Write /ws/a', 'NotebookEdit /ws/a', 'MultiEdit /ws/a'],
  ],
  [
    'leave needs the link and what it leads to',
    ['allow Read(//opt/x/**)'],
    'ask outside-workspace',
    ['Read /opt/x/link -> /opt/y', 'Read /opt/link -> /opt/x/a'],
  ],
  [
    'and is one where both have it',
    ['allow Read(//opt/x/**)', 'allow Read(//opt/y)'],
    'allow rule',
    ['Read /opt/x/link -> /opt/y'],
  ],
  [
    'a denial needs one of them',
    ['deny Read(*.pem)'],
    'deny rule',
    ['Read /ws/a.pem -> /ws/b', 'Read /ws/b -> /ws/a.pem', 'Edit /ws/b -> /ws/a.pem'],
  ],
  [
    'commands that read or write files obey',
    ['deny Read(*.pem)', 'deny Edit(*.lock)', 'allow Bash'],
    'deny rule',
    ['Bash cat a.pem', 'Bash sed -i s/a/b/ x.lock', 'Bash rm x.lock', 'Bash cat x | tee y.lock'],
  ],
];

describe('sentences about rules', () => {
  for (const [theme, rows] of Object.entries({ order, commands, paths })) {
    describe(theme, () => {
      for (const [sentence, rules, expected, calls, changes] of rows) {
        it(sentence, () => {
          for (const call of calls) {
            const { behavior, code, reason } = verdictOf('default', rules, call, changes);
            assert.equal(`${behavior} ${code}`, expected, `${call}: ${reason}`);
          }
        });
      }
    });
  }

  it('LSP is governed by Read', () => {
    const lsp: PermissionCall = { ...callOf('Read /ws/a.pem'), tool: 'LSP' };
    assert.equal(decide(lsp, context('default', ['deny Read(*.pem)'])).behavior, 'deny');
    assert.equal(decide(lsp, context('default', ['deny Read'])).behavior, 'deny');
  });

  it('what is longer than ten thousand characters asks, and a denial still finds its command', () => {
    const long = `aa ${'x'.repeat(10_001)}`;
    assert.equal(decide(bash(long), context('default', ['allow Bash', 'allow Bash(aa:*)'])).code, 'unparsed-command');
    assert.equal(decide(bash(`${long}; bb`), context('bypassPermissions', ['deny Bash(bb)'])).behavior, 'deny');
  });

  it('a line with a mistake in it is told what the mistake is', () => {
    assert.match(verdictOf('default', [], 'Bash echo "abc').reason, /it does not parse \(unterminated double quote\)/);
    assert.match(verdictOf('default', [], 'Bash if true; then').reason, /it does not parse \(expected /);
  });

  it('what only reads runs unasked in every mode', () => {
    const reading = [
      'ls',
      'cat a',
      'echo a',
      'pwd',
      'head a',
      'tail a',
      'grep x a',
      'find . -name a',
      'wc a',
      'which node',
      'diff a b',
      'stat a',
      'du',
      'cd src',
      'git status',
      'git log',
      'git diff',
      'git show',
      'git branch',
      'git blame a',
    ];
    for (const mode of permissionModes)
      for (const command of reading)
        assert.equal(verdictOf(mode, [], `Bash ${command}`).behavior, 'allow', `${mode}: ${command}`);
  });

  it('an ask rule asks in every mode that asks', () => {
    const modes = permissionModes.filter((mode): mode is PermissionMode => mode !== 'dontAsk');
    for (const mode of modes)
      assert.equal(verdictOf(mode, ['ask Bash(ls:*)', 'ask Read(/a)'], 'Bash ls').behavior, 'ask', mode);
    for (const mode of modes) assert.equal(verdictOf(mode, ['ask Read(/a)'], 'Read /ws/a').behavior, 'ask', mode);
  });
});
