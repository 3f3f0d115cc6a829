// A line that opens and closes what is below it.
import { type ComponentChildren } from 'preact';
import { keepRowState, useRowState } from '../state/row-state';
import { Icon } from './icon';

/**
 * Open or closed, by the user's choice once they made one. Until then something may open itself, but nothing closes
 * itself: cards keep their height. `name` is of its own among all that opens.
 */
export function useDisclosure(name: string, openNow: boolean): [boolean, () => void] {
  const [chosen, choose] = useRowState<boolean | undefined>(`chosen ${name}`, undefined);
  const [wasOpen, setWasOpen] = useRowState(`open ${name}`, openNow);
  if (openNow) {
    keepRowState(`open ${name}`, true);
    if (!wasOpen) setWasOpen(true);
  }
  const open = chosen ?? (openNow || wasOpen);
  return [open, () => choose(!open)];
}

export interface TwistieProps {
  open: boolean;
  onToggle: () => void;
  /** What is opened, for screen readers. */
  label: string;
  controls: string;
}

export function Twistie({ open, onToggle, label, controls }: TwistieProps) {
  return (
    <button
      type="button"
      class="twistie"
      aria-expanded={open}
      aria-controls={open ? controls : undefined}
      aria-label={label}
      title={open ? 'Close (Enter)' : 'Open (Enter)'}
      onClick={onToggle}
    >
      <Icon name={open ? 'chevron-down' : 'chevron-right'} />
    </button>
  );
}

/** Read by screen readers only. */
export function Hidden({ children }: { children: ComponentChildren }) {
  return <span class="visually-hidden">{children}</span>;
}
