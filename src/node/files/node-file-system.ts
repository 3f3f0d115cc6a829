// The FileSystem port on Node: exact bytes in, exact bytes out, and a sentence for everything that cannot be done.
import { constants, type Stats } from 'node:fs';
import { access, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { defined } from '../../shared/defined';
import { DeftError } from '../../core/text/errors';
import {
  type FileStat,
  type FileSystem,
  type ReadFailure,
  type TextChange,
  type TextFile,
  type WriteOutcome,
} from '../../core/ports/files';
import { errorCode, fileErrorKind, fileErrorSentence } from './file-error';
import { portPath } from './port-path';
import { resolveLinks } from './real-path';
import { readRegularFile } from './regular-file';
import { createFile, FileMoved, replaceFile, writePrivateFile } from './replace-file';
import { contentHash, decodeText, encodeText } from './text-encoding';
import { movedRefusal, refusedWrite, writeCode } from './write-refusal';

/** Larger files are refused before a change is compared with them. */
const maxWritableBytes = 256 * 1024 * 1024;

export function createNodeFileSystem(): FileSystem {
  return {
    stat: statOrNothing,
    realPath: async (file) => portPath(await resolveLinks(file)),
    list,
    async readBytes(file, maxBytes) {
      const read = await readRegularFile(file, maxBytes);
      return read.outcome === 'read' ? { outcome: 'read', bytes: read.bytes } : read;
    },
    async readText(file, maxBytes) {
      const read = await readRegularFile(file, maxBytes);
      return read.outcome === 'read' ? decoded(file, read.bytes, read.stats) : read;
    },
    writeText,
    writeOwnFile,
  };
}

async function statOrNothing(file: string): Promise<FileStat | undefined> {
  try {
    const stats = await stat(file);
    return fileStat(stats);
  } catch {
    // Gone, hidden by permissions, or no possible name: reading it says which.
    return undefined;
  }
}

async function list(folder: string): Promise<{ name: string; type: FileStat['type'] }[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return await Promise.all(
      entries.map(async (entry) => {
        const linked = entry.isSymbolicLink() ? await statOrNothing(path.join(folder, entry.name)) : undefined;
        return { name: entry.name, type: linked?.type ?? typeOf(entry) };
      }),
    );
  } catch (error) {
    const message =
      errorCode(error) === 'ENOTDIR' ? `${folder} is not a folder.` : fileErrorSentence(error, folder, 'read');
    throw new DeftError(`file-${fileErrorKind(error).replaceAll('_', '-')}`, message, {
      audience: 'model',
      cause: error,
    });
  }
}

export function fileStat(stats: Stats): FileStat {
  return { type: typeOf(stats), size: stats.size, mtimeMs: stats.mtimeMs };
}

function typeOf(entry: { isFile(): boolean; isDirectory(): boolean }): FileStat['type'] {
  if (entry.isFile()) return 'file';
  return entry.isDirectory() ? 'directory' : 'other';
}

function decoded(file: string, bytes: Uint8Array, stats?: Stats): { outcome: 'read'; file: TextFile } | ReadFailure {
  const result = decodeText(bytes);
  if (result.outcome === 'binary') return { outcome: 'refused', code: 'binary', message: `${file} is a binary file.` };
  if (result.outcome === 'unknown') {
    const message = `${file} is neither UTF-8 nor UTF-16 with a byte order mark; its encoding cannot be determined, so it is left unchanged.`;
    return { outcome: 'refused', code: 'encoding', message };
  }
  const disk = stats && fileStat(stats);
  return { outcome: 'read', file: { ...textFile(file, result.text, result.encoding), ...defined({ disk }) } };
}

function textFile(file: string, text: string, encoding: string): TextFile {
  return { path: file, text, encoding, hash: contentHash(encoding, text), unsaved: false };
}

async function writeText(change: TextChange): Promise<WriteOutcome> {
  try {
    const target = await resolveLinks(change.path);
    const now = portPath(target);
    if (change.realPath !== undefined && now !== change.realPath) return movedRefusal(change.path, now);
    return change.base === undefined
      ? await createText(change, target)
      : await replaceText(change, target, change.base);
  } catch (error) {
    return refusedWrite(change.path, error);
  }
}

async function createText(change: TextChange, target: string): Promise<WriteOutcome> {
  const bytes = encodeText(change.text, 'utf8');
  if (!bytes) return halfPair(change.path);
  try {
    await createFile(target, bytes);
  } catch (error) {
    if (fileErrorKind(error) !== 'exists') throw error;
    return differs(change.path);
  }
  return confirm(change, target, bytes);
}

async function replaceText(change: TextChange, target: string, base: TextFile): Promise<WriteOutcome> {
  const current = await readRegularFile(target, maxWritableBytes);
  if (current.outcome === 'refused') {
    return current.code === 'not_found'
      ? { outcome: 'changed', current: undefined }
      : { ...current, code: writeCode(current.code) };
  }
  const read = decoded(change.path, current.bytes);
  // Whatever it is now, it is not the text that the change was made for.
  if (read.outcome === 'refused') return { ...read, code: writeCode(read.code) };
  if (read.file.hash !== base.hash) return { outcome: 'changed', current: read.file };
  const bytes = encodeText(change.text, base.encoding);
  if (!bytes) return halfPair(change.path);
  // Root may write to anything; a file that nobody may write to was meant to stay as it is.
  if ((current.stats.mode & 0o222) === 0) {
    return { outcome: 'refused', code: 'readonly', message: `${change.path} is read-only; nothing was written.` };
  }
  await access(target, constants.W_OK);
  if (!bytes.equals(current.bytes)) {
    try {
      await replaceFile(target, bytes, current.bytes, current.stats);
    } catch (error) {
      if (error instanceof FileMoved) return differs(change.path);
      throw error;
    }
  }
  return confirm(change, target, bytes);
}

/** Reads the file once more: what is reported as written is what the disk holds. */
async function confirm(change: TextChange, target: string, bytes: Buffer): Promise<WriteOutcome> {
  const after = await readRegularFile(target, bytes.length + 1);
  if (after.outcome === 'refused' || !after.bytes.equals(bytes)) {
    const message = `${change.path} was written, but the file on disk is different now: another program changed it at the same time. Read it again.`;
    return { outcome: 'refused', code: 'failed', message };
  }
  const read = decoded(change.path, after.bytes, after.stats);
  const file =
    read.outcome === 'read' ? read.file : textFile(change.path, change.text, change.base?.encoding ?? 'utf8');
  return { outcome: 'written', file, notes: [] };
}

async function differs(file: string): Promise<WriteOutcome> {
  const now = await readRegularFile(file, maxWritableBytes);
  if (now.outcome === 'refused') {
    return now.code === 'not_found'
      ? { outcome: 'changed', current: undefined }
      : { ...now, code: writeCode(now.code) };
  }
  const read = decoded(file, now.bytes);
  return read.outcome === 'read' ? { outcome: 'changed', current: read.file } : { ...read, code: writeCode(read.code) };
}

function halfPair(file: string): WriteOutcome {
  const message = `The new text of ${file} contains half a surrogate pair or cannot be represented in its encoding; nothing was written.`;
  return { outcome: 'refused', code: 'encoding', message };
}

async function writeOwnFile(file: string, content: string | Uint8Array): Promise<void> {
  try {
    await writePrivateFile(file, content);
  } catch (error) {
    const kind = fileErrorKind(error).replaceAll('_', '-');
    throw new DeftError(`file-${kind}`, fileErrorSentence(error, file, 'write'), {
      audience: 'user',
      retryable: kind === 'no-space',
      cause: error,
    });
  }
}
