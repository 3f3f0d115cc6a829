// Remembers what descends from a command's shell, so that a process which drops its environment and its session is still known.
import { readdir, readFile } from 'node:fs/promises';

/**
 * A daemon that wipes its environment (`env -i setsid …`) carries no mark and leaves the group. While a parent of it lives,
 * it can be found below the command's shell; once it was seen there, its id and start time stay known. One case cannot be
 * detected without native code (a subreaper or a cgroup): a process that did both and lost its parent before the first look.
 */
export interface ProcessFamily {
  /** Looks for descendants of the shell and of all that are known. Linux only; elsewhere nothing is found. */
  look(shell: number): Promise<void>;
  /** `start` is the start time as /proc reports it: ids are reused. */
  has(pid: number, start: string): boolean;
}

export interface ProcessStat {
  name: string;
  state: string;
  group: number;
  /** Clock ticks since the machine started. */
  start: string;
}

/** More are not worth following. */
const maxProcesses = 2000;

export function createProcessFamily(): ProcessFamily {
  const known = new Map<number, string>();
  let shellSeen = false;

  async function visit(pid: number): Promise<number[]> {
    const stat = await processStat(pid);
    const before = known.get(pid);
    if (stat === undefined || (before !== undefined && before !== stat.start)) {
      known.delete(pid);
      return [];
    }
    known.set(pid, stat.start);
    return childrenOf(pid);
  }

  return {
    has: (pid, start) => known.get(pid) === start,
    async look(shell) {
      const looked = new Set<number>();
      // Its id is trusted once: later it may be somebody else's.
      let level = shellSeen ? [...known.keys()] : [shell, ...known.keys()];
      shellSeen = true;
      while (level.length > 0 && looked.size < maxProcesses) {
        for (const pid of level) looked.add(pid);
        const children = (await Promise.all(level.map(visit))).flat();
        level = [...new Set(children)].filter((pid) => !looked.has(pid));
      }
    },
  };
}

/** Undefined where the process is gone, or there is no /proc. */
export async function processStat(pid: number): Promise<ProcessStat | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  const end = text.lastIndexOf(')');
  if (end < 0) return undefined;
  const fields = text.slice(end + 2).split(' ');
  return {
    name: text.slice(text.indexOf('(') + 1, end),
    state: fields[0] ?? '',
    group: Number(fields[2]),
    start: fields[19] ?? '',
  };
}

/** Each thread has children of its own. */
async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const lists = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'latin1').catch(() => '')),
  );
  return lists.flatMap((list) =>
    list
      .split(' ')
      .filter((child) => child.trim() !== '')
      .map(Number),
  );
}
