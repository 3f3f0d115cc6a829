// Paths in commands that a user copies into a shell.
import assert from 'node:assert/strict';
import { shellArgument } from '../../../../src/core/text/shell-quoted';

describe('arguments of commands that users are told', () => {
  const cases: [given: string, shown: string][] = [
    ['/home/ann/.deft/worktrees/work-1a/fix', '/home/ann/.deft/worktrees/work-1a/fix'],
    ['C:/work/a', 'C:/work/a'],
    ['/home/ann smith/a', '"/home/ann smith/a"'],
    ['/a/$b`"c', '"/a/\\$b\\`\\"c"'],
    ["/it's", `"/it's"`],
    ['/a(1)', '"/a(1)"'],
    ['', '""'],
  ];
  for (const [given, shown] of cases)
    it(`${JSON.stringify(given)} is ${shown}`, () => assert.equal(shellArgument(given), shown));
});
