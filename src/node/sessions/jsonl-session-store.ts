// The SessionStore port: `<root>/<id>.jsonl` is a session, `<root>/<id>/tool-results/` holds its large results.
import { constants } from 'node:fs';
import { access, lstat, mkdir, rm, rmdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextTask } from 'node:timers/promises';
import { DeftError } from '../../core/text/errors';
import { type Log } from '../../core/ports/log';
import { type SessionRecord } from '../../core/ports/record';
import { type SessionLog, type SessionStore, type SessionWish } from '../../core/ports/session-store';
import { logFormat } from '../../core/sessions/log-format';
import { partedWriters } from '../../core/sessions/parted-writers';
import { errorCode, fileErrorKind, fileErrorSentence } from '../files/file-error';
import { portPath } from '../files/port-path';
import { removeGlance } from './session-glances';
import { listSessions } from './session-list';
import { askHolder, hearQuestions } from './session-handover';
import { isSessionHeld, lockSession } from './session-lock';
import { isOwnSessionId, sessionFolders } from './session-id';
import { followSessionFile } from './session-follower';
import { openSessionLog } from './session-log-file';
import { readSessionEnd } from './session-end';
import { readSessionFile } from './session-reader';
import { isUnwritable, unsavedLog } from './unsaved-log';

const slices = { pause: () => nextTask() };

/** `root` is the folder of one workspace's sessions; it is made with the first session. */
export function createJsonlSessionStore(
  root: string,
  log?: Log,
): SessionStore & Required<Pick<SessionStore, 'agentLogs'>> {
  const fileOf = (id: string): string => path.join(root, `${checkedId(id)}.jsonl`);
  const lockOf = (id: string): string => path.join(root, `${checkedId(id)}.lock`);
  const lastWrite = (id: string) => async (): Promise<number> =>
    (await stat(fileOf(id)).catch(() => undefined))?.mtimeMs ?? 0;
  const lock = (id: string): Promise<() => Promise<void>> => lockSession(lockOf(id), lastWrite(id));
  const hear = (id: string) => (lets: (wish: SessionWish) => Promise<boolean>) => hearQuestions(lockOf(id), lets);
  const create = async (id: string): Promise<SessionLog> => {
    await makeFolder(root);
    const release = await lock(id);
    try {
      return await openSessionLog(
        { id, path: fileOf(id), size: 0, unterminated: false, namesFormat: true, release, hear: hear(id) },
        'new',
      );
    } catch (error) {
      await release();
      throw error;
    }
  };
  const open = async (id: string): Promise<OpenedLog | undefined> => {
    const file = fileOf(id);
    if (!(await isThere(file))) return undefined;
    const release = await lock(id);
    try {
      const { records, size, unterminated, unreadable, format } = await readSessionFile(file);
      if (format > logFormat) throw newerFormat(format);
      if (unreadable > 0) log?.warn(`${unreadable} lines of session ${id} cannot be read and are skipped.`);
      const namesFormat = records.length === 0 || format < logFormat;
      return {
        log: await openSessionLog(
          { id, path: file, size, unterminated, namesFormat, release, hear: hear(id) },
          'existing',
        ),
        records: await partedWriters(records, slices),
      };
    } catch (error) {
      await release();
      if (errorCode(error) === 'ENOENT') return undefined;
      throw error;
    }
  };
  /** Where its folder cannot be written, the log is read all the same, and saved once it can be. */
  const openUnsaved = async (id: string): Promise<OpenedLog> => {
    const { records, format } = await readSessionFile(fileOf(id));
    if (format > logFormat) throw newerFormat(format);
    const later = async (): Promise<SessionLog> => (await open(id))?.log ?? create(id);
    return { log: unsavedLog(id, fileOf(id), later), records: await partedWriters(records, slices) };
  };
  return {
    create: async (id) =>
      reported(fileOf(id), () =>
        create(id).catch((error: unknown) => {
          if (!isUnwritable(error)) throw error;
          return unsavedLog(id, fileOf(id), () => create(id));
        }),
      ),
    open: async (id) =>
      reported(fileOf(id), () =>
        open(id).catch((error: unknown) => {
          if (!isUnwritable(error)) throw error;
          return openUnsaved(id);
        }),
      ),
    end: async (id) =>
      reported(fileOf(id), async () => ((await isThere(fileOf(id))) ? readSessionEnd(fileOf(id)) : undefined)),
    read: async (id) =>
      reported(fileOf(id), async () =>
        (await isThere(fileOf(id))) ? partedWriters((await readSessionFile(fileOf(id))).records, slices) : [],
      ),
    follow: async (id, follower) =>
      reported(fileOf(id), async () => {
        await isThere(fileOf(id));
        return followSessionFile(fileOf(id), follower, () => isSessionHeld(lockOf(id), lastWrite(id)));
      }),
    ask: (id, wish) =>
      reported(lockOf(id), () => askHolder(lockOf(id), wish, () => isSessionHeld(lockOf(id), lastWrite(id)))),
    isHeld: (id) => isSessionHeld(lockOf(id), lastWrite(id)),
    list: () => listSessions(root),
    remove: async (id) =>
      reported(fileOf(id), async () => {
        if (!(await stat(root).catch(() => undefined))) return;
        const release = await lock(id);
        try {
          await rm(fileOf(id), { force: true });
          if (isOwnSessionId(id)) await removeFolder(path.join(root, checkedId(id)));
          // Its title and last sentence.
          await removeGlance(root, checkedId(id));
        } finally {
          await release();
        }
      }),
    agentLogs: (id) => agentLogs(path.join(root, checkedId(id), 'subagents')),
    resultsDirectory: (id) => portPath(path.join(root, checkedId(id), 'tool-results')),
  };
}

/** Making several folders on a disk that is read-only fails as if they were missing: the folder above them has the reason. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    let above = path.dirname(folder);
    while (
      errorCode(error) === 'ENOENT' &&
      above !== path.dirname(above) &&
      !(await stat(above).catch(() => undefined))
    )
      above = path.dirname(above);
    if (errorCode(error) === 'ENOENT') await access(above, constants.W_OK);
    throw error;
  }
}

type OpenedLog = { log: SessionLog; records: SessionRecord[] };

/** A FIFO in its place would never answer. */
async function isThere(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  if (found === undefined || found.isFile()) return found !== undefined;
  throw new DeftError('session-file', `The session cannot be opened. ${file} is not a regular file.`, {
    audience: 'user',
  });
}

/** In the folder of their session, whose lock covers them; never listed. */
function agentLogs(folder: string): ReturnType<NonNullable<SessionStore['agentLogs']>> {
  const fileOf = (agentId: string): string => path.join(folder, `agent-${checkedId(agentId)}.jsonl`);
  const release = async (): Promise<void> => undefined;
  return {
    create: (agentId) =>
      reported(fileOf(agentId), async () => {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        return openSessionLog(
          { id: `agent-${agentId}`, path: fileOf(agentId), size: 0, unterminated: false, namesFormat: true, release },
          'new',
        );
      }),
    open: (agentId) =>
      reported(fileOf(agentId), async () => {
        const file = fileOf(agentId);
        if (!(await isThere(file))) return undefined;
        const { records, size, unterminated, format } = await readSessionFile(file);
        if (format > logFormat) throw newerFormat(format);
        const namesFormat = records.length === 0 || format < logFormat;
        return {
          log: await openSessionLog(
            { id: `agent-${agentId}`, path: file, size, unterminated, namesFormat, release },
            'existing',
          ),
          records,
        };
      }),
  };
}

/** Anything else in a session's folder is not Deft's. A link is removed, never followed. */
async function removeFolder(folder: string): Promise<void> {
  const found = await lstat(folder).catch(() => undefined);
  if (found?.isSymbolicLink() === true) return rm(folder, { force: true });
  for (const name of sessionFolders) await rm(path.join(folder, name), { recursive: true, force: true });
  await rmdir(folder).catch(() => undefined);
}

/** Ids name files: nothing in them may lead elsewhere. */
function checkedId(id: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(id)) return id;
  throw new DeftError('session-id', `${JSON.stringify(id)} is not a session id.`, { audience: 'user' });
}

/** What such a log says might be misread, and what were appended to it lost on whoever wrote it. */
function newerFormat(format: number): DeftError {
  const message = `A newer version of Deft wrote this session (format ${format}; this version knows ${logFormat}). Nothing in it was changed. Update Deft to continue it.`;
  return new DeftError('session-newer', message, { audience: 'user' });
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
      audience: 'user',
      cause: error,
    });
  }
}
