// The button that names the permission mode, and the menu that changes it.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { modeDescriptions, modeLabels } from '../../src/shared/mode-labels';
import { type PermissionMode, permissionModes } from '../../src/shared/permission';
import { post } from '../host/vscode-api';
import { Icon } from '../parts/icon';
import { usePopupMenu } from '../parts/popup-menu';
import { chat, received } from '../state/chat';
import { focusComposer } from '../state/draft';

const icons: Record<PermissionMode, string> = {
  default: 'shield',
  acceptEdits: 'edit',
  plan: 'list-ordered',
  auto: 'sparkle',
  dontAsk: 'circle-slash',
  bypassPermissions: 'warning',
};

export function ModeMenu() {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const current = chat.facts.value.mode;
  const label = modeLabels[current];
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
        title={`Mode: ${label}. ${modeDescriptions[current]}`}
        onClick={() => setOpen(!open)}
      >
        <Icon name={icons[current]} />
        <span class="pill-label">{label}</span>
        <Icon name="chevron-down" class="pill-arrow" />
      </button>
      {open && <Menu current={current} onClose={close} onLeave={() => setOpen(false)} />}
    </div>
  );
}

function Menu({ current, onClose, onLeave }: { current: PermissionMode; onClose: () => void; onLeave: () => void }) {
  const { menu, entries, onKeyDown } = usePopupMenu(onClose, onLeave);
  // The host names the modes that the user's settings offer; the present one is always shown.
  const offered = permissionModes.filter(
    (mode) => mode === current || received.surroundings.value.modes.includes(mode),
  );
  useLayoutEffect(() => entries()[offered.indexOf(current)]?.focus(), []);

  const choose = (mode: PermissionMode) => {
    post({ type: 'setMode', mode });
    onLeave();
    focusComposer();
  };

  return (
    <div class="popup menu" role="menu" aria-label="Mode" ref={menu} onKeyDown={onKeyDown}>
      {offered.map((mode) => (
        <button
          type="button"
          key={mode}
          class="menu-item"
          role="menuitemradio"
          aria-checked={mode === current}
          aria-label={modeLabels[mode]}
          aria-describedby={`mode-${mode}`}
          tabIndex={-1}
          title={modeDescriptions[mode]}
          onClick={() => choose(mode)}
        >
          <Icon name={icons[mode]} />
          <span class="menu-text">
            <span>{modeLabels[mode]}</span>
            <span class="menu-detail" id={`mode-${mode}`}>
              {modeDescriptions[mode]}
            </span>
          </span>
          <Icon name={mode === current ? 'check' : 'blank'} />
        </button>
      ))}
    </div>
  );
}
