// Opens and reads regular files only: a FIFO, socket or device is never opened, so nothing can hang.
import { constants, type Stats } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { type ReadFailure } from '../../core/ports/files';
import { fileErrorKind, fileErrorSentence } from './file-error';

export type RegularFile = { outcome: 'read'; bytes: Buffer; stats: Stats } | ReadFailure;

/** Reads the whole file; more than `maxBytes` is refused. Never throws. */
export function readRegularFile(path: string, maxBytes: number): Promise<RegularFile> {
  return openRegular(path, async (handle, stats) => {
    if (stats.size > maxBytes) return tooLarge(path, stats.size, maxBytes);
    const bytes = await readUpTo(handle, stats.size, maxBytes + 1);
    return bytes.length > maxBytes ? tooLarge(path, bytes.length, maxBytes) : { outcome: 'read', bytes, stats };
  });
}

/** Reads its beginning, at most `maxBytes` of it. Never throws. */
export function readFileStart(
  path: string,
  maxBytes: number,
): Promise<{ outcome: 'read'; bytes: Buffer; isWhole: boolean } | ReadFailure> {
  return openRegular(path, async (handle, { size }) => {
    const bytes = await readUpTo(handle, size, maxBytes + 1);
    return { outcome: 'read', bytes: bytes.subarray(0, maxBytes), isWhole: bytes.length <= maxBytes };
  });
}

async function openRegular<Found>(
  path: string,
  read: (handle: FileHandle, stats: Stats) => Promise<Found | ReadFailure>,
): Promise<Found | ReadFailure> {
  let handle: FileHandle | undefined;
  try {
    const found = notRegular(path, await stat(path));
    if (found) return found;
    // Non-blocking, and looked at again once open: the path may lead elsewhere by now.
    handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0));
    const stats = await handle.stat();
    return notRegular(path, stats) ?? (await read(handle, stats));
  } catch (error) {
    return { outcome: 'refused', code: readCode(error), message: fileErrorSentence(error, path, 'read') };
  } finally {
    await handle?.close().catch(() => undefined);
  }
}

/** The size of files under /proc is 0: read until the end, not until the size. */
async function readUpTo(handle: FileHandle, size: number, most: number): Promise<Buffer> {
  let buffer = Buffer.allocUnsafe(Math.min(size + 1, most) || 1);
  let length = 0;
  for (;;) {
    if (length === buffer.length) {
      if (length >= most) break;
      buffer = Buffer.concat([buffer], Math.min(Math.max(buffer.length * 2, 65_536), most));
    }
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, null);
    if (bytesRead === 0) break;
    length += bytesRead;
    // Less than was asked for, and just what the file is said to hold: another look would find its end.
    if (length === size) break;
  }
  return buffer.subarray(0, length);
}

function notRegular(path: string, stats: Stats): ReadFailure | undefined {
  if (stats.isFile()) return undefined;
  if (stats.isDirectory())
    return { outcome: 'refused', code: 'directory', message: `${path} is a folder, not a file.` };
  return {
    outcome: 'refused',
    code: 'not_a_file',
    message: `${path} is ${specialKind(stats)}, which Deft never opens.`,
  };
}

/** "a FIFO", "a device" …: for sentences. */
function specialKind(stats: Stats): string {
  if (stats.isFIFO()) return 'a FIFO';
  if (stats.isSocket()) return 'a socket';
  if (stats.isCharacterDevice() || stats.isBlockDevice()) return 'a device';
  return 'no regular file';
}

function tooLarge(path: string, size: number, maxBytes: number): ReadFailure {
  return {
    outcome: 'refused',
    code: 'too_large',
    message: `${path} has ${size} bytes; at most ${maxBytes} can be read at once.`,
  };
}

function readCode(error: unknown): ReadFailure['code'] {
  const kind = fileErrorKind(error);
  switch (kind) {
    case 'not_found':
    case 'directory':
    case 'permission':
      return kind;
    case 'not_a_folder':
      return 'not_found';
    default:
      return 'failed';
  }
}
