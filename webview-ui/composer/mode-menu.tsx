// The button that names the permission mode, and the menu that changes it.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type PermissionMode } from '../../src/shared/permission';
import { post } from '../host/vscode-api';
import { Icon } from '../parts/icon';
import { usePopupMenu } from '../parts/popup-menu';
import { chat, received } from '../state/chat';
import { focusComposer } from './draft';

const modes: readonly { mode: PermissionMode; label: string; icon: string; explanation: string }[] = [
  { mode: 'default', label: 'Manual', icon: 'shield', explanation: 'Asks before every edit and command' },
  { mode: 'acceptEdits', label: 'Accept edits', icon: 'edit', explanation: 'Edits files at once, for review afterwards; asks before commands' },
  { mode: 'plan', label: 'Plan', icon: 'list-ordered', explanation: 'Reads and plans; changes nothing' },
  { mode: 'auto', label: 'Auto', icon: 'sparkle', explanation: 'A small model checks what would be asked, and asks you where it cannot tell' },
  { mode: 'dontAsk', label: "Don't ask", icon: 'circle-slash', explanation: 'Denies what would be asked; only rules allow' },
  { mode: 'bypassPermissions', label: 'Bypass permissions', icon: 'warning', explanation: 'Never asks; for machines where nothing can be lost' },
];

export function ModeMenu() {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const current = chat.facts.value.mode;
  const entry = modes.find(({ mode }) => mode === current);
  const label = labelOf(current);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <div class="menu-anchor">
      <button
        type="button"
        class="pill"
        ref={button}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-label={`Mode: ${label}`}
        title={`Mode: ${label}. ${entry?.explanation ?? ''}`}
        onClick={() => setOpen(!open)}
      >
        <Icon name={entry?.icon ?? 'shield'} />
        <span class="pill-label">{label}</span>
        <Icon name="chevron-down" class="pill-arrow" />
      </button>
      {open && <Menu current={current} onClose={close} onLeave={() => setOpen(false)} />}
    </div>
  );
}

function Menu({ current, onClose, onLeave }: { current: PermissionMode; onClose: () => void; onLeave: () => void }) {
  const { menu, entries, onKeyDown } = usePopupMenu(onClose, onLeave);
  // The host names the modes that the person's settings offer; the present one is always shown.
  const offered = modes.filter(({ mode }) => mode === current || mode in received.surroundings.value.modeLabels);
  useLayoutEffect(() => entries()[offered.findIndex(({ mode }) => mode === current)]?.focus(), []);

  const choose = (mode: PermissionMode) => {
    post({ type: 'setMode', mode });
    onLeave();
    focusComposer();
  };

  return (
    <div class="popup menu" role="menu" aria-label="Mode" ref={menu} onKeyDown={onKeyDown}>
      {offered.map(({ mode, icon, explanation }) => (
        <button
          type="button"
          key={mode}
          class="menu-item"
          role="menuitemradio"
          aria-checked={mode === current}
          aria-label={labelOf(mode)}
          aria-describedby={`mode-${mode}`}
          tabIndex={-1}
          title={explanation}
          onClick={() => choose(mode)}
        >
          <Icon name={icon} />
          <span class="menu-text">
            <span>{labelOf(mode)}</span>
            <span class="menu-detail" id={`mode-${mode}`}>
              {explanation}
            </span>
          </span>
          <Icon name={mode === current ? 'check' : 'blank'} />
        </button>
      ))}
    </div>
  );
}

function labelOf(mode: PermissionMode): string {
  return received.surroundings.value.modeLabels[mode] ?? modes.find((entry) => entry.mode === mode)?.label ?? mode;
}
