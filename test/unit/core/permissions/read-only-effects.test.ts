// Commands that seem to read only, and whose options or arguments do more: they ask, in plan mode they are refused.
import assert from 'node:assert/strict';
import { verdictOf } from './permission-table';

const effects: { what: string; asks: string[]; free: string[] }[] = [
  {
    what: '`%n` of printf sets a variable: with PATH=1 the next `ls` is the file 1/ls of the workspace',
    asks: [
      "printf 'a%n' PATH; ls",
      "printf '%5n' PATH",
      "printf '%.*n' 1 PATH",
      "printf '%ln' PATH",
      "printf '%\\156' PATH",
      "printf '%%%n' PATH",
      "printf '%s%n' a PATH",
    ],
    free: [
      "printf '%s\\n' a b",
      "printf '%-10s %5.2f\\n' a 1",
      "printf '%d%% done\\n' 5",
      "printf 'a\\n'",
      "printf '%%n' a",
      "printf '%q\\n' a",
    ],
  },
  {
    what: 'letters of ps that do not go together show the environment of every process',
    asks: ['ps -auxe', 'ps -auxwwe', 'ps -axe', 'ps -uxe', 'ps -e -x', 'ps -eHT', 'ps auxe'],
    free: ['ps -ef', 'ps -e', 'ps aux', 'ps -aux', 'ps -p 1 -o comm', 'ps -eF'],
  },
  {
    what: 'modules and data that a program of jq imports lie anywhere',
    asks: [
      'jq -n \'import "config" as $d {search: "/home/u/.docker"}; $d\'',
      'jq \'include "x" {search: "/tmp"}; f\' a.json',
      'jq "$(cat a) import \\"x\\" as \\$d; \\$d" a',
      'jq -n \'# x\nimport "x" as $d; $d\'',
    ],
    free: [
      'jq .import a.json',
      'jq \'.exports["import"]\' a.json',
      'jq \'.[] | select(.type == "include")\' a.json',
      "jq '{import: .a}' a.json",
      "jq '.includes[]' a.json",
      "jq '.a.include' a.json",
      "jq '.important' a.json",
    ],
  },
  {
    what: 'a loop in a loop, or one that a function runs, changes the variable of the first',
    asks: [
      'for f in a; do for f in /etc/passwd; do :; done; cat "$f"; done',
      'for f in a; do for g in b; do for f in ../x; do :; done; done; cat "$f"; done',
      'for f in a; do while for f in ../x; do false; done; do :; done; cat "$f"; done',
      'ls() { for f in ../x; do :; done; }; for f in a; do ls; cat "$f"; done',
      'for f in a; do ls() { cat "$f"; }; done; for f in ../x; do ls; done',
    ],
    free: [
      'for f in a; do for g in b; do cat "$f" "$g"; done; done',
      'for f in a; do cat "$f"; done; for f in b; do cat "$f"; done',
    ],
  },
  {
    what: 'a function runs in the folder where it is called',
    asks: ['ls() { cat link; }; cd src && ls', 'cd src && ls() { cat link; }; ls'],
    free: ['ls() { cat a; }; ls'],
  },
  {
    what: 'file reads names from a list',
    asks: ['file -f list', 'file -bf list', 'file --files-from list'],
    free: ['file a', 'file -b a'],
  },
  {
    what: 'a file of the project says which program answers',
    asks: ['cargo --version', 'rustc --version', 'yarn --version', 'pnpm --version', 'dotnet --version'],
    free: ['node --version', 'python3 --version', 'java --version'],
  },
];

describe('commands that only seem to read', () => {
  for (const { what, asks, free } of effects) {
    it(what, () => {
      for (const command of asks) {
        assert.equal(verdictOf('default', [], `Bash ${command}`).behavior, 'ask', command);
        assert.equal(verdictOf('plan', [], `Bash ${command}`).behavior, 'deny', command);
      }
      for (const command of free) assert.equal(verdictOf('plan', [], `Bash ${command}`).behavior, 'allow', command);
    });
  }
});
