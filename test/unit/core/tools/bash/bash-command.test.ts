// What a command's text says about its timeout and its exit code 1.
import assert from 'node:assert/strict';
import { meaningOfOne, onTimeoutOf } from '../../../../../src/core/tools/bash/bash-command';

describe('a timeout', () => {
  const check = (expected: 'background' | 'kill', ...commands: string[]) => {
    for (const command of commands) it(`${expected}: ${command}`, () => assert.equal(onTimeoutOf(command), expected));
  };
  check(
    'background',
    'npm test',
    'make -j4 && ./run',
    'cargo build 2>&1 | tail',
    'echo git sleep',
    'grep git README.md',
    './sleepy',
  );
  check(
    'kill',
    'sleep 300',
    'sleep 5 && npm start',
    '/bin/sleep 9',
    'while true; do sleep 1; done',
    'git pull',
    'npm ci; git add -A',
  );
  check(
    'kill',
    'echo $(git fetch)',
    'timeout 9 sleep 100',
    'sudo git push',
    '(cd x && git gc) | cat',
    'X=1 git log',
    'echo "open',
    'if true; then',
    'diff <(git show a) b',
  );
});

describe('exit code 1', () => {
  const check = (expected: string | undefined, ...commands: string[]) => {
    for (const command of commands)
      it(`${expected ?? 'failure'}: ${command}`, () => assert.equal(meaningOfOne(command), expected));
  };
  check(
    'nothing matched',
    'grep x y',
    'rg foo',
    'cat a | grep b',
    'cd src && grep x .',
    'echo a; grep b c',
    '/bin/grep x y',
    'LC_ALL=C grep x y',
  );
  check('the files differ', 'diff a b', 'cd x && diff a b');
  check('the condition is false', 'test -f x', '[ -f x ]', '[[ -f x ]]');
  check('some folders could not be read', 'find / -name x');
  check(undefined, 'npm test', 'grep x y && npm test', 'npm test && grep x y', 'npm test || grep x y', '! grep x y');
  check(
    undefined,
    'grep x y | wc -l',
    'grep x "y',
    '(grep x y)',
    'if grep x y; then false; fi',
    'grep x y &',
    '',
    '# grep',
  );
});
