// One suggestion in a listbox that the textbox steers: choosing it leaves the focus where it is.
import type { ComponentChildren } from 'preact';
import { type Suggestions } from './suggestions';

export interface SuggestionListProps<Item> extends Suggestions<Item> {
  onChoose: (item: Item) => void;
}

export interface SuggestionItemProps {
  id: string;
  class?: string;
  active: boolean;
  title: string;
  onHover: () => void;
  onChoose: () => void;
  children: ComponentChildren;
}

export function SuggestionItem({ id, class: kind, active, title, onHover, onChoose, children }: SuggestionItemProps) {
  const classes = ['popup-item', kind, active ? 'active' : undefined].filter((name) => name !== undefined).join(' ');
  return (
    <li
      id={id}
      role="option"
      aria-selected={active}
      class={classes}
      title={title}
      onMouseMove={onHover}
      onMouseDown={(event) => {
        event.preventDefault();
        onChoose();
      }}
    >
      {children}
    </li>
  );
}
