// Reports on Linux whether a command waits for somebody to type: a hint for the user, never an answer.
import { readFile, readdir, readlink } from 'node:fs/promises';

/** The number of read(2), by architecture. */
const READ_CALL: Partial<Record<NodeJS.Architecture, string>> = { x64: '0', arm64: '63' };

/** True where a process of the group sits in a read of standard input, and that is a terminal. */
export async function waitsForInput(group: number): Promise<boolean> {
  const read = READ_CALL[process.arch];
  if (process.platform !== 'linux' || read === undefined) return false;
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name) && Number(name) >= group);
  const results = await Promise.all(pids.map((pid) => reads(pid, group, read)));
  return results.includes(true);
}

async function reads(pid: string, group: number, read: string): Promise<boolean> {
  try {
    const call = await readFile(`/proc/${pid}/syscall`, 'latin1');
    if (!call.startsWith(`${read} 0x0 `)) return false;
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
    if (Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]) !== group) return false;
    return (await readlink(`/proc/${pid}/fd/0`)).startsWith('/dev/pts/');
  } catch {
    return false;
  }
}
