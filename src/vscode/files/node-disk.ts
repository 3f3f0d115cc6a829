// The machine's own disk, where the extension host runs: the same careful reads and writes as the headless host's.
import { type Stats } from 'node:fs';
import { access, constants, stat, statfs } from 'node:fs/promises';
import { type Path } from '../../core/ports/path';
import { fileErrorKind } from '../../node/files/file-error';
import { createNodeFileSystem, fileStat } from '../../node/files/node-file-system';
import { moveFile } from '../../node/files/move-file';
import { readRegularFile } from '../../node/files/regular-file';
import { createFile, FileMoved, replaceFile } from '../../node/files/replace-file';
import { refusedWrite, type WriteRefusal } from '../../node/files/write-refusal';
import { type Disk } from './disk';

export function createNodeDisk(): Disk {
  const files = createNodeFileSystem();
  return {
    stat: (path) => files.stat(path),
    realPath: (path) => files.realPath(path),
    list: (path) => files.list(path),
    async read(path, maxBytes) {
      const read = await readRegularFile(path, maxBytes);
      return read.outcome === 'read'
        ? { outcome: 'read', bytes: read.bytes, state: read.stats, stat: fileStat(read.stats) }
        : read;
    },
    obstacle,
    async create(path, bytes) {
      try {
        await createFile(path, bytes);
        return { outcome: 'done' };
      } catch (error) {
        return fileErrorKind(error) === 'exists' ? { outcome: 'exists' } : refusedWrite(path, error);
      }
    },
    async replace(path, bytes, before) {
      try {
        await replaceFile(path, bytes, before.bytes, before.state as Stats);
        return { outcome: 'done' };
      } catch (error) {
        return error instanceof FileMoved ? { outcome: 'moved' } : refusedWrite(path, error);
      }
    },
    async move(from, to, kept) {
      try {
        await moveFile(from, to, kept);
        return { outcome: 'done' };
      } catch (error) {
        return fileErrorKind(error) === 'exists' ? { outcome: 'exists' } : refusedWrite(from, error);
      }
    },
  };
}

async function obstacle(path: Path, size: number): Promise<WriteRefusal | undefined> {
  try {
    const stats = await stat(path);
    // Root may write to anything; a file that nobody may write to was meant to stay as it is.
    if ((stats.mode & 0o222) === 0) return readonlyRefusal(path);
    await access(path, constants.W_OK);
    const { bavail, bsize } = await statfs(path);
    const room = bavail * bsize;
    if (bsize > 0 && room < size) {
      return {
        outcome: 'refused',
        code: 'no_space',
        message: `No space is left on the disk: ${path} was not written.`,
      };
    }
    return undefined;
  } catch (error) {
    return fileErrorKind(error) === 'not_found' ? undefined : refusedWrite(path, error);
  }
}

export function readonlyRefusal(path: Path): WriteRefusal {
  return { outcome: 'refused', code: 'readonly', message: `${path} is read-only; nothing was written.` };
}
