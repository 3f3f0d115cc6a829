// Memory of a process and of everything below it, from Linux's /proc.
import { readFileSync, readdirSync } from 'node:fs';

export type ProcessMemory = {
  readonly pid: number;
  readonly command: string;
  /** Resident memory in MiB. */
  readonly rss: number;
  /** Resident memory in MiB with shared pages counted in part, so that a sum over processes is right. */
  readonly pss: number;
};

/** The process and its descendants, largest first; empty where there is no /proc. */
export function processMemory(root: number): ProcessMemory[] {
  const children = new Map<number, number[]>();
  for (const pid of processIds()) {
    const parent = parentOf(pid);
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const found: ProcessMemory[] = [];
  const visit = (pid: number): void => {
    const memory = memoryOf(pid);
    if (memory) found.push(memory);
    for (const child of children.get(pid) ?? []) visit(child);
  };
  visit(root);
  return found.sort((first, second) => second.pss - first.pss);
}

/** The extension hosts below a server, by their command line. */
export function extensionHosts(server: number): ProcessMemory[] {
  return processMemory(server).filter(({ command }) => command.includes('--type=extensionHost'));
}

function processIds(): number[] {
  try {
    return readdirSync('/proc')
      .filter((entry) => /^\d+$/.test(entry))
      .map(Number);
  } catch {
    return [];
  }
}

function parentOf(pid: number): number | undefined {
  const status = read(`/proc/${pid}/stat`);
  // The program's name stands in brackets and may hold blanks and brackets itself.
  const parent = status?.slice(status.lastIndexOf(')') + 2).split(' ')[1];
  return parent === undefined ? undefined : Number(parent);
}

function memoryOf(pid: number): ProcessMemory | undefined {
  const rollup = read(`/proc/${pid}/smaps_rollup`);
  const command = read(`/proc/${pid}/cmdline`);
  if (rollup === undefined || command === undefined) return undefined;
  const mebibytes = (field: string): number =>
    Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(rollup)?.[1] ?? 0) / 1024;
  return { pid, command: command.replaceAll('\0', ' ').trim(), rss: mebibytes('Rss'), pss: mebibytes('Pss') };
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
