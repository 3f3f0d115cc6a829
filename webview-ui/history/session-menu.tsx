// What can be done with a session: the menu of its row.
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

export interface MenuEntry {
  label: string;
  hint?: string;
  run: () => void;
}

export interface MenuPlace {
  x: number;
  y: number;
}

export function SessionMenu({
  label,
  place,
  entries,
  onClose,
}: {
  label: string;
  place: MenuPlace;
  entries: readonly MenuEntry[];
  onClose: (focus: boolean) => void;
}) {
  const menu = useRef<HTMLDivElement>(null);
  const buttons = () => [...(menu.current?.querySelectorAll('button') ?? [])];
  useLayoutEffect(() => {
    const element = menu.current;
    if (element === null) return;
    // Inside the page, whatever its width.
    const { width, height } = element.getBoundingClientRect();
    element.style.left = `${Math.max(4, Math.min(place.x, window.innerWidth - width - 4))}px`;
    element.style.top = `${Math.max(4, Math.min(place.y, window.innerHeight - height - 4))}px`;
    buttons()[0]?.focus();
  }, []);
  useEffect(() => {
    const leave = () => onClose(false);
    const outside = (event: Event) => {
      if (event.target instanceof Node && !menu.current?.contains(event.target)) leave();
    };
    document.addEventListener('pointerdown', outside);
    document.addEventListener('scroll', leave, true);
    window.addEventListener('blur', leave);
    return () => {
      document.removeEventListener('pointerdown', outside);
      document.removeEventListener('scroll', leave, true);
      window.removeEventListener('blur', leave);
    };
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    const all = buttons();
    const at = all.findIndex((entry) => entry === document.activeElement);
    const target = { ArrowDown: at + 1, ArrowUp: at - 1 + all.length, Home: 0, End: all.length - 1 }[event.key];
    event.stopPropagation();
    if (target !== undefined) all[target % all.length]?.focus();
    else if (event.key === 'Escape' || event.key === 'Tab') onClose(true);
    else return;
    event.preventDefault();
  };
  return (
    <div class="popup session-menu" role="menu" aria-label={label} ref={menu} onKeyDown={onKeyDown}>
      {entries.map(({ label: name, hint, run }) => (
        <button
          type="button"
          key={name}
          class="menu-item"
          role="menuitem"
          tabIndex={-1}
          title={hint === undefined ? name : `${name} (${hint})`}
          onClick={() => {
            // The entry goes away; what it opens may take the focus from the row.
            onClose(true);
            run();
          }}
        >
          <span class="menu-text">{name}</span>
          {hint && (
            <span class="menu-detail" aria-hidden="true">
              {hint}
            </span>
          )}
        </button>
      ))}
    </div>
  );
}
