// The headless runner: start to first request, the gap after Read, Edit and Bash, memory, and reads that overlap.
import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { toolUse } from '../support/messages-api/script';
import { removeFolder, temporaryFolder } from '../rig/cleanup';
import { benchFolder, runHeadless, timeProcess, type HeadlessRun, type HeadlessTimes } from './headless-run';
import type { BenchOptions } from './main';
import { measureLargeOutput } from './large-output';
import { largeReads, largeText } from './large-reads';
import { addGaps, turnsOf } from './turn-gaps';
import type { Report } from './report';
import { differences, median } from './samples';
import { sourceText, writeTree } from './sources';

const area = 'headless';

export async function measureHeadless(report: Report, options: BenchOptions): Promise<void> {
  const workspace = benchFolder('work');
  try {
    await measureStart(report, options, workspace);
    await measureRead(report, options, workspace);
    await measureHooks(report, options, workspace);
    await measureEdit(report, options, workspace);
    await measureBash(report, options, workspace);
    await measureLargeReads(report, options, workspace);
    await measureWarmReads(report, options, workspace);
    await measureLargeOutput(report, options);
  } finally {
    removeFolder(workspace);
  }
}

async function measureStart(report: Report, options: BenchOptions, workspace: string): Promise<void> {
  const runner: number[] = [];
  const firsts: number[] = [];
  const plain: number[] = [];
  const home = temporaryFolder('bench-home');
  for (let round = 0; round <= (options.quick ? 5 : 20); round++) {
    const run = { bundle: options.bundle, workspace, calls: () => undefined };
    const { firstRequest } = await runHeadless({ ...run, home });
    const first = await runHeadless(run);
    const node = await timeProcess(process.execPath, ['-e', '0'], workspace);
    // The first round loads the files into the page cache, and keeps the compiled code.
    if (round === 0) continue;
    runner.push(firstRequest);
    firsts.push(first.firstRequest);
    plain.push(node);
  }
  report.add({ area, name: 'start to first request', unit: 'ms', target: 200, peer: '960 ms' }, runner);
  report.add({ area, name: 'start to first request, the first run of a user', unit: 'ms' }, firsts);
  removeFolder(home);
  report.add({ area, name: 'start and end of plain Node beside it', unit: 'ms' }, plain);
}

async function measureRead(report: Report, options: BenchOptions, workspace: string): Promise<void> {
  const files = writeTree(path.join(workspace, 'read'), turnsOf(options), 80);
  const runs = await repeated(options, () => ({
    bundle: options.bundle,
    workspace,
    calls: (turn) => oneCall('Read', { file_path: files[turn] }, turn < files.length),
  }));
  addGaps(
    report,
    options,
    { area, tool: 'a Read', target: 5, peer: '13 ms' },
    runs.map(({ gaps }) => gaps),
  );
  const peaks = runs.flatMap(({ peakMemory }) => (peakMemory === undefined ? [] : [peakMemory]));
  const name = `peak memory, ${turnsOf(options)} turns`;
  if (peaks.length === 0) report.skip(area, name, 'there is no /proc');
  else report.add({ area, name, unit: 'MiB', target: 110, peer: '288 MB' }, peaks);
}

/** Runs with and without take turns, so that both meet the same load. */
async function measureHooks(report: Report, options: BenchOptions, workspace: string): Promise<void> {
  const files = writeTree(path.join(workspace, 'hooked'), 40, 80);
  const settings = path.join(workspace, 'hooks.json');
  const hook = { type: 'command', command: 'exit 2' };
  const groups = (names: (index: number) => string) =>
    Array.from({ length: 50 }, (_, index) => ({ matcher: names(index), hooks: [hook] }));
  writeFileSync(
    settings,
    JSON.stringify({
      hooks: { PreToolUse: groups((index) => `Other${index}`), PostToolUse: groups((index) => `^mcp__s${index}__.*$`) },
    }),
  );
  const gaps: Record<'none' | 'many', number[]> = { none: [], many: [] };
  for (let round = 0; round < (options.quick ? 2 : 5); round++) {
    for (const kind of ['none', 'many'] as const) {
      const args = kind === 'none' ? [] : ['--settings', settings];
      const run = await runHeadless({
        bundle: options.bundle,
        workspace,
        args,
        calls: (turn) => oneCall('Read', { file_path: files[turn] }, turn < files.length),
      });
      gaps[kind].push(...run.gaps);
    }
  }
  report.add({ area, name: 'gap after a Read, no hooks', unit: 'ms' }, gaps.none);
  report.add({ area, name: 'gap after a Read, 100 hooks that do not match', unit: 'ms' }, gaps.many);
}

async function measureEdit(report: Report, options: BenchOptions, workspace: string): Promise<void> {
  const file = path.join(workspace, 'edited.ts');
  const count = turnsOf(options);
  const runs = await repeated(options, () => {
    writeFileSync(file, sourceText(1, 100).replace('{\n', '{\n  let state = 0;\n'));
    return {
      bundle: options.bundle,
      workspace,
      calls: (turn) => {
        if (turn === 0) return [toolUse('Read', { file_path: file })];
        const edit = { file_path: file, old_string: `state = ${turn - 1};`, new_string: `state = ${turn};` };
        return oneCall('Edit', edit, turn <= count);
      },
    };
  });
  addGaps(
    report,
    options,
    { area, tool: 'an Edit', target: 8, peer: '15 ms' },
    runs.map(({ gaps }) => gaps.slice(1)),
  );
}

async function measureBash(report: Report, options: BenchOptions, workspace: string): Promise<void> {
  const command = 'echo hello';
  const plain: number[] = [];
  const runs = await repeated(options, () => ({
    bundle: options.bundle,
    workspace,
    calls: (turn) => oneCall('Bash', { command }, turn < turnsOf(options)),
    compare: async () => void plain.push(await timeProcess('/bin/bash', ['-c', command], workspace)),
  }));
  addGaps(
    report,
    options,
    { area, tool: 'a Bash echo' },
    runs.map(({ gaps }) => gaps),
  );
  report.add({ area, name: 'bash -c of the same, spawned beside it', unit: 'ms' }, plain);
}

async function measureLargeReads(report: Report, options: BenchOptions, workspace: string): Promise<void> {
  const files = Array.from({ length: 10 }, (_, index) => path.join(workspace, `large${index}.ts`));
  for (const file of files) writeFileSync(file, largeText);
  const small = path.join(workspace, 'small.md');
  const read = (file: string | undefined) => toolUse('Read', { file_path: file });
  const raw: number[] = [];
  const one: number[] = [];
  const ten: number[] = [];
  for (let round = 0; round < (options.quick ? 3 : 10); round++) {
    const { gaps } = await runHeadless({
      bundle: options.bundle,
      workspace,
      // Turn 0 warms up; the files are read for the first time in turns 1 and 2.
      calls: (turn) =>
        [
          [read(small)],
          [read(files[0])],
          files
            .slice(1)
            .concat(files[0] ?? '')
            .map(read),
        ][turn],
      compare: async (turn) => {
        if (turn === 0) writeFileSync(small, 'Small.\n');
        if (turn !== 1) return;
        const started = performance.now();
        await readFile(files[0] ?? '');
        raw.push(performance.now() - started);
      },
    });
    one.push(gaps[1] ?? Number.NaN);
    ten.push(gaps[2] ?? Number.NaN);
  }
  report.add(
    { area, name: 'gap after a Read of 2,000 lines, the first of a run, less the raw read', unit: 'ms' },
    differences(one, raw),
  );
  const single = median(one);
  const note = `10 × one Read = ${(10 * single).toFixed(1)} ms`;
  report.add({ area, name: 'gap after ten such Reads in one reply', unit: 'ms', note }, ten);
}

async function measureWarmReads(report: Report, options: BenchOptions, workspace: string): Promise<void> {
  const reads = largeReads(workspace, options);
  const { gaps } = await runHeadless({ bundle: options.bundle, workspace, calls: reads.calls, compare: reads.compare });
  reads.addRows(report, area, gaps);
}

function oneCall(name: string, input: unknown, more: boolean): ReturnType<HeadlessRun['calls']> {
  return more ? [toolUse(name, input)] : undefined;
}

async function repeated(options: BenchOptions, make: () => HeadlessRun): Promise<HeadlessTimes[]> {
  const runs: HeadlessTimes[] = [];
  for (let round = 0; round < (options.quick ? 1 : 3); round++) runs.push(await runHeadless(make()));
  return runs;
}
