// Looks at what is at a path, and keeps its bytes. Links are never followed, and nothing but regular files is opened.
import { type BigIntStats, lstat } from 'node:fs';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { type FileState, type UnkeptReason } from '../../core/ports/checkpoints';
import { errorCode } from '../files/file-error';
import { type BlobStore } from './blob-store';

/** Larger ones are copied, smaller ones go through memory. */
const inMemoryBytes = 2 * 1024 * 1024;
/** Nothing larger is ever kept: an edit of Deft's cannot make such a file either. */
const largestFileBytes = 256 * 1024 * 1024;

/** By callback: promises of 20,000 looks take twice as long. Undefined where there is nothing. */
export function look(path: string): Promise<BigIntStats | undefined> {
  return new Promise((resolve) =>
    lstat(path, { bigint: true }, (error, stats) => resolve(error === null ? stats : undefined)),
  );
}

/** Equal as long as nobody has touched the file. */
export function stampOf({ size, mtimeNs, ctimeNs, ino, mode }: BigIntStats): string {
  return `${size}:${mtimeNs}:${ctimeNs}:${ino}:${mode}`;
}

/** The state of what was looked at, with its bytes kept as far as `limit` allows. */
export async function keepState(
  path: string,
  stats: BigIntStats | undefined,
  blobs: BlobStore,
  limit = largestFileBytes,
): Promise<FileState> {
  if (stats === undefined) return { kind: 'absent' };
  const unkept = (why: UnkeptReason): FileState => ({ kind: 'unkept', why, seen: stampOf(stats) });
  try {
    if (stats.isSymbolicLink()) return { kind: 'link', target: await readlink(path) };
    if (stats.isDirectory()) return { kind: 'folder' };
    if (!stats.isFile()) return unkept('special');
    const size = Number(stats.size);
    if (size > Math.min(limit, largestFileBytes)) return unkept('large');
    const hash = size > inMemoryBytes ? await blobs.keepFile(path) : await blobs.keep(await readFile(path));
    return {
      kind: 'file',
      hash,
      mode: Number(stats.mode) & 0o777,
      size,
      ...(stats.nlink > 1n ? { inode: String(stats.ino) } : {}),
    };
  } catch (error) {
    // It is not the file's fault that nothing can be kept: whoever wanted it kept has to know.
    if (['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE'].includes(errorCode(error) ?? '')) throw error;
    return errorCode(error) === 'ENOENT' ? { kind: 'absent' } : unkept('unreadable');
  }
}

export async function isEmptyFolder(path: string): Promise<boolean> {
  return (await readdir(path).catch(() => ['unreadable'])).length === 0;
}
