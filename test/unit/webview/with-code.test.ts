// Marks of code in sentences of the host: gone where they are marks, kept where they belong to a command.
import assert from 'node:assert/strict';
import { codeParts } from '../../../webview-ui/parts/with-code';

describe('code in a sentence', () => {
  const cases: readonly [string, readonly string[]][] = [
    ['Deft asks before each edit in this mode.', ['Deft asks before each edit in this mode.']],
    ['No rule matches `npx eslint`.', ['No rule matches ', 'npx eslint', '.']],
    ['Always allow `node --test` in this project', ['Always allow ', 'node --test', ' in this project']],
    ['every command that starts with `a` and `b c`', ['every command that starts with ', 'a', ' and ', 'b c', '']],
    // A command with marks of its own is shown as it is, mark by mark.
    ['Always allow `echo `date`` in this project', ['Always allow `echo `date`` in this project']],
    ['Always allow `echo `date` now` in this project', ['Always allow `echo `date` now` in this project']],
    ['Always allow `a`b` in this project', ['Always allow `a`b` in this project']],
    ['A single ` stays', ['A single ` stays']],
  ];
  for (const [text, parts] of cases) {
    it(text, () => assert.deepEqual(codeParts(text), parts));
  }
});
