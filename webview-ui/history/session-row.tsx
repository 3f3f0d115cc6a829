// One session in the history: opens it, and has it renamed, forked, exported or deleted.
import type { RefObject, TargetedMouseEvent } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type SessionRow } from '../../src/shared/answers';
import { type SessionState, stateWords } from '../../src/shared/session-glance';
import { post, request } from '../host/vscode-api';
import { Button, IconButton } from '../parts/button';
import { Hidden } from '../parts/disclosure';
import { Icon } from '../parts/icon';
import { sizeText } from '../tools/tool-words';
import { programs } from './groups';
import { listAgain } from './listed';
import { type MenuEntry, type MenuPlace, SessionMenu } from './session-menu';
import { timeOf } from './session-time';

export interface SessionEntryProps {
  row: SessionRow;
  /** Its place among `count` of its group. */
  index: number;
  count: number;
  onOpen: (row: SessionRow) => void;
  /** The row is going away: the focus needs another place. */
  onGone: () => void;
}

export function SessionEntry({ row, index, count, onOpen, onGone }: SessionEntryProps) {
  const [state, setState] = useState<'shown' | 'asking' | 'renaming'>('shown');
  const [menu, setMenu] = useState<MenuPlace>();
  const button = useRef<HTMLButtonElement>(null);
  const title = row.title || 'Untitled session';
  const returns = useRef(false);
  const back = () => {
    returns.current = true;
    setState('shown');
  };
  useLayoutEffect(() => {
    if (!returns.current || state !== 'shown') return;
    returns.current = false;
    // Who has gone somewhere else meanwhile is not called back.
    if (document.activeElement === document.body) button.current?.focus();
  }, [state]);
  const position = { 'aria-setsize': count, 'aria-posinset': index + 1 };
  if (state === 'asking') {
    const remove = () => {
      void request('deleteSession', { sessionId: row.id }).then(listAgain);
      onGone();
    };
    return <ConfirmDelete title={title} onDelete={remove} onCancel={back} />;
  }
  if (state === 'renaming') {
    const rename = (name: string) => {
      if (name !== '' && name !== row.title)
        void request('renameSession', { sessionId: row.id, title: name }).then(listAgain);
      back();
    };
    return <Rename title={row.title} onDone={rename} onCancel={back} />;
  }
  if (row.source !== undefined)
    return <ExternalEntry row={row} title={title} source={row.source} position={position} onOpen={onOpen} />;
  const entries = [
    { label: 'Open', hint: 'Enter', run: () => onOpen(row) },
    { label: 'Rename…', hint: 'F2', run: () => setState('renaming') },
    { label: 'Fork', run: () => post({ type: 'forkSession', sessionId: row.id }) },
    { label: 'Export…', run: () => post({ type: 'exportSession', sessionId: row.id }) },
    { label: 'Delete…', hint: 'Delete', run: () => setState('asking') },
  ];
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Delete') setState('asking');
    else if (event.key === 'F2') setState('renaming');
    else return;
    event.preventDefault();
  };
  return (
    <li
      class={row.current ? 'session session-current' : 'session'}
      {...position}
      onContextMenu={(event) => setMenu(menuPlace(event))}
    >
      <button
        type="button"
        class="session-open"
        data-session={row.id}
        ref={button}
        aria-current={row.current ? 'true' : undefined}
        title={tooltipOf(row, title)}
        onClick={() => onOpen(row)}
        onKeyDown={onKeyDown}
      >
        <StateIcon state={row.state} />
        <span class="session-text">
          <span class="session-title">{title}</span>
          {row.line !== undefined && <span class="session-line">{row.line}</span>}
        </span>
        {row.facts !== undefined && <span class="session-facts">{row.facts}</span>}
        <span class="session-size">{sizeText(row.sizeBytes)}</span>
        <span class="session-time">{row.current ? 'open now' : timeOf(row.updatedAt)}</span>
      </button>
      <ActionsButton
        title={title}
        hint="Rename, fork, export, delete"
        row={button}
        open={menu !== undefined}
        onMenu={setMenu}
      />
      <IconButton icon="trash" label={`Delete ${title}`} title="Delete (Delete)" onClick={() => setState('asking')} />
      {menu && <RowMenu title={title} place={menu} entries={entries} row={button} onClose={() => setMenu(undefined)} />}
    </li>
  );
}

const stateIcons: Readonly<Record<Exclude<SessionState, 'idle'>, string>> = {
  waiting: 'bell-dot',
  working: 'sync',
  failed: 'error',
  finished: 'pass',
};

/** A session that rests has none. */
function StateIcon({ state }: { state: SessionState | undefined }) {
  if (state === undefined || state === 'idle') return null;
  return (
    <>
      <Icon name={stateIcons[state]} class={`session-state session-${state}`} />
      <Hidden>{`${stateWords[state]}: `}</Hidden>
    </>
  );
}

function tooltipOf({ state, said, facts, sizeBytes }: SessionRow, title: string): string {
  const lines = [
    title,
    state === undefined || state === 'idle' ? '' : stateWords[state],
    said ?? '',
    [facts ?? '', sizeText(sizeBytes)].filter((part) => part !== '').join(' · '),
    'Open (Enter), rename (F2), delete (Delete)',
  ];
  return lines.filter((line) => line !== '').join('\n');
}

/** Another program's: nothing of it can be changed here. */
function ExternalEntry({
  row,
  title,
  source,
  position,
  onOpen,
}: {
  row: SessionRow;
  title: string;
  source: keyof typeof programs;
  position: object;
  onOpen: (row: SessionRow) => void;
}) {
  const [menu, setMenu] = useState<MenuPlace>();
  const button = useRef<HTMLButtonElement>(null);
  const entries = [
    { label: 'Open', hint: 'Enter', run: () => onOpen(row) },
    { label: 'Export…', run: () => post({ type: 'exportSession', sessionId: row.id }) },
  ];
  return (
    <li
      class={row.current ? 'session session-current' : 'session'}
      {...position}
      onContextMenu={(event) => setMenu(menuPlace(event))}
    >
      <button
        type="button"
        class="session-open"
        data-session={row.id}
        ref={button}
        aria-current={row.current ? 'true' : undefined}
        title={`${title}. ${sizeText(row.sizeBytes)}. Open read-only (Enter)`}
        onClick={() => onOpen(row)}
      >
        <span class="session-text">
          <span class="session-title">{title}</span>
          {row.line !== undefined && <span class="session-line">{row.line}</span>}
        </span>
        <span class="session-badge">{programs[source]}</span>
        <span class="session-time">{row.current ? 'open now' : timeOf(row.updatedAt)}</span>
      </button>
      <ActionsButton title={title} hint="Open, export" row={button} open={menu !== undefined} onMenu={setMenu} />
      {menu && <RowMenu title={title} place={menu} entries={entries} row={button} onClose={() => setMenu(undefined)} />}
    </li>
  );
}

type RowButton = RefObject<HTMLButtonElement | null>;

/** Where a row's context menu opens. The keyboard's own menu key has no place of its own. */
function menuPlace(event: TargetedMouseEvent<HTMLLIElement>): MenuPlace {
  event.preventDefault();
  const { left, bottom } = event.currentTarget.getBoundingClientRect();
  return event.button === 2 ? { x: event.clientX, y: event.clientY } : { x: left + 8, y: bottom };
}

function ActionsButton({
  title,
  hint,
  row,
  open: isOpen,
  onMenu,
}: {
  title: string;
  hint: string;
  row: RowButton;
  open: boolean;
  onMenu: (place: MenuPlace) => void;
}) {
  const open = () => {
    const { right, bottom } = row.current?.getBoundingClientRect() ?? { right: 0, bottom: 0 };
    onMenu({ x: right, y: bottom });
  };
  return <IconButton icon="ellipsis" label={`Actions for ${title}`} title={hint} menuOpen={isOpen} onClick={open} />;
}

function RowMenu({
  title,
  place,
  entries,
  row,
  onClose,
}: {
  title: string;
  place: MenuPlace;
  entries: readonly MenuEntry[];
  row: RowButton;
  onClose: () => void;
}) {
  const close = (focus: boolean) => {
    onClose();
    if (focus) row.current?.focus();
  };
  return <SessionMenu label={`Actions for ${title}`} place={place} entries={entries} onClose={close} />;
}

function Rename({ title, onDone, onCancel }: { title: string; onDone: (title: string) => void; onCancel: () => void }) {
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, []);
  // The input loses the focus once more when it goes.
  const over = useRef(false);
  const end = (act: () => void) => {
    if (!over.current) act();
    over.current = true;
  };
  const done = (event: { currentTarget: HTMLInputElement }) => {
    const name = event.currentTarget.value.trim();
    end(() => onDone(name));
  };
  return (
    <li class="session">
      <input
        class="input session-rename"
        type="text"
        ref={input}
        aria-label="New name"
        maxLength={200}
        defaultValue={title}
        onBlur={done}
        onKeyDown={(event) => {
          if (event.isComposing) return;
          event.stopPropagation();
          if (event.key === 'Enter') done(event);
          else if (event.key === 'Escape') end(onCancel);
          else return;
          event.preventDefault();
        }}
      />
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
