// Processes that drop their mark and their session, found by where they came from.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { createBackgroundRuns, type TrackedRun } from '../../../../src/node/terminal/background-runs';
import { createProcessFamily, processStat } from '../../../../src/node/terminal/process-family';
import { endProcesses, processesOf } from '../../../../src/node/terminal/process-tree';

describe('the family of a command', () => {
  it('stays known when its parent is gone, and can be ended', async function () {
    if (process.platform !== 'linux') this.skip();
    const inner = 'env -i setsid sleep 41.5 >/dev/null 2>&1 & echo $!; read -r x';
    const shell = spawn('bash', ['-c', `bash -c '${inner}'; echo gone; read -r y`], {
      stdio: ['pipe', 'pipe', 'ignore'],
      detached: true,
    });
    const lines = createInterface(shell.stdout)[Symbol.asyncIterator]();
    const pid = Number((await lines.next()).value);
    const commandOf = (): string => readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    while (commandOf() !== 'sleep 41.5') await new Promise((resolve) => setImmediate(resolve));

    const family = createProcessFamily();
    const run = { mark: 'nobody', group: undefined, family };
    assert.deepEqual(await processesOf(run), []);
    await family.look(shell.pid ?? 0);
    shell.stdin.write('\n');
    assert.equal((await lines.next()).value, 'gone');
    await family.look(shell.pid ?? 0);
    const start = (await processStat(pid))?.start ?? '';
    assert.deepEqual(
      [family.has(pid, start), family.has(pid, `${start}1`)],
      [true, false],
      'another process with its id is not it',
    );
    assert.ok((await processesOf(run)).some(({ command }) => command === 'sleep 41.5'));
    assert.deepEqual(await endProcesses(run), []);
    // Where nobody collects orphans it stays a zombie.
    assert.equal((await processStat(pid))?.state ?? 'Z', 'Z');
  });
});

describe('the end of a session', () => {
  it('tries once more to end what a killed command left, and nothing of one that ended by itself', async () => {
    const runs = createBackgroundRuns();
    const tried: string[] = [];
    const track = async (id: string, killed: boolean, left: number): Promise<void> => {
      const end = killed ? ({ state: 'killed', by: 'timeout' } as const) : ({ state: 'exited', code: 0 } as const);
      const survivors = Array.from({ length: left }, () => ({ pid: 1, command: 'x' }));
      const outcome = Promise.resolve({
        end,
        survivors,
        outputEnd: 0,
        incomplete: false,
        cwd: undefined,
        notes: [],
        durationMs: 0,
        cut: false,
      });
      const note = async (): Promise<void> => void tried.push(id);
      const entry: TrackedRun = {
        id,
        directory: { path: '/runs', ends: '/runs/ends', name: 'runs' },
        number: 1,
        endMark: 'mark',
        background: false,
        public: { taskId: id, toolUseId: id, command: 'x', outputPath: '/runs/1.out', startedAt: 0 },
        run: {
          launched: Promise.resolve(),
          outcome,
          kill: note,
          endLeftovers: note,
          killNow: () => undefined,
          processes: async () => [],
          wake: () => undefined,
        },
      };
      await new Promise<void>((resolve) => runs.track(entry, async () => resolve()));
    };
    await track('killed-and-left', true, 1);
    await track('killed', true, 0);
    await track('ended-and-left', false, 1);
    await runs.killAll();
    assert.deepEqual(tried, ['killed-and-left']);
  });
});
