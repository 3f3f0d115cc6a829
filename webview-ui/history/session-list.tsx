// The list of the history: groups of rows, of which only those in view are drawn; further pages come as the end draws near.
import { type ComponentChildren, type RefObject } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type SessionRow } from '../../src/shared/answers';
import {
  groupRows,
  headHeight,
  type Piece,
  piecesOf,
  placeOf,
  rowHeight,
  type RowPlace,
  type SessionGroup,
} from './groups';
import { SessionEntry } from './session-row';

export interface SessionListProps {
  rows: readonly SessionRow[];
  /** Rows that the host has; more of them are asked for with `onMore`. */
  total: number;
  onMore: () => void;
  onOpen: (row: SessionRow) => void;
  /** To the search. */
  onLeave: () => void;
  /** Stands ahead of the groups. */
  children?: ComponentChildren;
}

/** Rows ahead of the end at which the next page is asked for. */
const askAhead = 60;

export function SessionList({ rows, total, onMore, onOpen, onLeave, children }: SessionListProps) {
  const list = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLDivElement>(null);
  const { view, look } = useView(list, head);
  const [active, setActive] = useState<string>();
  const wanted = useRef<string | undefined>(undefined);
  /** Who renames a session, or is asked whether to delete it, is not to lose the row to another group. */
  const [held, setHeld] = useState<RowPlace>();
  const groups = useMemo(() => groupRows(rows, new Date(), held), [rows, held]);

  useLayoutEffect(() => {
    const end = view.ahead + groups.length * headHeight + rows.length * rowHeight;
    if (rows.length < total && end - view.top - view.height < askAhead * rowHeight) onMore();
  }, [rows, total, view]);
  // A row that is moved among others loses the focus.
  const focused = list.current?.contains(document.activeElement) === true ? document.activeElement : null;
  useLayoutEffect(() => {
    if (focused instanceof HTMLElement && document.activeElement === document.body) {
      if (focused.isConnected) focused.focus({ preventScroll: true });
      else (active === undefined ? undefined : rowOf(active))?.focus({ preventScroll: true });
      if (document.activeElement === document.body) onLeave();
    }
    if (wanted.current === undefined) return;
    rowOf(wanted.current)?.focus();
    wanted.current = undefined;
  });
  const rowOf = (id: string) => list.current?.querySelector<HTMLElement>(`[data-session="${CSS.escape(id)}"]`);
  // A row that becomes an input, or is a row again, loses the focus for a moment.
  const release = () =>
    requestAnimationFrame(() => {
      if (list.current?.contains(document.activeElement) !== true) setHeld(undefined);
    });

  const onKeyDown = (event: KeyboardEvent) => {
    const ids = [...(head.current?.querySelectorAll<HTMLElement>('[data-session]') ?? [])].map(
      (row) => row.dataset['session'] ?? '',
    );
    const all = [...ids, ...groups.flatMap((group) => group.rows.map(({ id }) => id))];
    const at = active === undefined ? -1 : all.indexOf(active);
    const page = Math.max(1, Math.floor(view.height / rowHeight) - 1);
    const next = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + page,
      PageUp: Math.max(0, at - page),
      Home: 0,
      End: all.length - 1,
    }[event.key];
    if (next === undefined || event.defaultPrevented) return;
    event.preventDefault();
    event.stopPropagation();
    if (next < 0) return onLeave();
    wanted.current = all[Math.min(next, all.length - 1)];
    setActive(wanted.current);
  };

  return (
    <div
      class="history-list"
      ref={list}
      onScroll={look}
      onKeyDown={onKeyDown}
      onFocusIn={(event: FocusEvent) => {
        const id =
          event.target instanceof Element
            ? event.target.closest('li')?.querySelector<HTMLElement>('[data-session]')?.dataset['session']
            : undefined;
        if (id === undefined) return;
        setActive(id);
        setHeld((before) => (before?.id === id ? before : placeOf(groups, id)));
      }}
      onFocusOut={release}
    >
      <div ref={head}>{children}</div>
      {groups.map((group, at) => {
        const top = view.ahead + at * headHeight + group.before * rowHeight - view.top;
        return (
          <Group
            key={group.name}
            {...{ group, onOpen }}
            pieces={piecesOf(group, top, view.height, active)}
            onGone={onLeave}
          />
        );
      })}
    </div>
  );
}

interface GroupProps {
  group: SessionGroup;
  /** Its rows that are in view, and the gaps between them. */
  pieces: readonly Piece[];
  onOpen: (row: SessionRow) => void;
  onGone: () => void;
}

function Group({ group, pieces, onOpen, onGone }: GroupProps) {
  return (
    <section aria-label={group.name}>
      <h2 class="history-day">{group.name}</h2>
      <ul>
        {pieces.map((piece) =>
          'row' in piece ? (
            <SessionEntry
              key={piece.row.id}
              row={piece.row}
              index={piece.index}
              count={group.rows.length}
              onOpen={onOpen}
              onGone={onGone}
            />
          ) : (
            <li key={`gap ${piece.index}`} role="presentation" style={{ height: `${piece.gap}px` }} />
          ),
        )}
      </ul>
    </section>
  );
}

/** What of the list is in view, and the height of what is ahead of the groups; `look` measures again. */
function useView(list: RefObject<HTMLElement | null>, head: RefObject<HTMLElement | null>) {
  const [view, setView] = useState({ top: 0, height: 0, ahead: 0 });
  const look = () => {
    const element = list.current;
    if (element === null) return;
    const now = { top: element.scrollTop, height: element.clientHeight, ahead: head.current?.offsetHeight ?? 0 };
    setView((before) =>
      before.top === now.top && before.height === now.height && before.ahead === now.ahead ? before : now,
    );
  };
  useLayoutEffect(look);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(look);
    if (list.current !== null) observer.observe(list.current);
    return () => observer.disconnect();
  }, []);
  return { view, look };
}
