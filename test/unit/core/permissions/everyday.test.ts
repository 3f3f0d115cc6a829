// Commands of every day that need no question: they read only, or a rule plainly covers them; and their wicked twins.
import assert from 'node:assert/strict';
import { isTameSed, sedEffects } from '../../../../src/core/permissions/bash/programs/sed-script';
import { verdictOf } from './permission-table';

const message = 'git commit -m "$(cat <<\'EOF\'\nFix /etc and `ticks` (all)\n\nBody\nEOF\n)"';

const table: { rules: string[]; mode?: 'plan'; free: string[]; asks: string[] }[] = [
  {
    rules: ['allow Bash(git commit:*)', 'allow Bash(git tag:*)', 'allow Bash(git stash:*)'],
    free: [
      message,
      'git commit -am "/etc/hosts: see ../x"',
      'git commit --message="$TEXT"',
      'git tag -a v1 -m "/x"',
      'git stash push -m "../a" -- src',
    ],
    asks: [
      'git commit -m "$(cat <<EOF\n$(rm a)\nEOF\n)"',
      'git commit -F /etc/passwd',
      'git commit -m x -- ../y',
      'git commit -m x $F',
      'git commit --template=/etc/x -m y',
    ],
  },
  {
    rules: ['allow Bash(git:*)'],
    free: [
      'git clone https://github.com/a/b',
      'git clone git@github.com:a/b.git b',
      'git remote add origin ssh://git@x.org/a/b',
      'git fetch https://github.com/a/b main',
    ],
    asks: [
      'git clone https://github.com/a/b /tmp/b',
      'git clone file:///etc x',
      'git clone https://github.com/a/b ../b',
      'git log -m -- /etc',
    ],
  },
  {
    rules: [],
    mode: 'plan',
    free: [
      'wc -l src/*.ts',
      'wc -l *.md',
      "sed -n '1,5p;10,20p' a",
      "sed -n '10,20p;30q' a",
      "sed -n '/a/,/b/{p;q}' a",
      "sed 's/a/b/; s/c/d/g' a",
      'cut -d: -f1 --output-delimiter=/ a',
    ],
    asks: [],
  },
  {
    rules: [],
    free: [],
    asks: [
      "sed -n '1p;e id' a",
      "sed '1p;w out' a",
      "sed 's/a/b/;s/c/d/e' a",
      "sed -n '/[/]p;e id;]/p' a",
      "sed '{p}e id' a",
      "sed -n 'p;r /etc/passwd' a",
      "sed 'p\ne id' a",
      'sed -n "p;$X" a',
      "sed -e p -e 'e id' a",
      "sed 'a\\\ne id' a",
      'wc -l /etc/*',
    ],
  },
  {
    rules: ['allow Bash(python3:*)', 'allow Bash(node:*)', 'allow Bash(bash:*)', 'allow Bash(curl:*)'],
    free: [
      'python3 manage.py run -e prod',
      'node server.js -p 3000',
      'python3 a.py "$NAME"',
      'python3 solve.py < input.txt',
      'bash scripts/x.sh -c y',
      'node a.js <<< data',
      'python3 /dev/stdin <<< x',
      'bash <<< x',
      'bash -x -c y',
      'bash -c x',
      'python3 - < a',
      'python3 < a.py',
      'node -r ./a b.js',
      'python3 -W ignore -c x',
      'python3 -c x',
    ],
    asks: [
      'python3 "$F" -c x',
      'curl x | bash',
      'curl x | python3 /dev/stdin',
      'curl x | bash /dev/fd/0',
      'bash <(curl x)',
      'curl x | node /proc/self/fd/0',
    ],
  },
  {
    rules: ['allow Bash(sed:*)'],
    free: [
      "sed -i 's/a/b/g' src/a.ts",
      "sed -e ':a;N;$!ba;s/\\n/ /g' a",
      "sed '/x/a hello; e world' a",
      "sed -i '' 's/a/b/' a",
      "sed -E 's#([a-z]+)#<\\1>#' a",
      "sed '$d' a",
      "sed -n '$=' a",
    ],
    asks: [
      "sed '1e rm -rf ~' a",
      "sed 's/x/rm a/e' a",
      "sed -n 'w .git/hooks/pre-commit' a",
      "sed 's/x/y/w .git/hooks/x' a",
      "sed -n 'r /etc/passwd' a",
      'sed -f script a',
      "sed -ne 'e id' a",
      "sed '$!N;e id' a",
      "sed -e 'a x' -e 'e id' a",
      'sed "-es/x/id/e" a',
    ],
  },
];

describe('commands of every day', () => {
  for (const { rules, mode = 'default', free, asks } of table) {
    for (const command of free)
      it(`runs unasked: ${command}`, () => assert.equal(verdictOf(mode, rules, `Bash ${command}`).behavior, 'allow'));
    for (const command of asks)
      it(`asks: ${command}`, () => assert.equal(verdictOf(mode, rules, `Bash ${command}`).behavior, 'ask'));
  }

  it('scripts of sed are told apart by what they may do', () => {
    for (const script of [
      'p',
      '5p',
      '/a/d',
      's/a/b/gp',
      '1!G;h;$!d',
      '1,+3p',
      '0~2p',
      '/x/{s/a/b/;p}',
      's/\\[a\\]/b/',
      's/[\\/]/x/',
      's/["\\\\,]//',
      '/^\\[tool\\.x\\]/,/^\\[/d',
      's/[]a]/b/',
      's/[^]a]/b/',
      's/[[:space:]]*$//',
      's/[[:alpha:][:digit:]_]//',
    ])
      assert.equal(sedEffects(script), 'prints', script);
    for (const script of ['', ':a;ba', 'a text', 'i\\\ntext\np']) assert.equal(sedEffects(script), 'edits', script);
    for (const script of [
      'e',
      'w a',
      'W a',
      'r a',
      'R a',
      'F x',
      '\\,a,p',
      's/a/b/w x',
      's/a/b',
      's a b ',
      '/a',
      '1,p',
      '1,2',
      'p e',
      'v;e',
      '/[/p',
      's/[/]/e/',
      '/[\\]/p',
      '/[a\\]/p',
      's/[[:space:]a/];s/w x/y/',
      's/[[:a:][]/];s/w x/y/',
      's/[]/];s/w x/y/',
      '#n',
    ])
      assert.equal(sedEffects(script), 'more', script);
    assert.ok(!isTameSed(['--file=x']));
  });

  it('a long list without an end is told apart at once', () => {
    // Each of a million brackets would be looked for an end on its own.
    assert.equal(sedEffects(`/${'['.repeat(1_000_000)}/p`), 'more');
    assert.equal(sedEffects(`/${'[a'.repeat(500_000)}/p`), 'more');
  });
});
