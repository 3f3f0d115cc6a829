// Which command line runs the tests of a place, and what is asked before it does.
import assert from 'node:assert/strict';
import { formatRule } from '../../../../../src/core/permissions/rules/rule-syntax';
import { type Terminal } from '../../../../../src/core/ports/terminal';
import { findRunner } from '../../../../../src/core/tools/tests/find-runner';
import { runnerCommand, type Wanted } from '../../../../../src/core/tools/tests/runner-command';
import { testsTool } from '../../../../../src/core/tools/tests/tests';
import { createMemoryFiles } from '../../../../support/memory-files';
import { reply, toolUse } from '../../../../support/messages-api/script';
import { createScriptedModel } from '../../../../support/scripted-model';
import { createHarness } from '../../../../support/session-harness';
import { unusedPorts } from '../../../../support/unused-ports';

const manifest = (test: string, more: object = {}): string => JSON.stringify({ scripts: { test, ...more } });

async function lineOf(
  files: Record<string, string>,
  place: string,
  wanted: Partial<Wanted> = {},
): Promise<string | undefined> {
  const runner = await findRunner(place, '/w', createMemoryFiles(files));
  return runner && runnerCommand(runner, { files: [], names: [], declared: [], ...wanted }, '/w');
}

describe('the command that runs tests', () => {
  const node = 'node --test --test-reporter=tap';
  const rows: [
    name: string,
    files: Record<string, string>,
    place: string,
    wanted: Partial<Wanted>,
    line: string | undefined,
  ][] = [
    [
      'node:test of a script',
      { '/w/package.json': manifest('node --import ./setup.mjs --test test/*.mjs') },
      '/w',
      {},
      `${node} --import ./setup.mjs test/*.mjs`,
    ],
    [
      'one file, without what the script runs',
      { '/w/package.json': manifest('node --test test/*.mjs'), '/w/test/a.mjs': '' },
      '/w/test/a.mjs',
      { files: ['/w/test/a.mjs'] },
      `${node} test/a.mjs`,
    ],
    [
      'a name, as a pattern and as one word',
      { '/w/package.json': manifest('node --test') },
      '/w',
      { name: "it's a (b)" },
      `${node} '--test-name-pattern=it'\\''s a \\(b\\)'`,
    ],
    [
      'a watching script with a reporter of its own',
      { '/w/package.json': manifest('mocha --watch --reporter dot -r ts-node/register test') },
      '/w',
      {},
      'npx mocha --reporter json -r ts-node/register test',
    ],
    [
      'variables, and a script behind a script',
      { '/w/package.json': manifest('npm run unit', { unit: 'cross-env NODE_ENV=test jest --coverage --ci' }) },
      '/w',
      { name: 'adds' },
      'NODE_ENV=test npx jest --json --testLocationInResults --ci -t adds',
    ],
    [
      'jest by its own file',
      { '/w/package.json': manifest('node --experimental-vm-modules node_modules/jest/bin/jest.js') },
      '/w',
      {},
      'node --experimental-vm-modules node_modules/jest/bin/jest.js --json --testLocationInResults',
    ],
    [
      'vitest without a script',
      { '/w/vitest.config.ts': '' },
      '/w',
      { names: ['a', 'b'] },
      "npx vitest run --reporter=json -t 'a|b'",
    ],
    [
      'a package below',
      { '/w/packages/a/package.json': manifest('vitest'), '/w/packages/a/x.test.ts': '' },
      '/w/packages/a/x.test.ts',
      { files: ['/w/packages/a/x.test.ts'] },
      'cd packages/a && npx vitest run --reporter=json x.test.ts',
    ],
    [
      'pytest, by the language of the file',
      { '/w/package.json': manifest('jest'), '/w/pyproject.toml': '', '/w/t/a_test.py': '' },
      '/w/t/a_test.py',
      { files: ['/w/t/a_test.py'], name: 'adds [1]' },
      'python3 -m pytest -q --tb=short -o junit_family=xunit1 --junitxml=/dev/stdout -k adds t/a_test.py | cat',
    ],
    [
      'go, one file',
      { '/w/go.mod': 'module x.io/y\n', '/w/p/a_test.go': '' },
      '/w/p/a_test.go',
      { files: ['/w/p/a_test.go'], declared: ['TestA', 'TestB'] },
      "go test -json -run '^(TestA|TestB)$' ./p",
    ],
    [
      'go, with coverage',
      { '/w/go.mod': 'module x.io/y\n' },
      '/w',
      { coverage: true },
      'go test -json -coverpkg=./... -coverprofile=/dev/stdout ./... | cat',
    ],
    [
      'cargo',
      { '/w/Cargo.toml': '', '/w/tests/whole.rs': '' },
      '/w/tests/whole.rs',
      { files: ['/w/tests/whole.rs'] },
      'cargo test --no-fail-fast --color never --test whole',
    ],
    [
      'a script that says nothing plain',
      { '/w/package.json': manifest('node --test $(cat list)') },
      '/w',
      {},
      undefined,
    ],
    ['nothing', { '/w/a.txt': '' }, '/w', {}, undefined],
  ];
  for (const [name, files, place, wanted, line] of rows)
    it(name, async () => assert.equal(await lineOf(files, place, wanted), line));
});

describe('Tests and permissions', () => {
  const nothing = {
    omittedBytes: 0,
    incomplete: false,
    outputPath: '',
    cwd: '/w',
    durationMs: 1,
    survivors: [],
    notes: [],
  };

  async function use(
    rule?: { behavior: 'allow' | 'deny' | 'ask'; toolName: string; ruleContent?: string },
    trusted = true,
  ) {
    const files = createMemoryFiles({ '/w/package.json': manifest('mocha'), '/w/node_modules/.bin/mocha': '' });
    const ran: string[] = [];
    const run: Terminal['run'] = async ({ command }) => {
      ran.push(command);
      return { ...nothing, end: { state: 'exited', code: 0 }, output: 'x', totalBytes: 1 };
    };
    const model = createScriptedModel([reply(toolUse('Tests', {}, 'toolu_1')), reply('Done.')]);
    const harness = createHarness({
      model,
      tools: [testsTool],
      ports: { files, terminal: unusedPorts({ terminal: { run } }).terminal },
      session: {
        permission: () => ({
          rules:
            rule === undefined
              ? []
              : [
                  {
                    behavior: rule.behavior,
                    value: {
                      toolName: rule.toolName,
                      ...(rule.ruleContent === undefined ? {} : { ruleContent: rule.ruleContent }),
                    },
                    source: 'userSettings' as const,
                    root: '/w',
                  },
                ],
          folders: ['/w'],
          ownFolders: [],
          home: '/home/ann',
          ignoreCase: false,
          trusted,
          savesTo: '/w/.claude/settings.local.json',
        }),
        mode: 'default',
        environment: { cwd: '/w', folders: ['/w'], platform: 'linux', shell: 'bash', date: '2026-11-21' },
      },
    });
    await harness.run('Go');
    return { ran, approvals: harness.approvals, text: JSON.stringify(model.requests[1]?.messages.at(-1)) };
  }
  const line = 'npx mocha --reporter json';

  it('asks with exactly the line that runs, and offers the rule that Bash would', async () => {
    const { approvals, ran } = await use();
    assert.equal(approvals.length, 1);
    const [asked] = approvals;
    assert.ok(asked?.view.kind === 'terminal');
    assert.equal(asked.view.command, line);
    const offered = asked.suggestions.flatMap(({ updates }) =>
      updates.flatMap((update) => (update.type === 'addRules' ? update.rules.map(formatRule) : [])),
    );
    assert.deepEqual([...new Set(offered)], ['Bash(npx mocha *)', `Bash(${line})`]);
    assert.ok(asked.suggestions.some(({ label }) => label.endsWith('in this project')));
    assert.deepEqual(ran, [line]);
  });

  it('says that a runner gave no report', async () => {
    const { text } = await use({ behavior: 'allow', toolName: 'Tests' });
    assert.match(text, /mocha gave no report, so it is not known what passed or failed\.\\nIts last output:\\nx/);
  });

  for (const rule of [{ toolName: 'Tests' }, { toolName: 'Bash' }, { toolName: 'Bash', ruleContent: 'npx mocha *' }])
    it(`${JSON.stringify(rule)} allows and denies it`, async () => {
      const allowed = await use({ behavior: 'allow', ...rule });
      assert.deepEqual([allowed.ran, allowed.approvals.length], [[line], 0]);
      const denied = await use({ behavior: 'deny', ...rule });
      assert.deepEqual([denied.ran, denied.approvals.length], [[], 0]);
      const asked = await use({ behavior: 'ask', ...rule });
      assert.equal(asked.approvals.length, 1);
    });

  it('runs nothing in a workspace that is not trusted', async () => {
    const { ran, approvals } = await use(undefined, false);
    assert.deepEqual([ran, approvals], [[], []]);
  });
});
