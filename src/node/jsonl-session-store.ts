// The SessionStore port: `<root>/<id>.jsonl` is a session, `<root>/<id>/tool-results/` holds its large results.
import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { DeftError } from '../core/errors';
import { type Log, type SessionStore } from '../core/ports';
import { type SessionRecord } from '../core/sessions/record';
import { decodeRecord } from '../core/sessions/session-codec';
import { errorCode, fileErrorKind, fileErrorSentence } from './file-error';
import { portPath } from './port-path';
import { listSessions } from './session-list';
import { lockSession } from './session-lock';
import { openSessionLog } from './session-log-file';

const newline = 10;

/** `root` is the folder of one workspace's sessions; it is made with the first session. */
export function createJsonlSessionStore(root: string, log?: Log): SessionStore {
  const fileOf = (id: string): string => path.join(root, `${checkedId(id)}.jsonl`);
  const lock = (id: string): Promise<() => Promise<void>> =>
    lockSession(
      path.join(root, `${checkedId(id)}.lock`),
      async () => (await stat(fileOf(id)).catch(() => undefined))?.mtimeMs ?? 0,
    );
  return {
    create: async (id) =>
      reported(fileOf(id), async () => {
        await mkdir(root, { recursive: true, mode: 0o700 });
        const release = await lock(id);
        try {
          return await openSessionLog({ id, path: fileOf(id), size: 0, unterminated: false, release }, 'new');
        } catch (error) {
          await release();
          throw error;
        }
      }),
    open: async (id) =>
      reported(fileOf(id), async () => {
        const file = fileOf(id);
        if (!(await stat(file).catch(() => undefined))) return undefined;
        const release = await lock(id);
        try {
          const { records, size, unterminated, unreadable } = readRecords(await readFile(file));
          if (unreadable > 0) log?.warn(`${unreadable} lines of session ${id} cannot be read; they are passed over.`);
          return { log: await openSessionLog({ id, path: file, size, unterminated, release }, 'existing'), records };
        } catch (error) {
          await release();
          if (errorCode(error) === 'ENOENT') return undefined;
          throw error;
        }
      }),
    list: () => listSessions(root),
    remove: async (id) =>
      reported(fileOf(id), async () => {
        if (!(await stat(root).catch(() => undefined))) return;
        const release = await lock(id);
        try {
          await rm(fileOf(id), { force: true });
          await rm(path.join(root, checkedId(id)), { recursive: true, force: true });
        } finally {
          await release();
        }
      }),
    resultsDirectory: (id) => portPath(path.join(root, checkedId(id), 'tool-results')),
  };
}

/**
 * The records of a session file's bytes, in order, and the length of what is kept of it. A torn last line is dropped; a
 * whole one that only lost its newline is kept (`unterminated`).
 */
export function readRecords(bytes: Buffer): {
  records: SessionRecord[];
  size: number;
  unterminated: boolean;
  unreadable: number;
} {
  const records: SessionRecord[] = [];
  let unreadable = 0;
  let at = 0;
  for (let end = bytes.indexOf(newline, at); end >= 0; end = bytes.indexOf(newline, at)) {
    const line = bytes.toString('utf8', at, end);
    const record = decodeRecord(line);
    if (record) records.push(record);
    else if (line.trim() !== '') unreadable++;
    at = end + 1;
  }
  const last = at < bytes.length ? decodeRecord(bytes.toString('utf8', at)) : undefined;
  if (!last) return { records, size: at, unterminated: false, unreadable };
  return { records: [...records, last], size: bytes.length, unterminated: true, unreadable };
}

/** Ids name files: nothing in them may lead elsewhere. */
function checkedId(id: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(id)) return id;
  throw new DeftError('session-id', `${JSON.stringify(id)} is not a session id.`, { audience: 'person' });
}

/** System errors as DeftErrors with a sentence. */
async function reported<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DeftError || errorCode(error) === undefined) throw error;
    const kind = fileErrorKind(error);
    const code = kind === 'exists' ? 'session-exists' : kind === 'no_space' ? 'session-no-space' : 'session-file';
    const doing = kind === 'not_found' ? 'read' : 'write';
    throw new DeftError(code, `The session cannot be opened. ${fileErrorSentence(error, file, doing)}`, {
      audience: 'person',
      cause: error,
    });
  }
}
