// Puts bytes on disk so that a reader, a crash or a full disk sees the old file or the new one, never a part.
import { type Stats } from 'node:fs';
import { link, mkdir, open, rename, rmdir, stat, unlink, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from './file-error';
import { temporaryBeside } from './temporary-files';

/** Makes a file that must not exist yet; its parents are made too, and removed again on failure. Throws system errors. */
export async function createFile(target: string, bytes: Uint8Array, mode = 0o666): Promise<void> {
  const made = await makeFolders(path.dirname(target));
  try {
    await withTemporary(target, mode, async (temporary, handle) => {
      await writeAll(handle, bytes);
      await linkExclusively(temporary, target, bytes, mode);
      return false;
    });
  } catch (error) {
    if (made !== undefined) await removeMadeFolders(path.dirname(target), made);
    throw error;
  }
}

/** Who may not make a file in the folder may write to this one; a file that is mounted or held by somebody cannot be renamed over. */
const unreplaceable = new Set(['EACCES', 'EPERM', 'EBUSY', 'EXDEV']);

/**
 * Replaces a file, keeping mode and owner. A file with several hard links, or one whose folder or owner does not allow
 * a replacement, is written in place, and restored from `before` on failure. Throws system errors, and `FileMoved` where
 * the file is no longer the one of `stats`.
 */
export async function replaceFile(target: string, bytes: Uint8Array, before: Uint8Array, stats: Stats): Promise<void> {
  if (stats.nlink > 1) return writeInPlace(target, bytes, before, stats);
  let replaceable = true;
  try {
    await withTemporary(target, stats.mode & 0o7777, async (temporary, handle) => {
      await writeAll(handle, bytes);
      replaceable = await keepOwner(handle, stats);
      if (!replaceable) return false;
      await handle.chmod(stats.mode & 0o7777);
      await assertUnmoved(target, stats);
      await rename(temporary, target);
      return true;
    });
  } catch (error) {
    if (!unreplaceable.has(errorCode(error) ?? '')) throw error;
    replaceable = false;
  }
  if (!replaceable) await writeInPlace(target, bytes, before, stats);
}

/** Somebody touched the file between the comparison and the write. */
export class FileMoved extends Error {}

/** Makes or replaces one of Deft's own files, readable by this user alone. Throws system errors. */
export async function writePrivateFile(target: string, content: string | Uint8Array): Promise<void> {
  await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
  await withTemporary(target, 0o600, async (temporary, handle) => {
    await handle.writeFile(content);
    await rename(temporary, target);
    return true;
  });
}

async function withTemporary(
  target: string,
  mode: number,
  /** Resolves with true where the temporary file has become the target. */
  use: (temporary: string, handle: FileHandle) => Promise<boolean>,
): Promise<void> {
  const temporary = await temporaryBeside(target);
  const handle = await open(temporary, 'wx', mode);
  let renamed = false;
  try {
    renamed = await use(temporary, handle);
  } finally {
    await handle.close().catch(() => undefined);
    if (!renamed) await unlink(temporary).catch(() => undefined);
  }
}

async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  await handle.writeFile(bytes);
  await handle.sync();
}

/** A hard link fails where the target exists, which rename would not; file systems without links get a plain exclusive write. */
async function linkExclusively(temporary: string, target: string, bytes: Uint8Array, mode: number): Promise<void> {
  try {
    await link(temporary, target);
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV'].includes(errorCode(error) ?? '')) throw error;
    const handle = await open(target, 'wx', mode);
    try {
      await writeAll(handle, bytes);
    } catch (failure) {
      await unlink(target).catch(() => undefined);
      throw failure;
    } finally {
      await handle.close();
    }
  }
}

async function keepOwner(handle: FileHandle, wanted: Stats): Promise<boolean> {
  const own = await handle.stat();
  if (own.uid === wanted.uid && own.gid === wanted.gid) return true;
  return handle.chown(wanted.uid, wanted.gid).then(
    () => true,
    () => false,
  );
}

async function assertUnmoved(target: string, expected: Stats): Promise<void> {
  const now = await stat(target);
  if (now.ino !== expected.ino || now.size !== expected.size || now.mtimeMs !== expected.mtimeMs) throw new FileMoved();
}

async function writeInPlace(target: string, bytes: Uint8Array, before: Uint8Array, stats: Stats): Promise<void> {
  await assertUnmoved(target, stats);
  const handle = await open(target, 'r+');
  try {
    await overwrite(handle, bytes);
  } catch (error) {
    // The old bytes fit a moment ago and their blocks are still ours.
    await overwrite(handle, before).catch(() => undefined);
    throw error;
  } finally {
    await handle.close();
  }
}

async function overwrite(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += (await handle.write(bytes, at, bytes.length - at, at)).bytesWritten;
  await handle.truncate(bytes.length);
  await handle.sync();
}

/** The first folder that had to be made. A file in the way is EEXIST to mkdir; to the caller that means the target. */
export async function makeFolders(folder: string): Promise<string | undefined> {
  try {
    return await mkdir(folder, { recursive: true });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    throw Object.assign(new Error(`${folder} is not a folder`, { cause: error }), { code: 'ENOTDIR' });
  }
}

/** Those that are empty still. */
export async function removeMadeFolders(deepest: string, first: string): Promise<void> {
  for (let folder = deepest; ; folder = path.dirname(folder)) {
    const removed = await rmdir(folder).then(
      () => true,
      () => false,
    );
    if (!removed || folder === first || folder === path.dirname(folder)) return;
  }
}
