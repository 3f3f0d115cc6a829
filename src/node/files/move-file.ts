// Moves a file on the disk: never over another one, with the folders that it needs and without those that it leaves empty.
import { link, lstat, readdir, rename, rmdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from './file-error';
import { makeFolders, removeMadeFolders } from './replace-file';

/** File systems without hard links, and folders in which they are not allowed. */
const withoutLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EACCES', 'EXDEV']);

/** Throws system errors: EEXIST where something is there. `kept`: folders that stay, also empty. */
export async function moveFile(from: string, to: string, kept: readonly string[]): Promise<void> {
  const made = await makeFolders(path.dirname(to));
  try {
    await moveExclusively(from, to);
  } catch (error) {
    if (made !== undefined) await removeMadeFolders(path.dirname(to), made);
    throw error;
  }
  await removeEmptied(path.dirname(from), to, kept);
}

/** A hard link fails where the target exists, which rename would replace. */
async function moveExclusively(from: string, to: string): Promise<void> {
  if (await isOther(from, to)) return rename(from, to);
  try {
    await link(from, to);
  } catch (error) {
    if (!withoutLinks.has(errorCode(error) ?? '')) throw error;
    if ((await lstat(to).catch(() => undefined)) !== undefined)
      throw Object.assign(new Error(`${to} exists`), { code: 'EEXIST' });
    return rename(from, to);
  }
  try {
    await unlink(from);
  } catch (error) {
    await unlink(to).catch(() => undefined);
    throw error;
  }
}

/** The same file in another spelling, where the file system does not tell capitals apart. */
async function isOther(from: string, to: string): Promise<boolean> {
  if (from === to || from.toLowerCase() !== to.toLowerCase()) return false;
  const [one, other] = await Promise.all(
    [from, to].map((file) => lstat(file, { bigint: true }).catch(() => undefined)),
  );
  return one !== undefined && other !== undefined && one.ino === other.ino && one.dev === other.dev;
}

async function removeEmptied(folder: string, to: string, kept: readonly string[]): Promise<void> {
  for (let at = folder; !kept.includes(at) && !isAbove(at, to); at = path.dirname(at)) {
    const inside = await readdir(at).catch(() => undefined);
    if (inside === undefined || inside.length > 0) return;
    const removed = await rmdir(at).then(
      () => true,
      () => false,
    );
    if (!removed) return;
  }
}

function isAbove(folder: string, file: string): boolean {
  return path.dirname(folder) === folder || file.startsWith(`${folder}/`);
}
