// Opens the session of a run: a new one, one by its id, the latest of this folder, or a copy of either.
import { DeftError } from '../core/text/errors';
import { type SessionLog, type SessionStore } from '../core/ports/session-store';
import { continuedRecords } from '../core/external-sessions/continue-session';
import { sourceNames } from '../core/external-sessions/external-session';
import { forkRecords } from '../core/sessions/fork-records';
import { type SessionRecord } from '../core/ports/record';
import { type ExternalSessions } from '../node/sessions/external-sessions';
import { type RunOptions } from './command-line/run-options';

export interface OpenedSession {
  log: SessionLog;
  records: SessionRecord[];
  /** Where it is a copy: the session that it was copied from. */
  source?: string;
}

/** Throws DeftErrors with a sentence: unknown id, nothing to continue, open in another process, a disk that refuses. */
export async function openSession(
  store: SessionStore,
  choice: RunOptions['session'],
  uuid: () => string,
  external: ExternalSessions,
): Promise<OpenedSession> {
  if (choice.kind === 'new') return { log: await store.create(uuid()), records: [] };
  const id = choice.kind === 'resume' ? choice.id : (await store.list())[0]?.id;
  if (id === undefined)
    throw new DeftError('session-none', 'This folder has no session to continue.', { audience: 'user' });
  const opened = await (choice.fork ? openToCopy(store, id) : store.open(id));
  if (opened === undefined) {
    const copied = await copyExternal(store, external, { id, fork: choice.fork }, uuid);
    if (copied !== undefined) return copied;
    throw new DeftError(
      'session-unknown',
      `This folder has no session ${id}. Sessions belong to the folder in which they were started.`,
      { audience: 'user' },
    );
  }
  return 'copied' in opened ? copySession(store, { id, records: opened.copied }, uuid()) : opened;
}

/** A copy needs nothing but to read: another process may have the session open, or copy it at the same moment. */
async function openToCopy(store: SessionStore, id: string): Promise<{ copied: SessionRecord[] } | undefined> {
  try {
    const opened = await store.open(id);
    await opened?.log.close();
    return opened && { copied: opened.records };
  } catch (error) {
    if (store.read === undefined || !(error instanceof DeftError && error.code === 'session-locked')) throw error;
    return { copied: await store.read(id) };
  }
}

/** A session of another program is never written to. Undefined where the id is none of those either. */
async function copyExternal(
  store: SessionStore,
  external: ExternalSessions,
  { id, fork }: { id: string; fork: boolean },
  uuid: () => string,
): Promise<OpenedSession | undefined> {
  const row = await external.find(id);
  if (row === undefined) return undefined;
  if (!fork) {
    const whose = `${id} is a session of ${sourceNames[row.source]}, which Deft only reads.`;
    throw new DeftError('session-external', `${whose} Continue in a copy with --resume ${id} --fork-session.`, {
      audience: 'user',
    });
  }
  const session = await external.read(row.id);
  if (session === undefined) return undefined;
  const log = await store.create(uuid());
  const records = continuedRecords(session, log.id);
  log.append(records);
  // Results that it needs are in its own folder: the other program's are not read.
  return { log, records, source: log.id };
}

async function copySession(
  store: SessionStore,
  source: { id: string; records: readonly SessionRecord[] },
  id: string,
): Promise<OpenedSession> {
  const log = await store.create(id);
  const records = forkRecords(source.records, id);
  log.append(records);
  return { log, records, source: source.id };
}
