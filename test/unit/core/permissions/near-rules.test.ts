// What is said of a command that no rule covers: the nearest rule, and why it does not cover it.
import assert from 'node:assert/strict';
import { verdictOf } from './permission-table';

const rows: [rules: string[], call: string, reason: string][] = [
  [[], 'Bash node -e 1', 'No rule matches `node`.'],
  [['make:*'], 'Bash node -e 1', 'No rule matches `node`.'],
  [
    ['node:*'],
    'Bash node "$(cat a)"',
    'The rule `Bash(node:*)` does not cover `node "$(cat a)"`: its code is not written out in the line.',
  ],
  [
    ['bash:*'],
    'Bash ls | bash',
    'The rule `Bash(bash:*)` does not cover `bash`: its code comes from its input, which the line does not show.',
  ],
  [
    ['git:*'],
    'Bash git push --force',
    'The rule `Bash(git:*)` does not cover `git push --force`: `git push` can lose work like this, so the rule must name the subcommand.',
  ],
  [
    ['git:*'],
    'Bash git -c a.b=c commit',
    'The rule `Bash(git:*)` does not cover `git -c a.b=c commit`: `-c` chooses other settings or another repository, so the rule must spell it out.',
  ],
  [
    ['find:*'],
    'Bash find . -exec make {} +',
    'The rule `Bash(find:*)` does not cover `find . -exec make {} +`: `-exec` runs, writes or deletes something, which a rule with a `*` never covers.',
  ],
  [
    ['/usr/bin/python3:*'],
    'Bash PYTHONPATH=src /usr/bin/python3 a.py',
    'No rule matches `/usr/bin/python3`. The nearest is `Bash(/usr/bin/python3:*)`, but it does not name `PYTHONPATH=src`, which stands in front of the command.',
  ],
  [
    ['npm test', 'npm run build', 'npm run lint:*'],
    'Bash npm run buildall',
    'No rule matches `npm run`. The nearest is `Bash(npm run build)`, but the command is not exactly `npm run build`.',
  ],
  [
    ['make:*'],
    'Bash make > /opt/x',
    'It writes into `/opt/x`. The rule `Bash(make:*)` covers the command, but not that file.',
  ],
  [
    ['cp:*'],
    'Bash cp a /opt/x',
    '`/opt/x` is outside the workspace. The rule `Bash(cp:*)` covers the command in the workspace only.',
  ],
  [[], 'Bash cd lib && git commit -m x', 'No rule matches `git commit`.'],
  [
    ['git:*'],
    'Bash cd lib && git commit -m x',
    'It runs git in `/ws/lib`, which is not the workspace folder itself: git would obey the settings of a repository there. The rule `Bash(git:*)` covers git in the workspace folder only.',
  ],
];

describe('a question about a command', () => {
  for (const [rules, call, reason] of rows)
    it(`names the nearest of ${JSON.stringify(rules)} for ${call}`, () =>
      assert.equal(
        verdictOf(
          'default',
          rules.map((content) => `allow Bash(${content})`),
          call,
        ).reason,
        reason,
      ));
});
