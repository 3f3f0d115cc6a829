// The button on a message of the user's that goes back to it: the conversation, the code, or both.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { headOf } from '../../src/shared/cut-text';
import type { RewindWhat } from '../../src/shared/protocol';
import { post } from '../host/vscode-api';
import { IconButton } from '../parts/button';
import { Icon } from '../parts/icon';
import { usePopupMenu } from '../parts/popup-menu';

const choices: readonly { what: RewindWhat; icon: string; label: string; explanation: string }[] = [
  {
    what: 'fork',
    icon: 'repo-forked',
    label: 'Edit and send from here',
    explanation: 'A new session with everything before this message, which you rewrite',
  },
  {
    what: 'code',
    icon: 'discard',
    label: 'Rewind code to here',
    explanation: 'Files as they were before this message, after a preview',
  },
  {
    what: 'both',
    icon: 'history',
    label: 'Edit from here and rewind code',
    explanation: 'A new session from this message, with files as they were before it',
  },
];

export function RewindMenu({ id, text }: { id: string; text: string }) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <div class={open ? 'menu-anchor rewind rewind-open' : 'menu-anchor rewind'}>
      <IconButton
        icon="discard"
        label={nameOf(text)}
        title="Rewind…"
        menuOpen={open}
        buttonRef={button}
        onClick={() => setOpen(!open)}
      />
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
          title={explanation}
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

/** Every message has the same button: the beginning of the message distinguishes them. */
function nameOf(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line === '') return 'Rewind to: a message without text';
  return `Rewind to: ${line.length > 60 ? `${headOf(line, 60)} …` : line}`;
}
