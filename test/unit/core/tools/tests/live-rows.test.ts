// What a card shows while tests run, and what is left of a run whose output is longer than a result.
import assert from 'node:assert/strict';
import { type CommandResult, type Terminal } from '../../../../../src/core/ports/terminal';
import { runByCommand } from '../../../../../src/core/tools/tests/run-tests';
import { type TestPlan } from '../../../../../src/core/tools/tests/test-plan';
import { isFailure, type ToolContext, type ToolProgress } from '../../../../../src/core/tool/tool';
import { createMemoryFiles } from '../../../../support/memory-files';
import { unusedPorts } from '../../../../support/unused-ports';

const plan: Extract<TestPlan, { way: 'command' }> = {
  way: 'command',
  runner: { name: 'node', folder: '/w', others: [] },
  command: 'node --test --test-reporter=tap',
  place: { folder: '/w', root: '/w' },
  isChosen: false,
  coverage: false,
  notes: [],
};
const passed = 'TAP version 13\n# Subtest: one\nok 1 - one\n';
const failed = "# Subtest: two\nnot ok 2 - two\n  ---\n  location: '/w/a.test.mjs:7:1'\n  error: 'no'\n  ...\n";
const done: CommandResult = {
  end: { state: 'exited', code: 1 },
  output: `${passed}${failed}`,
  omittedBytes: 0,
  totalBytes: 1,
  incomplete: false,
  outputPath: '',
  cwd: '/w',
  durationMs: 1,
  survivors: [],
  notes: [],
};

async function run(terminal: Terminal['run'], files: Record<string, string> = {}) {
  const shown: ToolProgress[] = [];
  const context = {
    toolUseId: 'toolu_1',
    signal: new AbortController().signal,
    session: { id: 'live', cwd: '/w' },
    ports: { files: createMemoryFiles(files), terminal: unusedPorts({ terminal: { run: terminal } }).terminal },
    onProgress: (progress: ToolProgress) => void shown.push(progress),
  } as unknown as ToolContext;
  const output = await runByCommand(plan, 1_000, context);
  assert.ok(!isFailure(output));
  return { shown, output };
}

describe('Tests while they run', () => {
  it('shows what has passed and failed so far, from the ends of the output', async () => {
    const { shown, output } = await run(async (_request, report) => {
      report({ tail: passed, bytes: passed.length, durationMs: 1 });
      report({ tail: `one\n${failed}`, bytes: passed.length + failed.length, durationMs: 2 });
      return done;
    });
    assert.deepEqual(
      shown.map((one) => one.kind === 'view' && [one.text, one.view.kind === 'tests' && one.view.items]),
      [
        ['1 passed', []],
        ['1 passed, 1 failed', [{ name: 'two', path: '/w/a.test.mjs', line: 7, text: 'no' }]],
      ],
    );
    assert.deepEqual([output.state, output.passed, output.failed], ['ran', 1, 1]);
  });

  it('reads long output from its file', async () => {
    const cut = { ...done, output: passed.slice(0, 5), omittedBytes: 100, outputPath: '/own/output' };
    const { output } = await run(async () => cut, { '/own/output': `${passed}${failed}` });
    assert.deepEqual([output.passed, output.failed], [1, 1]);
  });

  it('what is stopped is not the last run, and not success', async () => {
    const { output } = await run(async () => ({ ...done, output: passed, end: { state: 'killed', by: 'timeout' } }));
    assert.equal(output.state, 'stopped');
    assert.match(output.notes.join(), /did not end within 1 seconds/);
  });
});
