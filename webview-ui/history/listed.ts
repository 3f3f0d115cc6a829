// What the history lists: the sessions by pages, and what a search in conversations has found so far.
import { signal } from '@preact/signals';
import type { SessionPage, SessionRow } from '../../src/shared/answers';
import type { HostMessages } from '../../src/shared/host-messages';
import { request } from '../host/vscode-api';

/** The first `rows` of `total` sessions. */
export interface ListedSessions {
  query: string;
  rows: readonly SessionRow[];
  total: number;
  keptDays: number;
}

/** Undefined until the first page arrives. */
export const listed = signal<ListedSessions | undefined>(undefined);
/** What the last search in conversations has found so far. */
export const matches = signal<HostMessages['sessionMatches'] | undefined>(undefined);

/** The words that were listed last. */
let wanted = '';

/** The page that begins at row `from`, of at least `rows` rows. */
export async function list(query: string, from: number, rows = 0): Promise<void> {
  if (from === 0) wanted = query;
  const page = await request('listSessions', { query, from, rows });
  if (query === wanted) listed.value = withPage(listed.peek(), query, from, page);
}

/** As many rows as before: something about them has changed. */
export function listAgain(): Promise<void> {
  return list(wanted, 0, listed.peek()?.rows.length ?? 0);
}

/** A page that fits behind what is there goes there; one that begins anew replaces it. */
function withPage(
  before: ListedSessions | undefined,
  query: string,
  from: number,
  { sessions, total, keptDays }: SessionPage,
): ListedSessions | undefined {
  if (from === 0) return { query, rows: sessions, total, keptDays };
  if (before?.query !== query || before.rows.length !== from) return before;
  return { query, rows: [...before.rows, ...sessions], total, keptDays };
}

export function takeMatches({ requestId, sessions, done }: HostMessages['sessionMatches']): void {
  const before = matches.peek();
  const kept = before?.requestId === requestId ? before.sessions : [];
  matches.value = { requestId, sessions: [...kept, ...sessions], done };
}
