// The log of a session whose folder takes no files: the session goes on, every sync says so, and tries again.
import { type Path } from '../../core/ports/path';
import { type SessionRecord } from '../../core/ports/record';
import { type SessionLog, type StoredRecords } from '../../core/ports/session-store';
import { errorCode } from '../files/file-error';
import { portPath } from '../files/port-path';
import { cannotSave } from './session-log-file';

/** A disk or folder that may be read and not written. */
export function isUnwritable(error: unknown): boolean {
  return ['EROFS', 'EACCES', 'EPERM'].includes(errorCode(error) ?? '');
}

/** `open` is tried with every sync; what it returns has the records from then on. */
export function unsavedLog(id: string, file: string, open: () => Promise<SessionLog>): SessionLog {
  return new UnsavedLog(id, file, open);
}

class UnsavedLog implements SessionLog {
  readonly id: string;
  readonly path: Path;
  readonly #file: string;
  readonly #open: () => Promise<SessionLog>;
  #waiting: SessionRecord[] = [];
  #saved: SessionLog | undefined;

  constructor(id: string, file: string, open: () => Promise<SessionLog>) {
    this.id = id;
    this.path = portPath(file);
    this.#file = file;
    this.#open = open;
  }

  /** None until it is saved. */
  get stored(): StoredRecords | undefined {
    return this.#saved?.stored;
  }

  append(records: SessionRecord[]): void {
    if (this.#saved === undefined) this.#waiting.push(...records.map((record) => structuredClone(record)));
    else this.#saved.append(records);
  }

  async sync(): Promise<void> {
    if (this.#saved === undefined) {
      let opened: SessionLog;
      try {
        opened = await this.#open();
      } catch (error) {
        throw errorCode(error) === undefined ? error : cannotSave(this.#file, error);
      }
      opened.append(this.#waiting);
      this.#waiting = [];
      this.#saved = opened;
    }
    await this.#saved.sync();
  }

  async close(): Promise<void> {
    // A session in which nothing was said leaves nothing behind.
    if (this.#saved === undefined && this.#waiting.length > 0) await this.sync();
    await this.#saved?.close();
  }
}
