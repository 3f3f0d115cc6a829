// The button on a message of the person's that goes back to it: the conversation, the code, or both.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RewindWhat } from '../../src/shared/protocol';
import { post } from '../host/vscode-api';
import { IconButton } from '../parts/button';
import { Icon } from '../parts/icon';
import { usePopupMenu } from '../parts/popup-menu';

const choices: readonly { what: RewindWhat; icon: string; label: string; explanation: string }[] = [
  { what: 'fork', icon: 'repo-forked', label: 'Fork conversation from here', explanation: 'A new session with all before this message' },
  { what: 'code', icon: 'discard', label: 'Rewind code to here', explanation: 'Files as they were before this message; shown first' },
  { what: 'both', icon: 'history', label: 'Fork and rewind', explanation: 'Both of it' },
];

export function RewindMenu({ id }: { id: string }) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <div class={open ? 'menu-anchor rewind rewind-open' : 'menu-anchor rewind'}>
      <IconButton icon="discard" label="Rewind…" buttonRef={button} onClick={() => setOpen(!open)} />
      {open && <Menu id={id} onClose={close} onLeave={() => setOpen(false)} />}
    </div>
  );
}

function Menu({ id, onClose, onLeave }: { id: string; onClose: () => void; onLeave: () => void }) {
  const { menu, entries, onKeyDown } = usePopupMenu(onClose, onLeave);
  useLayoutEffect(() => entries()[0]?.focus(), []);
  return (
    <div class="popup menu" role="menu" aria-label="Rewind" ref={menu} onKeyDown={onKeyDown}>
      {choices.map(({ what, icon, label, explanation }) => (
        <button
          type="button"
          key={what}
          class="menu-item"
          role="menuitem"
          tabIndex={-1}
          onClick={() => {
            post({ type: 'rewind', id, what });
            onClose();
          }}
        >
          <Icon name={icon} />
          <span class="menu-text">
            <span>{label}</span>
            <span class="menu-detail">{explanation}</span>
          </span>
        </button>
      ))}
    </div>
  );
}
