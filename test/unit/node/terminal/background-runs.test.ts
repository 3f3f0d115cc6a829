import assert from 'node:assert/strict';
import { createBackgroundRuns, type TrackedRun } from '../../../../src/node/terminal/background-runs';
import { type RunOutcome } from '../../../../src/node/terminal/command-run';

describe('runs in the background', () => {
  const outcome: RunOutcome = {
    end: { state: 'exited', code: 0 },
    outputEnd: 0,
    incomplete: false,
    cwd: undefined,
    survivors: [],
    notes: [],
    durationMs: 1,
    cut: false,
  };
  const runOf = (number: number): { entry: TrackedRun; end: () => void } => {
    let end = (): void => undefined;
    const ended = new Promise<RunOutcome>((resolve) => (end = () => resolve(outcome)));
    return {
      end: () => end(),
      entry: {
        id: `t${number}`,
        directory: { path: '/d', ends: '/d/ends', name: 'd' },
        number,
        endMark: `mark-${number}`,
        background: true,
        public: {
          taskId: `bash_${number}`,
          toolUseId: `t${number}`,
          command: 'make',
          outputPath: `/d/${number}`,
          startedAt: 0,
        },
        run: {
          launched: Promise.resolve(),
          outcome: ended,
          kill: async () => undefined,
          endLeftovers: async () => undefined,
          killNow: () => undefined,
          processes: async () => [],
          wake: () => undefined,
        },
      },
    };
  };
  const all = async (many: number): Promise<ReturnType<typeof createBackgroundRuns>> => {
    const runs = createBackgroundRuns();
    runs.track(runOf(0).entry, async () => undefined);
    let endCount = 0;
    runs.onEnd(() => void endCount++);
    for (let number = 1; number <= many; number++) {
      const { entry, end } = runOf(number);
      runs.track(entry, async () => undefined);
      end();
    }
    while (endCount < many) await new Promise((resolve) => setImmediate(resolve));
    return runs;
  };

  it('keep nothing of what is over but what is told of it and where its output lies', async () => {
    const runs = await all(1);
    assert.deepEqual(Object.keys(runs.find('bash_1') ?? {}).sort(), ['directory', 'endMark', 'number', 'public']);
    assert.deepEqual(
      runs.listed().map(({ taskId, end }) => [taskId, end?.state]),
      [
        ['bash_0', undefined],
        ['bash_1', 'exited'],
      ],
    );
  });

  it('are listed as long as they run, and the last two hundred that are over', async () => {
    const runs = await all(203);
    const listed = runs.listed().map(({ taskId }) => taskId);
    assert.deepEqual([listed.length, listed[0], listed[1], listed.at(-1)], [201, 'bash_0', 'bash_4', 'bash_203']);
    assert.equal(runs.find('bash_3'), undefined);
  });
});
