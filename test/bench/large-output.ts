// Commands that print much, and many commands at once, in headless runs: time beside a plain shell, and memory.
import path from 'node:path';
import { toolUse, type ReplyBlock } from '../support/messages-api/script';
import { temporaryFolder } from '../rig/cleanup';
import { runHeadless, timeProcess } from './headless-run';
import type { BenchOptions } from './main';
import type { Report } from './report';

const area = 'headless';
const megabytes = 200;
const commands = 50;
/** Lines as a build prints them; the shell needs about a second for them. */
const command = `yes 'src/part.ts: a line of a build that says what it does, again and again' | head -c ${megabytes}000000`;

export async function measureLargeOutput(report: Report, options: BenchOptions): Promise<void> {
  const workspace = temporaryFolder('bench-output');
  const times: number[] = [];
  const plain: number[] = [];
  const peaks: number[] = [];
  for (let round = 0; round < (options.quick ? 1 : 3); round++) {
    const { gaps, peakMemory } = await runHeadless({
      bundle: options.bundle,
      workspace,
      calls: (turn) => (turn === 0 ? [toolUse('Bash', { command })] : undefined),
      compare: async (turn) => {
        if (turn !== 0) return;
        const file = path.join(workspace, 'output.txt');
        plain.push(await timeProcess('/bin/bash', ['-c', `${command} > ${file}`], workspace));
      },
    });
    times.push(...gaps.slice(0, 1));
    if (peakMemory !== undefined) peaks.push(peakMemory);
  }
  const name = `a command that prints ${megabytes} MB`;
  report.add({ area, name, unit: 'ms' }, times);
  report.add({ area, name: 'bash -c of the same into a file', unit: 'ms' }, plain);
  if (peaks.length > 0) report.add({ area, name: `peak memory with ${name}`, unit: 'MiB', target: 200 }, peaks);
  await measureManyCommands(report, options, workspace);
}

async function measureManyCommands(report: Report, options: BenchOptions, workspace: string): Promise<void> {
  const peaks: number[] = [];
  const block = (index: number): ReplyBlock =>
    toolUse('Bash', { command: `echo ${index}; sleep 0.2`, run_in_background: true });
  for (let round = 0; round < (options.quick ? 1 : 3); round++) {
    const { peakMemory } = await runHeadless({
      bundle: options.bundle,
      workspace,
      calls: (turn) => (turn === 0 ? Array.from({ length: commands }, (_, index) => block(index)) : undefined),
    });
    if (peakMemory !== undefined) peaks.push(peakMemory);
  }
  const name = `peak memory, ${commands} background commands in one reply`;
  if (peaks.length === 0) report.skip(area, name, 'there is no /proc');
  else report.add({ area, name, unit: 'MiB', target: 150, peer: '346 MiB before' }, peaks);
}
