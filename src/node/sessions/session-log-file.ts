// One session's file: records are appended in order, in batches, and survive a disk that is full for a while.
import { mkdir, open, stat, unlink, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { DeftError } from '../../core/text/errors';
import { type SessionLog } from '../../core/ports';
import { formatField, logFormat } from '../../core/sessions/log-format';
import { encodeRecord, encodeWith } from '../../core/sessions/session-codec';
import { errorCode, fileErrorKind, fileErrorSentence } from '../files/file-error';
import { portPath } from '../files/port-path';

const newline = 10;
const copyBytes = 256 * 1024;

export interface SessionLogFile {
  id: string;
  path: string;
  /** The length of what is kept of the file: appending starts there. */
  size: number;
  /** The last line that is kept lacks its newline. */
  unterminated: boolean;
  /** What is appended is of a newer format than what stands there, and has to say so. */
  namesFormat: boolean;
  release: () => Promise<void>;
}

/** Opens for appending, and cuts off what is not kept. A new file must not exist yet. Throws system errors. */
export async function openSessionLog(file: SessionLogFile, kind: 'new' | 'existing'): Promise<SessionLog> {
  const handle = await open(file.path, kind === 'new' ? 'wx+' : 'r+', 0o600);
  try {
    if ((await handle.stat()).size > file.size) await handle.truncate(file.size);
  } catch (error) {
    await handle.close();
    throw error;
  }
  return sessionLog(file, handle);
}

function sessionLog(file: SessionLogFile, opened: FileHandle): SessionLog {
  let handle = opened;
  const queued: string[] = file.unterminated ? ['\n'] : [];
  let size = file.size;
  let synced = true;
  /** Bytes of a batch that may lie behind `size` without being all of it. */
  let torn = 0;
  let closed = false;
  let namesFormat = file.namesFormat;
  let entered = file.size > 0;
  /** The tail of the chain of writes; it never rejects. */
  let writing: Promise<unknown> = Promise.resolve();
  let scheduled: NodeJS.Immediate | undefined;

  /**
   * Cuts off the part of a batch that failed, and goes behind what somebody else has put there: a lock on a disk that
   * machines share may pass to another one, and nothing that it wrote is overwritten. True where that ends within a line.
   */
  const findEnd = async (): Promise<boolean> => {
    const there = await handle.stat();
    if (there.nlink === 0 && (await isGone(file.path))) {
      handle = await madeAnew(file.path, handle, size);
      [torn, synced, entered] = [0, false, false];
      return false;
    }
    const mayBeTorn = there.size > size && there.size <= size + torn;
    if (mayBeTorn) await handle.truncate(size);
    // From now on what stands behind `size` is somebody else's.
    torn = 0;
    if (mayBeTorn || there.size === size) return false;
    size = there.size;
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1));
    return bytesRead === 1 && buffer[0] !== newline;
  };
  const flush = async (): Promise<void> => {
    // Whoever writes now writes what was left for later too.
    clearImmediate(scheduled);
    scheduled = undefined;
    if (queued.length === 0) return;
    const broken = await findEnd();
    // More may be appended while this batch is on its way.
    const count = queued.length;
    const bytes = Buffer.from((broken ? '\n' : '') + queued.join(''), 'utf8');
    torn = bytes.length;
    for (let at = 0; at < bytes.length;)
      at += (await handle.write(bytes, at, bytes.length - at, size + at)).bytesWritten;
    torn = 0;
    size += bytes.length;
    synced = false;
    queued.splice(0, count);
  };
  /** A failed batch stays queued and its part on disk is cut off, now or before the next try. */
  const write = async (): Promise<unknown> => {
    try {
      await flush();
      return undefined;
    } catch (error) {
      if (torn > 0) await findEnd().catch(() => undefined);
      return error;
    }
  };
  const chain = <Result>(step: () => Promise<Result>): Promise<Result> => {
    const next = writing.then(step);
    writing = next.catch(() => undefined);
    return next;
  };
  const sync = async (): Promise<void> => {
    clearImmediate(scheduled);
    scheduled = undefined;
    const failure = await chain(async () => {
      const error = await write();
      if (error !== undefined) return error;
      if (!synced) {
        await handle.datasync();
        if (!entered) await syncFolder(path.dirname(file.path));
        entered = true;
        synced = true;
      }
      return undefined;
    }).catch((error: unknown) => error);
    if (failure !== undefined) throw cannotSave(file.path, failure);
  };
  return {
    id: file.id,
    path: portPath(file.path),
    append(records) {
      if (closed) throw new DeftError('session-closed', `Session ${file.id} is closed; nothing can be added to it.`);
      // Encoded now: a record that the caller changes afterwards stays as it was.
      for (const record of records) {
        queued.push(`${namesFormat ? encodeWith(record, { [formatField]: logFormat }) : encodeRecord(record)}\n`);
        namesFormat = false;
      }
      if (records.length === 0) return;
      // After what is going on now: records that come together go together, and a request goes out first.
      scheduled ??= setImmediate(() => void chain(write));
    },
    sync,
    async close() {
      if (closed) return;
      closed = true;
      try {
        await sync();
      } finally {
        await handle.close().catch(() => undefined);
        // A session in which nothing was said leaves nothing behind.
        if (size === 0) await unlink(file.path).catch(() => undefined);
        await file.release();
      }
    },
  };
}

async function isGone(file: string): Promise<boolean> {
  return (await stat(file).catch(errorCode)) === 'ENOENT';
}

/** Somebody has removed the file of a session that is open: all of it is still there behind the handle. */
async function madeAnew(file: string, removed: FileHandle, size: number): Promise<FileHandle> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const handle = await open(file, 'wx+', 0o600);
  try {
    const part = Buffer.allocUnsafe(copyBytes);
    for (let at = 0; at < size;) {
      const { bytesRead } = await removed.read(part, 0, Math.min(copyBytes, size - at), at);
      if (bytesRead === 0) break;
      for (let done = 0; done < bytesRead;)
        done += (await handle.write(part, done, bytesRead - done, at + done)).bytesWritten;
      at += bytesRead;
    }
  } catch (error) {
    await handle.close();
    await unlink(file).catch(() => undefined);
    throw error;
  }
  await removed.close().catch(() => undefined);
  return handle;
}

/** The name of a new file is on disk only when its folder is. Some systems have no such thing. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

function cannotSave(file: string, error: unknown): DeftError {
  const kind = fileErrorKind(error);
  const code =
    kind === 'no_space'
      ? 'session-no-space'
      : kind === 'readonly' || kind === 'permission'
        ? 'session-readonly'
        : 'session-write';
  const message = `The session cannot be saved. ${fileErrorSentence(error, file, 'write')} It will be tried again with the next message.`;
  return new DeftError(code, message, { audience: 'person', retryable: true, cause: error });
}
