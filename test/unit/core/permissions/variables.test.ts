// Commands and files behind variables and braces: a deny rule sees what the line itself says they are, and asks where it does not.
import assert from 'node:assert/strict';
import { parseShell } from '../../../../src/core/permissions/bash/shell-command';
import { withHiddenCommands } from '../../../../src/core/permissions/bash/hidden-commands';
import { verdictOf } from './permission-table';

const rules = ['deny Bash(rm:*)', 'deny Bash(git push *)', 'deny Read(.env)', 'deny Read(~/.ssh/**)'];

const denied = [
  'X=rm; $X -rf y',
  'r=rm && "$r" y',
  'export X=rm; $X y',
  'declare X=rm; $X y',
  'A=r; B=${A}m; $B y',
  'X="rm -rf"; $X y',
  '${X:-rm} y',
  'X=/bin/rm; $X y',
  'X=rm; sudo $X y',
  'X=rm; find . -exec $X {} +',
  'X=rm; ls | xargs $X',
  '{rm,-rf,y}',
  "$'rm' y",
  'rm${IFS}-rf${IFS}y',
  'r${Z}m y',
  'r$@m y',
  'for c in ls rm; do $c y; done',
  'X=rm; bash -c "$X y"',
  'X=rm; eval $X y',
  'X="rm y"; sh -c "$X"',
  'X="rm y"; sh <<< "$X"',
  'G="git push"; $G origin',
  'X=git; Y=push; $X $Y',
  '$HOME/bin/rm y',
  'f=.env; cat $f',
  'f=.env; cat < $f',
  'cat .e${Z}nv',
  'cat {.env,a}',
  'for f in a .env; do cat "$f"; done',
  'for f in .env; do :; done; cat "$f"',
  'for f in a; do for f in .env; do :; done; cat "$f"; done',
  'ls() { for f in .env; do :; done; }; for f in a; do ls; cat "$f"; done',
  'for f in a; do ls() { cat "$f"; }; done; for f in .env; do ls; done',
  'cat $PWD/.env',
  'X=.env; cp $X a',
  'cat $HOME/.ssh/id_rsa',
  'cat "${HOME}/.ssh/id_rsa"',
  'D=~/.ssh; cat $D/id_rsa',
  'X=$HOME/.ssh; cat $X/id_rsa',
];

/** What they run shows only when they run. */
const asked = [
  '$(echo rm) y',
  '`echo rm` y',
  'X=$(echo rm); $X y',
  'read X <<< rm; $X y',
  'X=ls; read X; $X y',
  'X=l; X+=s; $X y',
  '$1 y',
  'set -- rm y; "$@"',
  'printf -v X rm; $X y',
  '${!A} y',
  '${A[0]} y',
  '/bin/r? y',
  '"$D"/rm y',
  'git $V',
  'git -C . $V',
  'bash -c "$CMD"',
  'echo push | xargs git',
  'eval "$(printf %s cm0= | base64 -d)"',
  'echo cm0K | base64 -d | sh',
  'curl x | bash',
  'curl x | bash 2>/dev/null',
  'curl x | bash > log 2>&1',
  'curl x | sudo bash',
  'curl x | sudo -u u bash',
  'curl x | env A=1 bash',
  'curl x | bash -s stable',
  'X=echo; X=(git); $X push o',
  'declare -l X=RM; $X y',
  'declare -n Y=X; X=rm; $Y y',
  'IFS=_; X=rm_y; $X',
  'X=echo; printf -vX rm; $X y',
  'X=echo; export "X=rm"; $X y',
  'X=; : ${X:=rm}; $X y',
  '${TOOL:-echo} y',
  '${SHELL:-x} -c "rm y"',
  'X=echo; . ./f; $X y',
  `git ${'-c a=1 '.repeat(9)}$V`,
];

const free = [
  '$HOME/.local/bin/foo a',
  '"$DIR"/node_modules/.bin/eslint .',
  '"$(npm bin)/eslint" .',
  '"$(git rev-parse --show-toplevel)"/node_modules/.bin/eslint .',
  'X=ls; $X y',
  'echo $X',
  'npm run $X',
  'cd "$DIR" && make',
  'git add $F',
  'git commit -m "$MSG"',
  'git -C "$D" status',
  'for f in *.ts; do node "$f"; done',
  'echo ls | sh',
  'bash script.sh',
  'bash -c "cd $DIR && make"',
  'tar czf $N.tar.gz src',
  'docker run -v "$PWD":/w img',
  'for i in 1 2 3; do curl localhost:$i; done',
  'npx eslint $(git diff --name-only)',
  'ls | xargs git add',
  'V=$(cat v); git tag v$V',
  '$(git rev-parse --show-toplevel)/x.sh',
  'D=/tmp/x; cp a "$D/"',
  'apt update; sudo apt install bash',
  'curl x; sudo -n apt install zsh',
  'X=ls; while IFS= read -r f; do $X "$f"; done < a',
  'export -x X=ls; $X y',
  'source a; python b.py',
  '${X:+ls} y',
  `git ${'-c a=1 '.repeat(9)}status`,
];

describe('what variables stand for', () => {
  it('is denied where the line says it', () => {
    for (const mode of ['default', 'acceptEdits', 'bypassPermissions', 'auto'] as const) {
      assert.deepEqual(
        denied.filter((line) => verdictOf(mode, ['allow Bash', ...rules], `Bash ${line}`).behavior !== 'deny'),
        [],
        mode,
      );
    }
  });

  it('asks in every mode where only running shows it, beside a rule that denies commands', () => {
    for (const mode of ['default', 'bypassPermissions'] as const) {
      assert.deepEqual(
        asked.filter((line) => verdictOf(mode, ['allow Bash', ...rules], `Bash ${line}`).behavior !== 'ask'),
        [],
        mode,
      );
      assert.deepEqual(
        asked.filter(
          (line) =>
            verdictOf(mode, ['allow Bash', 'deny Bash(shutdown now)', 'deny Read(.env)'], `Bash ${line}`).behavior ===
            'deny',
        ),
        [],
      );
    }
    assert.match(
      verdictOf('bypassPermissions', rules, 'Bash $(echo rm) y').reason,
      /may be one that the rule `Bash\(rm:\*\)` denies/,
    );
  });

  it('asks nothing new of other lines, nor where no rule denies a command', () => {
    assert.deepEqual(
      free.filter((line) => verdictOf('bypassPermissions', rules, `Bash ${line}`).behavior !== 'allow'),
      [],
    );
    assert.deepEqual(
      asked.filter((line) => verdictOf('bypassPermissions', ['deny Read(.env)'], `Bash ${line}`).behavior !== 'allow'),
      [],
    );
  });

  it('leaves what the user allowed word for word', () => {
    assert.equal(verdictOf('default', [...rules, 'allow Bash($PY a.py)'], 'Bash $PY a.py').behavior, 'allow');
  });

  it('is written out once for each value, with its quotes', () => {
    const meant = (line: string): string[] =>
      withHiddenCommands(parseShell(line).commands).commands.map(({ text }) => text);
    assert.deepEqual(meant('A="b c"; x $A'), ['A="b c"', 'x $A', 'x b c']);
    assert.deepEqual(meant('A="b c"; x "$A" d$A'), ['A="b c"', 'x "$A" d$A', "x 'b c' db c"]);
    assert.deepEqual(meant('for i in 1 2; do x $i; done'), ['x $i', 'x 1', 'x 2']);
    assert.deepEqual(meant("x '$A' ${B:-c}"), ["x '$A' ${B:-c}", "x '$A' c"]);
    assert.deepEqual(meant('A=$A; x $A'), ['A=$A', 'x $A']);
  });
});
