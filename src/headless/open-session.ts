// Opens the session of a run: a new one, one by its id, the latest of this folder, or a copy of either.
import { DeftError } from '../core/text/errors';
import { type SessionLog, type SessionStore } from '../core/ports/session-store';
import { continuedRecords } from '../core/external-sessions/continue-session';
import { missingOf, sourceNames } from '../core/external-sessions/external-session';
import { forkRecords } from '../core/sessions/fork-records';
import { type SessionRecord } from '../core/ports/record';
import { type ExternalSessions } from '../node/sessions/external-sessions';
import { type RunOptions } from './command-line/run-options';

export interface OpenedSession {
  log: SessionLog;
  records: SessionRecord[];
  /** Where it is a copy: the session that it was copied from. */
  source?: string;
  /** It takes the place of one that the user has cleared. */
  cleared?: true;
  /** Dollars of the run's budget that went into sessions before it. */
  spentBefore?: number;
  /** What a copy of another program's session lacks: sentences. */
  missing?: readonly string[];
}

/** Throws DeftErrors with a sentence: unknown id, nothing to continue, open in another process, a disk that refuses. */
export async function openSession(
  store: SessionStore,
  choice: RunOptions['session'],
  uuid: () => string,
  external: ExternalSessions,
): Promise<OpenedSession> {
  if (choice.kind === 'new') return { log: await store.create(await freshId(store, choice.id, uuid)), records: [] };
  const id = choice.kind === 'resume' ? await idOf(store, choice.id) : (await store.list())[0]?.id;
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
  if (!('copied' in opened)) return opened;
  const records = choice.until === undefined ? opened.copied : recordsUntil(opened.copied, choice.until);
  return copySession(store, { id, records }, await freshId(store, choice.newId, uuid));
}

/** A name that the user chose is not taken over from a session that has it. */
async function freshId(store: SessionStore, wanted: string | undefined, uuid: () => string): Promise<string> {
  if (wanted === undefined) return uuid();
  if (((await store.read?.(wanted)) ?? []).length > 0)
    throw new DeftError('session-exists', `--session-id: this folder has a session ${wanted} already.`, {
      audience: 'user',
    });
  return wanted;
}

/** A session by its title, where one session alone has it; everything else is an ID. */
async function idOf(store: SessionStore, named: string): Promise<string> {
  const sessions = await store.list();
  if (sessions.some(({ id }) => id === named)) return named;
  const titled = sessions.filter(({ title }) => title.toLowerCase() === named.trim().toLowerCase());
  if (titled.length > 1)
    throw new DeftError(
      'session-ambiguous',
      `${titled.length} sessions are called ${JSON.stringify(named)}. Name one by its ID: ${titled.map(({ id }) => id).join(', ')}.`,
      { audience: 'user' },
    );
  return titled[0]?.id ?? named;
}

/** Up to and including the message with this uuid. */
function recordsUntil(records: readonly SessionRecord[], uuid: string): SessionRecord[] {
  const at = records.findIndex((record) => 'uuid' in record && record.uuid === uuid);
  if (at < 0)
    throw new DeftError('message-unknown', `--resume-session-at: the session has no message ${uuid}.`, {
      audience: 'user',
    });
  return records.slice(0, at + 1);
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
  return { log, records, source: log.id, missing: missingOf(session) };
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
