// Sessions that are not open here: read without their lock, and renamed without moving them up the list.
import { randomUUID } from 'node:crypto';
import { stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { type SessionStore, type SessionSummary } from '../../core/ports/session-store';
import { type SessionRecord } from '../../core/ports/record';
import { searchSessions, type SessionMatch } from './session-search';

export interface SessionArchive {
  /** Appends the user's title. Rejects with `session-locked` where another process has the session open; false where it is gone. */
  rename(id: string, title: string): Promise<boolean>;
  /** Also of a session that another window writes: what of it is on disk. */
  records(id: string): Promise<SessionRecord[]>;
  search(
    sessions: readonly SessionSummary[],
    text: string,
    options: { limit: number; found: (match: SessionMatch) => void; signal: AbortSignal },
  ): Promise<void>;
}

/** `root` is the folder of the store's sessions. */
export function createSessionArchive(root: string, store: SessionStore, version: string): SessionArchive {
  const fileOf = (id: string): string => path.join(root, `${path.basename(id)}.jsonl`);
  return {
    async rename(id, title) {
      const before = await stat(fileOf(id)).catch(() => undefined);
      const opened = before && (await store.open(id));
      if (before === undefined || opened === undefined) return false;
      const { log, records } = opened;
      const last = records.findLast((record) => !('raw' in record));
      const envelope = last === undefined || 'raw' in last ? { uuid: null, cwd: '' } : last;
      log.append([
        {
          type: 'custom-title',
          title,
          uuid: randomUUID(),
          parentUuid: envelope.uuid,
          timestamp: new Date().toISOString(),
          sessionId: id,
          cwd: envelope.cwd,
          version,
        },
      ]);
      await log.close();
      // A new name does not count as use.
      await utimes(fileOf(id), before.atime, before.mtime).catch(() => undefined);
      return true;
    },
    records: async (id) => (await store.read?.(id)) ?? [],
    search: (sessions, text, options) => searchSessions(root, sessions, text, options),
  };
}
