// Earlier conversations: find one by its title or by what was said, open it, and keep them in order.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type SessionRow } from '../../src/shared/answers';
import { focusComposer } from '../state/draft';
import { post, request } from '../host/vscode-api';
import { Button, IconButton } from '../parts/button';
import { page } from '../state/chat';
import { list, listAgain, type ListedSessions, listed as listedSessions, matches } from './listed';
import { SessionList } from './session-list';
import { SessionEntry } from './session-row';

const DEBOUNCE_MS = 120;

let searches = 0;

export function closeHistory(): void {
  page.value = 'conversation';
  // The composer is drawn first.
  requestAnimationFrame(focusComposer);
}

function openRow(row: SessionRow): void {
  if (row.current) closeHistory();
  else post({ type: 'openSession', sessionId: row.id });
}

export function History() {
  const [query, setQuery] = useState('');
  /** The search in conversations that is shown; 0 while there is none. */
  const [searchId, setSearchId] = useState(0);
  const search = useRef<HTMLInputElement>(null);
  const main = useRef<HTMLElement>(null);
  const listed = listedSessions.value;
  const asked = useRef(0);

  useLayoutEffect(() => search.current?.focus(), []);
  useEffect(() => {
    asked.current = 0;
    const timer = setTimeout(() => void list(query, 0), query === '' ? 0 : DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [query]);
  // What was found belongs to the words that were searched.
  useEffect(() => {
    if (searchId === 0) return;
    return () => post({ type: 'searchSessions', requestId: 0, query: '' });
  }, [searchId]);

  const rows = listed?.rows ?? [];
  const more = () => {
    if (asked.current === rows.length) return;
    asked.current = rows.length;
    void list(query, rows.length);
  };
  const searchConversations = () => {
    if (query.trim() === '') return;
    const requestId = ++searches;
    setSearchId(requestId);
    post({ type: 'searchSessions', requestId, query });
  };
  const toList = () => main.current?.querySelector<HTMLElement>('[data-session]')?.focus();

  return (
    <main class="page" aria-label="History" ref={main}>
      <HistoryHead />
      <input
        class="input history-search"
        type="text"
        ref={search}
        aria-label="Search sessions"
        placeholder="Search sessions"
        value={query}
        onInput={(event) => {
          setQuery(event.currentTarget.value);
          setSearchId(0);
        }}
        onKeyDown={(event) => {
          if (event.isComposing) return;
          if (event.key === 'Enter') searchConversations();
          else if (event.key === 'ArrowDown') toList();
          else return;
          event.preventDefault();
        }}
      />
      {query.trim() !== '' && searchId === 0 && (
        <div class="history-more">
          <Button
            kind="quiet"
            icon="search"
            label="Search in all conversations"
            title="Search in all conversations (Enter)"
            onClick={searchConversations}
          />
        </div>
      )}
      <SessionList
        rows={rows}
        total={listed?.total ?? 0}
        onMore={more}
        onOpen={openRow}
        onLeave={() => search.current?.focus()}
      >
        {searchId > 0 && <Found searchId={searchId} onGone={() => search.current?.focus()} />}
        {listed === undefined && <p class="quiet">Loading…</p>}
        {listed?.total === 0 && <p class="quiet">{query === '' ? 'No sessions yet.' : 'No title matches.'}</p>}
      </SessionList>
      {listed !== undefined && listed.total > 0 && query === '' && (
        <HistoryFoot total={listed.total} keptDays={listed.keptDays} />
      )}
    </main>
  );
}

function HistoryHead() {
  return (
    <div class="history-head">
      <IconButton
        icon="arrow-left"
        label="Back to the conversation"
        title="Back to the conversation (Esc)"
        onClick={closeHistory}
      />
      <h1 class="history-title">History</h1>
      <IconButton icon="add" label="New session" onClick={() => post({ type: 'newSession' })} />
    </div>
  );
}

function HistoryFoot({ total, keptDays }: Pick<ListedSessions, 'total' | 'keptDays'>) {
  return (
    <div class="history-foot">
      <span class="quiet">
        {countText(total)}
        {keptDays > 0 && `, kept for ${keptDays} ${keptDays === 1 ? 'day' : 'days'} after the last change`}
      </span>
      <Button
        kind="quiet"
        label="Delete all…"
        title="Delete all sessions of this folder"
        onClick={() => void request('deleteAllSessions', {}).then(listAgain)}
      />
    </div>
  );
}

/** What conversations hold; more comes while the search runs. */
function Found({ searchId, onGone }: { searchId: number; onGone: () => void }) {
  const found = matches.value;
  const { sessions, done } = found?.requestId === searchId ? found : { sessions: [], done: false };
  return (
    <section class="history-found" aria-label="Found in conversations">
      <h2 class="history-day">Found in conversations</h2>
      <ul>
        {sessions.map((row, index) => (
          <SessionEntry key={row.id} row={row} index={index} count={sessions.length} onOpen={openRow} onGone={onGone} />
        ))}
      </ul>
      <p class="quiet" role="status">
        {!done ? 'Searching…' : sessions.length === 0 ? 'No conversation contains these words.' : ''}
      </p>
    </section>
  );
}

function countText(total: number): string {
  return total === 1 ? '1 session' : `${total.toLocaleString('en')} sessions`;
}
