// One session's file: records are appended in order, in batches, and survive a disk that is full for a while.
import { open, unlink, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { DeftError } from '../core/errors';
import { type SessionLog } from '../core/ports';
import { formatField, logFormat } from '../core/sessions/log-format';
import { encodeRecord, encodeWith } from '../core/sessions/session-codec';
import { fileErrorKind, fileErrorSentence } from './file-error';
import { portPath } from './port-path';

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
  const handle = await open(file.path, kind === 'new' ? 'wx' : 'r+', 0o600);
  try {
    if ((await handle.stat()).size > file.size) await handle.truncate(file.size);
  } catch (error) {
    await handle.close();
    throw error;
  }
  return sessionLog(file, handle);
}

function sessionLog(file: SessionLogFile, handle: FileHandle): SessionLog {
  const queued: string[] = file.unterminated ? ['\n'] : [];
  let size = file.size;
  let synced = true;
  let torn = false;
  let closed = false;
  let namesFormat = file.namesFormat;
  let entered = file.size > 0;
  /** The tail of the chain of writes; it never rejects. */
  let writing: Promise<unknown> = Promise.resolve();
  let scheduled: NodeJS.Immediate | undefined;

  const flush = async (): Promise<void> => {
    // Whoever writes now writes what was left for later too.
    clearImmediate(scheduled);
    scheduled = undefined;
    if (queued.length === 0) return;
    // More may be appended while this batch is on its way.
    const count = queued.length;
    const bytes = Buffer.from(queued.join(''), 'utf8');
    if (torn) await handle.truncate(size);
    torn = true;
    for (let at = 0; at < bytes.length;)
      at += (await handle.write(bytes, at, bytes.length - at, size + at)).bytesWritten;
    torn = false;
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
      if (torn) await handle.truncate(size).catch(() => undefined);
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
