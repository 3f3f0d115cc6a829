// A command line is parsed once in a call: the value is passed to all that ask about it, from its targets to "Always allow".
import assert from 'node:assert/strict';
import { Session } from 'node:inspector/promises';
import { bashTool } from '../../../../src/core/tools/bash/bash';
import { powerShellTool } from '../../../../src/core/tools/bash/power-shell';
import { type AnyTool } from '../../../../src/core/tool/tool';
import { type Terminal } from '../../../../src/core/ports/terminal';
import { withPlace } from '../../../support/tool-table';

const terminal: Terminal = {
  run: async ({ cwd }) => ({
    end: { state: 'exited', code: 0 },
    output: '',
    omittedBytes: 0,
    totalBytes: 0,
    incomplete: false,
    outputPath: '',
    cwd,
    durationMs: 1,
    survivors: [],
    notes: [],
  }),
  background: () => [],
  output: async () => undefined,
  moveToBackground: () => false,
  stop: async () => false,
  onBackgroundEnd: () => () => undefined,
  dispose: async () => undefined,
};

/** How often each parser was called meanwhile, as the engine counts it. */
async function parses(work: () => Promise<void>): Promise<{ bash: number; powerShell: number }> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    await work();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const calls = (name: string): number =>
      result
        .flatMap(({ functions }) => functions)
        .filter(({ functionName }) => functionName === name)
        .reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0);
    return { bash: calls('parseShell'), powerShell: calls('parsePowerShell') };
  } finally {
    session.disconnect();
  }
}

/** With an `answer` the rules decide, and the user is asked as often as `asked` says; else everything is allowed. */
async function use(tool: AnyTool, command: string, how: { answer?: object; asked: number }): Promise<void> {
  await withPlace({ ports: { terminal } }, {}, async (place) => {
    const { code, asked } = await place.use(tool, { command }, how);
    assert.deepEqual([code, asked.length], ['ok', how.asked]);
  });
}

describe('a command line is parsed once', () => {
  const rows: [title: string, command: string, how: { answer?: object; asked: number }][] = [
    ['where the mode allows it', 'npm test', { asked: 0 }],
    ['where it only reads', 'git status', { answer: {}, asked: 0 }],
    ['where the user is asked and links are looked up again', 'npm test && make', { answer: {}, asked: 1 }],
    ['where it names files', 'cat a.txt > b.txt', { answer: {}, asked: 1 }],
  ];
  for (const [title, command, how] of rows)
    it(title, async () => {
      assert.deepEqual(await parses(() => use(bashTool, command, how)), { bash: 1, powerShell: 0 });
    });

  it('in PowerShell, too; the tool reads it once more to know what a timeout does', async () => {
    const counted = await parses(() => use(powerShellTool, 'npm test', { answer: {}, asked: 1 }));
    assert.deepEqual(counted, { bash: 0, powerShell: 2 });
  });
});
