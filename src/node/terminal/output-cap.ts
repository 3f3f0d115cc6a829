// Keeps a command's output from filling the disk: the middle of the file is given back to the system, its head and tail stay.
import { execFile } from 'node:child_process';
import { stat, statfs } from 'node:fs/promises';
import { OUTPUT_IN_MEMORY_BYTES } from './output-file';

const MOST_BYTES = 1024 ** 3;
const SHARE_OF_FREE = 0.1;
/** What results and cards show of both ends is never given back. */
const LEAST_BYTES = 2 * OUTPUT_IN_MEMORY_BYTES;
/** Whole blocks of any usual file system. */
const ALIGNMENT = 64 * 1024;
const BLOCK_BYTES = 512;

export interface CapState {
  /** The middle is gone, now or since an earlier look. */
  cut: boolean;
  /** It takes more than it may, and the system cannot give back a part of a file. */
  full: boolean;
  /** It takes more than half of what it may: look again soon. */
  near: boolean;
}

/** What output of this size may take of the disk that holds it. */
export async function outputCap(file: string, taken: number): Promise<number> {
  const { bavail, bsize } = await statfs(file);
  return Math.max(LEAST_BYTES, Math.min(MOST_BYTES, SHARE_OF_FREE * (bavail * bsize + taken)));
}

/** Never throws; a file that is gone takes nothing. */
export async function capOutput(file: string, cap = outputCap): Promise<CapState> {
  const found = await stat(file).catch(() => undefined);
  if (found === undefined || found.size <= LEAST_BYTES) return { cut: false, full: false, near: false };
  const taken = found.blocks * BLOCK_BYTES;
  const most = await cap(file, taken).catch(() => MOST_BYTES);
  if (taken <= most) return { cut: false, full: false, near: taken > most / 2 };
  const from = Math.ceil(most / 4 / ALIGNMENT) * ALIGNMENT;
  const to = Math.floor((found.size - most / 4) / ALIGNMENT) * ALIGNMENT;
  const cut = to > from && (await punchHole(file, from, to - from));
  return { cut, full: !cut, near: true };
}

/** By util-linux: Node has no call for it. The file keeps its length. */
function punchHole(file: string, offset: number, length: number): Promise<boolean> {
  return new Promise((resolve) => {
    execFile('fallocate', ['--punch-hole', '--offset', String(offset), '--length', String(length), file], (error) =>
      resolve(error === null),
    );
  });
}
