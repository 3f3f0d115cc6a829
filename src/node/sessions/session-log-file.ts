// One session's file: records are appended in order, in batches, and survive a disk that is full for a while.
import { mkdir, open, stat, unlink, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { DeftError } from '../../core/text/errors';
import { type SessionLog, type SessionWish, type StoredRecords } from '../../core/ports/session-store';
import { formatField, logFormat } from '../../core/sessions/log-format';
import { encodeRecord, encodeWith } from '../../core/sessions/session-codec';
import { errorCode, fileErrorKind, fileErrorSentence } from '../files/file-error';
import { portPath } from '../files/port-path';
import { storedRecords } from './stored-records';
import { type Path } from '../../core/ports/path';
import { type SessionRecord } from '../../core/ports/record';

const newline = 10;
const copyBytes = 256 * 1024;

export interface SessionLogFile {
  id: string;
  path: string;
  /** The length of what is kept of the file: appending starts there. */
  size: number;
  /** The last line that is kept lacks its newline. */
  unterminated: boolean;
  /** What is appended has a newer format than the present content, and has to say so. */
  namesFormat: boolean;
  release: () => Promise<void>;
  /** Hears whether another process wants it; returns what ends that. Undefined where no lock of its own covers it. */
  hear?: (lets: (wish: SessionWish) => Promise<boolean>) => () => void;
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
  return new LogFile(file, handle);
}

class LogFile implements SessionLog {
  readonly #file: SessionLogFile;
  #handle: FileHandle;
  readonly #queued: string[];
  #size: number;
  #synced = true;
  /** Bytes of a batch that may lie behind `size` without being all of it. */
  #torn = 0;
  #closed = false;
  #namesFormat: boolean;
  #entered: boolean;
  /** The tail of the chain of writes; it never rejects. */
  #writing: Promise<unknown> = Promise.resolve();
  #scheduled: NodeJS.Immediate | undefined;
  #deaf = (): void => undefined;
  readonly id: string;
  readonly path: Path;
  readonly stored: StoredRecords;

  constructor(file: SessionLogFile, opened: FileHandle) {
    this.#file = file;
    this.#handle = opened;
    this.#queued = file.unterminated ? ['\n'] : [];
    this.#size = file.size;
    this.#namesFormat = file.namesFormat;
    this.#entered = file.size > 0;
    this.id = file.id;
    this.path = portPath(file.path);
    this.stored = storedRecords({ path: file.path, handle: () => this.#handle, size: () => this.#size });
  }

  onWanted(lets: (wish: SessionWish) => Promise<boolean>): void {
    this.#deaf();
    this.#deaf = this.#file.hear?.(lets) ?? this.#deaf;
  }

  append(records: SessionRecord[]): void {
    if (this.#closed)
      throw new DeftError('session-closed', `Session ${this.#file.id} is closed; nothing can be added to it.`);
    // Encoded now: a record that the caller changes afterwards stays as it was.
    for (const record of records) {
      this.#queued.push(
        `${this.#namesFormat ? encodeWith(record, { [formatField]: logFormat }) : encodeRecord(record)}\n`,
      );
      this.#namesFormat = false;
    }
    if (records.length === 0) return;
    // After the current work: records that come together are written together, and a request goes out first.
    this.#scheduled ??= setImmediate(() => void this.#chain(() => this.#write()));
  }

  async sync(): Promise<void> {
    clearImmediate(this.#scheduled);
    this.#scheduled = undefined;
    const failure = await this.#chain(async () => {
      const error = await this.#write();
      if (error !== undefined) return error;
      if (!this.#synced) {
        await this.#handle.datasync();
        if (!this.#entered) await syncFolder(path.dirname(this.#file.path));
        this.#entered = true;
        this.#synced = true;
      }
      return undefined;
    }).catch((error: unknown) => error);
    if (failure !== undefined) throw cannotSave(this.#file.path, failure);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#deaf();
    try {
      await this.sync();
    } finally {
      await this.#handle.close().catch(() => undefined);
      // A session in which nothing was said leaves nothing behind.
      if (this.#size === 0) await unlink(this.#file.path).catch(() => undefined);
      await this.#file.release();
    }
  }

  /**
   * Cuts off the part of a batch that failed, and goes behind what somebody else has put there: a lock on a disk that
   * machines share may pass to another one, and nothing that it wrote is overwritten. True where that ends within a line.
   */
  async #findEnd(): Promise<boolean> {
    const there = await this.#handle.stat();
    if (there.nlink === 0 && (await isGone(this.#file.path))) {
      this.#handle = await madeAnew(this.#file.path, this.#handle, this.#size);
      [this.#torn, this.#synced, this.#entered] = [0, false, false];
      return false;
    }
    const mayBeTorn = there.size > this.#size && there.size <= this.#size + this.#torn;
    if (mayBeTorn) await this.#handle.truncate(this.#size);
    // From now on what follows `size` is somebody else's.
    this.#torn = 0;
    if (mayBeTorn || there.size === this.#size) return false;
    this.#size = there.size;
    const { bytesRead, buffer } = await this.#handle.read(Buffer.alloc(1), 0, 1, Math.max(0, this.#size - 1));
    return bytesRead === 1 && buffer[0] !== newline;
  }

  async #flush(): Promise<void> {
    // Whoever writes now writes what was left for later too.
    clearImmediate(this.#scheduled);
    this.#scheduled = undefined;
    if (this.#queued.length === 0) return;
    const broken = await this.#findEnd();
    // More may be appended while this batch is on its way.
    const count = this.#queued.length;
    const bytes = Buffer.from((broken ? '\n' : '') + this.#queued.join(''), 'utf8');
    this.#torn = bytes.length;
    for (let at = 0; at < bytes.length;)
      at += (await this.#handle.write(bytes, at, bytes.length - at, this.#size + at)).bytesWritten;
    this.#torn = 0;
    this.#size += bytes.length;
    this.#synced = false;
    this.#queued.splice(0, count);
  }

  /** A failed batch stays queued and its part on disk is cut off, now or before the next try. */
  async #write(): Promise<unknown> {
    try {
      await this.#flush();
      return undefined;
    } catch (error) {
      if (this.#torn > 0) await this.#findEnd().catch(() => undefined);
      return error;
    }
  }

  #chain<Result>(step: () => Promise<Result>): Promise<Result> {
    const next = this.#writing.then(step);
    this.#writing = next.catch(() => undefined);
    return next;
  }
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

export function cannotSave(file: string, error: unknown): DeftError {
  const kind = fileErrorKind(error);
  const code =
    kind === 'no_space'
      ? 'session-no-space'
      : kind === 'readonly' || kind === 'permission'
        ? 'session-readonly'
        : 'session-write';
  const message = `The session cannot be saved. ${fileErrorSentence(error, file, 'write')} Deft tries again with the next message.`;
  return new DeftError(code, message, { audience: 'user', retryable: true, cause: error });
}
