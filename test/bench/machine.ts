// The machine that a benchmark ran on: without it no figure can be compared.
import { execFileSync } from 'node:child_process';
import { cpus, loadavg, release, totalmem } from 'node:os';

export interface MachineFacts {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly system: string;
  readonly node: string;
  /** Averages over 1, 5 and 15 minutes. */
  readonly load: readonly number[];
  /** The commit, with + where files differ from it. */
  readonly tree: string;
}

export function machineFacts(): MachineFacts {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${process.platform} ${release()}`,
    node: process.version,
    load: loadavg().map((value) => Math.round(value * 100) / 100),
    tree: treeState(),
  };
}

export function machineLine({ cpu, cores, memoryGiB, node, load, tree }: MachineFacts): string {
  return `${cores} × ${cpu}, ${memoryGiB} GiB, Node ${node}, load ${load.join(' ')}, tree ${tree}`;
}

function treeState(): string {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    return `${git('log', '-1', '--format=%h %cs')}${git('status', '--porcelain') === '' ? '' : ' +'}`;
  } catch {
    return 'not in git';
  }
}
