// Which words of a hook's command name a script, and which are data.
import assert from 'node:assert/strict';
import { scriptPaths } from '../../../../src/core/hooks/hook-scripts';

const folders = { folder: '/w/lib', project: '/w' };
const table: [command: string, ...paths: string[]][] = [
  ['./check.sh', '/w/lib/check.sh'],
  ['scripts/check.sh --all', '/w/lib/scripts/check.sh'],
  ['"$CLAUDE_PROJECT_DIR"/.claude/hooks/x.sh', '/w/.claude/hooks/x.sh'],
  ['${CLAUDE_PROJECT_DIR}/.claude/hooks/x.py --fix', '/w/.claude/hooks/x.py'],
  ['python3 -u "$CLAUDE_PROJECT_DIR/tools/x.py" src/a.py', '/w/tools/x.py'],
  ['bash check.sh', '/w/lib/check.sh'],
  ['/usr/bin/env node tools/check.mjs a/b.js', '/w/lib/tools/check.mjs'],
  ['env A=1 node tools/check.mjs a/b.js', '/w/lib/tools/check.mjs'],
  ['A=1 B="two words" ./run.sh', '/w/lib/run.sh'],
  ['cat input | ./one.sh && ./two.sh; (./three.sh)', '/w/lib/one.sh', '/w/lib/two.sh', '/w/lib/three.sh'],
  ['if ./one.sh; then\n./two.sh\nfi', '/w/lib/one.sh', '/w/lib/two.sh'],
  ['echo $(./inner.sh) `./old.sh`', '/w/lib/inner.sh', '/w/lib/old.sh'],
  ["bash -c './deep.sh --x'", '/w/lib/deep.sh --x', '/w/lib/deep.sh'],
  ['run-hook --config .claude/hooks/config.json', '/w/lib/.claude/hooks/config.json'],
  ['. ./lib.sh', '/w/lib/lib.sh'],
  ['my\\ folder/x.sh', '/w/lib/my folder/x.sh'],
  ['../outside.sh', '/w/outside.sh'],
  ['npx eslint src/index.ts'],
  ['npm test'],
  ['grep -q x package.json'],
  ['echo "done"'],
  ['env >logs/hook.log; env >> ./own.log && env >|a/b 2>&1 | ./next.sh', '/w/lib/next.sh'],
  ['env > >(./filter.sh)', '/w/lib/filter.sh'],
  ['bash < ./fed.sh >out/log', '/w/lib/fed.sh'],
];

describe('scripts of hooks', () => {
  for (const [command, ...paths] of table) {
    it(JSON.stringify(command), () => assert.deepEqual(scriptPaths({ type: 'command', command }, folders), paths));
  }

  it('are among the arguments of a program too; other kinds have none', () => {
    assert.deepEqual(scriptPaths({ type: 'command', command: 'node', args: ['a b/check.mjs', 'x/y.js'] }, folders), [
      '/w/lib/a b/check.mjs',
    ]);
    assert.deepEqual(scriptPaths({ type: 'prompt', prompt: './check.sh' }, folders), []);
  });
});
