// Earlier conversations: find one, open it, delete it.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { SessionRow } from '../../src/shared/protocol';
import { focusComposer } from '../composer/draft';
import { post } from '../host/vscode-api';
import { Button, IconButton } from '../parts/button';
import { page, received } from '../state/chat';
import { dayOf, timeOf } from './session-time';

const DEBOUNCE_MS = 120;
const programs = { 'claude-code': 'Claude Code', codex: 'Codex' };

export function closeHistory(): void {
  page.value = 'conversation';
  // The composer is drawn first.
  requestAnimationFrame(focusComposer);
}

export function History() {
  const [query, setQuery] = useState('');
  const search = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const sessions = received.sessions.value;

  useLayoutEffect(() => search.current?.focus(), []);
  useEffect(() => {
    const timer = setTimeout(() => post({ type: 'listSessions', query }), query === '' ? 0 : DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [query]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('.session-open') ?? [])];
    const at = rows.findIndex((row) => row.closest('li')?.contains(document.activeElement));
    const next = event.key === 'ArrowDown' ? at + 1 : at - 1;
    if (next < 0) search.current?.focus();
    else rows[Math.min(next, rows.length - 1)]?.focus();
    event.preventDefault();
  };

  return (
    <main class="history" aria-label="History" onKeyDown={onKeyDown}>
      <div class="history-head">
        <IconButton icon="arrow-left" label="Back to the conversation" title="Back to the conversation (Esc)" onClick={closeHistory} />
        <h1 class="history-title">History</h1>
        <IconButton icon="add" label="New session" onClick={() => post({ type: 'newSession' })} />
      </div>
      <input
        class="input history-search"
        type="text"
        ref={search}
        aria-label="Search sessions"
        placeholder="Search sessions"
        value={query}
        onInput={(event) => setQuery(event.currentTarget.value)}
      />
      <div class="history-list" ref={list}>
        {sessions === undefined && <p class="quiet">Loading…</p>}
        {sessions?.length === 0 && <p class="quiet">{query === '' ? 'No sessions yet.' : 'No session matches.'}</p>}
        {groupByDay(sessions ?? []).map(([day, rows]) => (
          <section key={day} aria-label={day}>
            <h2 class="history-day">{day}</h2>
            <ul>
              {rows.map((row) => (
                <SessionEntry key={row.id} row={row} onGone={() => search.current?.focus()} />
              ))}
            </ul>
          </section>
        ))}
      </div>
    </main>
  );
}

function SessionEntry({ row, onGone }: { row: SessionRow; onGone: () => void }) {
  const [asking, setAsking] = useState(false);
  const remove = () => {
    post({ type: 'deleteSession', sessionId: row.id });
    onGone();
  };
  const open = () => {
    if (row.current) return closeHistory();
    post({ type: 'openSession', sessionId: row.id });
  };
  const title = row.title || 'Untitled session';
  if (asking) return <ConfirmDelete title={title} onDelete={remove} onCancel={() => setAsking(false)} />;
  return (
    <li class={row.current ? 'session session-current' : 'session'}>
      <button
        type="button"
        class="session-open"
        aria-current={row.current ? 'true' : undefined}
        title={row.source ? `${title}. Open read-only (Enter)` : `${title}. Open (Enter), delete (Delete)`}
        onClick={open}
        onKeyDown={(event) => {
          if (event.key !== 'Delete' || row.source) return;
          event.preventDefault();
          setAsking(true);
        }}
      >
        <span class="session-title">{title}</span>
        {row.source && <span class="session-badge">{programs[row.source]}</span>}
        <span class="session-time">{row.current ? 'open now' : timeOf(row.updatedAt)}</span>
      </button>
      {!row.source && <IconButton icon="trash" label={`Delete ${title}`} title="Delete (Delete)" onClick={() => setAsking(true)} />}
    </li>
  );
}

function ConfirmDelete({ title, onDelete, onCancel }: { title: string; onDelete: () => void; onCancel: () => void }) {
  const cancel = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => cancel.current?.focus(), []);
  return (
    <li
      class="session session-asking"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        onCancel();
      }}
    >
      <span class="session-question">Delete “{title}”?</span>
      <Button kind="primary" label="Delete" onClick={onDelete} />
      <Button label="Cancel" title="Cancel (Esc)" buttonRef={cancel} onClick={onCancel} />
    </li>
  );
}

function groupByDay(rows: readonly SessionRow[]): [string, SessionRow[]][] {
  const groups = new Map<string, SessionRow[]>();
  const now = new Date();
  for (const row of rows) {
    const day = row.source ? `From ${programs[row.source]}` : dayOf(new Date(row.updatedAt), now);
    groups.set(day, [...(groups.get(day) ?? []), row]);
  }
  return [...groups];
}
