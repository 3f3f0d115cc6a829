// What "@terminal" attaches: the last command of the terminal in front, the end of what it wrote, and how it ended.
import assert from 'node:assert/strict';
import type { ShellRun } from '../../../src/vscode/terminal/shell-executions';
import { mentionedTerminal } from '../../../src/vscode/terminal/terminal-mention';

const [one, other] = ['one', 'other'].map((name) => ({ name }) as ShellRun['terminal']);
const run = (terminal: typeof one, command: string, text: string, more: Partial<ShellRun> = {}): ShellRun => ({
  terminal: terminal ?? assert.fail(),
  command,
  startedAt: 0,
  running: false,
  exitCode: 0,
  output: () => ({ text, cut: false }),
  ...more,
});

describe('@terminal', () => {
  const runs = [run(one, 'npm test', '1 failed', { exitCode: 1 }), run(other, 'ls', 'a.txt'), run(one, 'pwd', '/w')];

  it('is the last command of the terminal in front; of all where none is', () => {
    const newest = 'The last command of the terminal "one":\n$ npm test\n1 failed\nExit code 1.';
    assert.equal(mentionedTerminal(runs, one, []), newest);
    assert.equal(mentionedTerminal(runs, undefined, []), newest);
    assert.match(mentionedTerminal(runs, other, []), /"other":\n\$ ls\na\.txt\nExit code 0\.$/);
  });

  it('says that there is none, and in which terminal', () => {
    assert.match(mentionedTerminal([], undefined, []), /^No terminal is open: /);
    assert.match(mentionedTerminal([], one, []), /^No command of the terminal "one" is known: /);
  });

  it('says what still runs, what wrote nothing and what did not say how it ended', () => {
    assert.match(
      mentionedTerminal([run(one, 'npm start', '', { running: true })], one, []),
      /\[it wrote nothing\]\nIt still runs\.$/,
    );
    assert.match(
      mentionedTerminal([run(one, 'x', 'y', { exitCode: undefined })], one, []),
      /How it ended is not known\.$/,
    );
  });

  it('keeps the end of much, without credentials in whole or in part', () => {
    const secret = 'key-0123456789abcdef';
    const text = `${secret}${'y'.repeat(12_100)}`;
    const shown = mentionedTerminal([run(one, `curl -H ${secret}`, text)], one, [secret]);
    assert.match(shown, /\n\[the beginning of its output is left out\]\n/);
    assert.ok(shown.length < 12_400);
    assert.doesNotMatch(shown, /key-0|abcdef/);
  });
});
