// The "/" menu: commands for what is being typed, in groups; a listbox that the textbox steers.
import { Fragment } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { SlashCommand } from '../../src/shared/protocol';
import { post } from '../host/vscode-api';
import { Hidden } from '../parts/disclosure';
import { received } from '../state/chat';

const DEBOUNCE_MS = 40;

export const SLASH_LIST_ID = 'slash-list';

export interface SlashMenu {
  items: readonly SlashCommand[];
  active: number;
  setActive: (index: number) => void;
  /** They are for what stands there now: a key may choose one. */
  fresh: boolean;
}

/** Asks the host while a name is typed; nothing is open where it is undefined. */
export function useSlash(query: string | undefined): SlashMenu {
  const [found, setFound] = useState<{ query?: string; items: readonly SlashCommand[] }>({ items: [] });
  const [active, setActive] = useState(0);
  const requestId = useRef(0);
  const asked = useRef('');

  useEffect(() => {
    // What was found for less no longer fits.
    requestId.current++;
    if (query === undefined) {
      setFound({ items: [] });
      return undefined;
    }
    asked.current = query;
    const timer = setTimeout(() => post({ type: 'slash', requestId: requestId.current, query }), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [query]);

  useEffect(
    () =>
      received.listen((message) => {
        if (message.type !== 'slashCommands' || message.requestId !== requestId.current) return;
        setFound({ query: asked.current, items: message.items });
        setActive(0);
      }),
    [],
  );

  const items = query === undefined ? [] : found.items;
  return { items, active: Math.min(active, Math.max(0, items.length - 1)), setActive, fresh: found.query === query };
}

export function slashOptionId(index: number): string {
  return `slash-${index}`;
}

export interface SlashPopupProps extends Omit<SlashMenu, 'fresh'> {
  onChoose: (item: SlashCommand) => void;
}

export function SlashPopup({ items, active, setActive, onChoose }: SlashPopupProps) {
  const list = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' }), [active, items]);
  return (
    // It scrolls, so it can be focused; a click on a heading leaves the focus where it is.
    <ul class="popup slash-popup" role="listbox" id={SLASH_LIST_ID} aria-label="Commands" tabIndex={0} ref={list} onMouseDown={(event) => event.preventDefault()}>
      {items.map((item, index) => (
        <Fragment key={item.name}>
          {item.group !== items[index - 1]?.group && (
            <li class="popup-group" role="presentation" aria-hidden="true">
              {item.group}
            </li>
          )}
          <li
            id={slashOptionId(index)}
            role="option"
            aria-selected={index === active}
            class={index === active ? 'popup-item slash-item active' : 'popup-item slash-item'}
            title={item.description}
            onMouseMove={() => setActive(index)}
            onMouseDown={(event) => {
              event.preventDefault();
              onChoose(item);
            }}
          >
            <span class="popup-name">/{item.name}</span>
            {item.argumentHint !== undefined && <span class="slash-hint">{item.argumentHint}</span>}
            <span class="popup-detail">{item.description}</span>
            <Hidden>{`, ${item.group}`}</Hidden>
          </li>
        </Fragment>
      ))}
    </ul>
  );
}
