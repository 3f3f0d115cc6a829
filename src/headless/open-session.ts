// Opens the session of a run: a new one, one by its id, the latest of this folder, or a copy of either.
import { DeftError } from '../core/errors';
import { type SessionLog, type SessionStore } from '../core/ports';
import { forkRecords } from '../core/sessions/fork-records';
import { type SessionRecord } from '../core/sessions/record';
import { type RunOptions } from './command-line';

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
): Promise<OpenedSession> {
  if (choice.kind === 'new') return { log: await store.create(uuid()), records: [] };
  const id = choice.kind === 'resume' ? choice.id : (await store.list())[0]?.id;
  if (id === undefined)
    throw new DeftError('session-none', 'There is no session of this folder to continue.', { audience: 'person' });
  const opened = await store.open(id);
  if (opened === undefined) {
    throw new DeftError(
      'session-unknown',
      `There is no session ${id} of this folder. Sessions belong to the folder in which they began.`,
      { audience: 'person' },
    );
  }
  return choice.fork ? copySession(store, opened, uuid()) : opened;
}

async function copySession(
  store: SessionStore,
  source: Omit<OpenedSession, 'source'>,
  id: string,
): Promise<OpenedSession> {
  await source.log.close();
  const log = await store.create(id);
  const records = forkRecords(source.records, id);
  log.append(records);
  return { log, records, source: source.log.id };
}
