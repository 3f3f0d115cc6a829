// What a Read deny rule hides: from the tools, from commands that are known to read or write files, and from what Deft shows unasked.
import assert from 'node:assert/strict';
import { hiddenPaths } from '../../../../src/core/permissions/files/hidden-paths';
import { permissionModes } from '../../../../src/shared/permission';
import { context, verdictOf } from './permission-table';

const rules = [
  'deny Read(.env)',
  'deny Read(//ws/keys/**)',
  'allow Bash',
  'allow Read',
  'allow Edit',
  'allow Bash(cat:*)',
  'allow Bash(python:*)',
];

/** Each names the file plainly. */
const denied = [
  'Read /ws/.env',
  'Read /ws/sub/.env',
  'Read /ws/keys/a',
  'Grep /ws/keys',
  'Glob /ws/keys',
  'Edit /ws/.env',
  'Write /ws/.env',
  'NotebookEdit /ws/keys/a.ipynb',
  'Read /ws/link -> /ws/.env',
  'Read /ws/.env -> /ws/a',
  'Bash cat .env',
  'Bash cat a .env',
  'Bash head .env',
  'Bash head -n 3 .env',
  'Bash tail -5 .env',
  'Bash tail -f .env',
  'Bash less .env',
  'Bash more .env',
  'Bash bat .env',
  'Bash nl .env',
  'Bash tac .env',
  'Bash rev .env',
  'Bash sed -n 1p .env',
  "Bash sed 's/a/b/' .env",
  'Bash sed -i s/a/b/ .env',
  "Bash awk '{print}' .env",
  "Bash gawk -F= '{print $2}' .env",
  'Bash grep KEY .env',
  'Bash grep -n KEY a .env',
  'Bash rg KEY .env',
  'Bash egrep x .env',
  'Bash cut -d= -f2 .env',
  'Bash sort .env',
  'Bash uniq .env',
  'Bash wc .env',
  'Bash diff .env a',
  'Bash cmp a .env',
  'Bash comm a .env',
  'Bash paste .env',
  'Bash od -c .env',
  'Bash xxd .env',
  'Bash hexdump -C .env',
  'Bash base64 .env',
  'Bash strings .env',
  'Bash md5sum .env',
  'Bash jq . keys/a.json',
  'Bash cp .env a',
  'Bash cp a .env',
  'Bash mv .env a',
  'Bash mv a .env',
  'Bash ln -s .env a',
  'Bash tee .env',
  'Bash echo a | tee -a .env',
  'Bash dd if=.env',
  'Bash dd of=.env',
  'Bash rm .env',
  'Bash touch .env',
  'Bash truncate -s 0 .env',
  'Bash install .env a',
  'Bash rsync .env a',
  'Bash cat < .env',
  'Bash while read x; do echo $x; done < .env',
  'Bash echo a > .env',
  'Bash echo a >> .env',
  'Bash echo $(cat .env)',
  'Bash echo "$(< .env)"',
  'Bash diff <(cat .env) a',
  'Bash ls && cat .env',
  'Bash (cd sub; cat .env)',
  'Bash cd sub && cat ../.env',
  'Bash cat ./.env',
  'Bash cat ".env"',
  "Bash cat '.en'v",
  'Bash cat \\.env',
  'Bash cat /ws/.env',
  'Bash cat /ws//.env',
  'Bash cat sub/../.env',
  'Bash timeout 5 cat .env',
  'Bash sudo cat .env',
  'Bash env cat .env',
  'Bash nohup cat .env',
  'Bash bash -c "cat .env"',
  'Bash eval "cat .env"',
  'Bash find . -exec cat .env \\;',
  'Bash git diff --no-index .env a',
  'Bash git show HEAD:.env',
  'Bash git grep KEY -- .env',
  'Bash git blame .env',
  'Bash git log -p -- .env',
  'Bash stat .env',
  'Bash file .env',
  'Bash vim .env',
  'Bash nano .env',
];

/** They may reach it without naming it, or are code: never allowed unasked by these rules. */
const asked = [
  'Bash cat .e*',
  'Bash cat *',
  'Bash cat .en?',
  'Bash cat .[e]nv',
  'Bash cat {.env,a}',
  'Bash grep -r KEY .',
  'Bash rg KEY',
  'Bash cat $F',
  'Bash f=.env; cat $f',
  'Bash cp -r . /ws/x',
  'Bash xargs cat < list',
  'Bash ls -a | xargs cat',
  'Bash git show HEAD',
  'Bash git diff',
  'Bash git log -p',
];

describe('what a Read deny rule hides', () => {
  for (const mode of permissionModes) {
    it(`from tools and commands that name it, in ${mode}`, () => {
      const wrong = denied.filter((call) => verdictOf(mode, rules, call).behavior !== 'deny');
      assert.deepEqual(wrong, []);
    });
  }

  it('from commands that reach it otherwise: those ask', () => {
    for (const mode of ['default', 'acceptEdits', 'auto', 'dontAsk'] as const) {
      const wrong = asked.filter((call) => verdictOf(mode, rules, call).behavior === 'allow');
      assert.deepEqual(wrong, [], mode);
    }
  });

  it('from Grep, Glob, LSP, mentions, selections and open files, which all ask hiddenPaths', () => {
    const hidden = hiddenPaths(context('bypassPermissions', rules));
    assert.deepEqual(['/ws/.env', '/ws/sub/.env', '/ws/keys/a', '/ws/keys', '/ws/a', '/ws/.env.example'].map(hidden), [
      true,
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  it('an Edit deny rule from writing commands, and leaves reading', () => {
    const only = ['deny Edit(.env)', 'allow Bash', 'allow Edit'];
    const writes = [
      'Edit /ws/.env',
      'Write /ws/.env',
      'Bash echo a > .env',
      'Bash tee .env',
      'Bash cp a .env',
      'Bash mv a .env',
      'Bash mv .env a',
      'Bash sed -i s/a/b/ .env',
      'Bash rm .env',
      'Bash touch .env',
      'Bash truncate -s 0 .env',
      'Bash dd of=.env',
      'Bash cat a >> .env',
    ];
    for (const call of writes) assert.equal(verdictOf('bypassPermissions', only, call).behavior, 'deny', call);
    for (const call of ['Read /ws/.env', 'Bash cat .env', 'Bash grep x .env'])
      assert.equal(verdictOf('bypassPermissions', only, call).behavior, 'allow', call);
  });
});
