// The "/" menu: commands for what is being typed, in groups; a listbox that the textbox steers.
import { Fragment } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { type SlashCommand } from '../../src/shared/answers';
import { request } from '../host/vscode-api';
import { Hidden } from '../parts/disclosure';
import { SuggestionItem, type SuggestionListProps } from './suggestion-item';
import { type Suggestions, useSuggestions } from './suggestions';

const DEBOUNCE_MS = 40;

export const SLASH_LIST_ID = 'slash-list';

/** Nothing is open where it is undefined. */
export function useSlash(query: string | undefined): Suggestions<SlashCommand> {
  return useSuggestions(query, DEBOUNCE_MS, (typed) => request('slash', { query: typed }));
}

export function slashOptionId(index: number): string {
  return `slash-${index}`;
}

export function SlashPopup({ items, active, setActive, fresh, onChoose }: SuggestionListProps<SlashCommand>) {
  const list = useRef<HTMLUListElement>(null);
  useLayoutEffect(
    () => list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' }),
    [active, items],
  );
  return (
    // It scrolls, so it can be focused; a click on a heading leaves the focus where it is.
    <ul
      class="popup slash-popup"
      role="listbox"
      id={SLASH_LIST_ID}
      aria-label="Commands"
      aria-busy={!fresh}
      tabIndex={0}
      ref={list}
      onMouseDown={(event) => event.preventDefault()}
    >
      {items.map((item, index) => (
        <Fragment key={item.name}>
          {item.group !== items[index - 1]?.group && (
            <li class="popup-group" role="presentation" aria-hidden="true">
              {item.group}
            </li>
          )}
          <SuggestionItem
            id={slashOptionId(index)}
            class="slash-item"
            active={index === active}
            title={item.description}
            onHover={() => setActive(index)}
            onChoose={() => onChoose(item)}
          >
            <span class="popup-name">/{item.name}</span>
            {item.argumentHint !== undefined && <span class="slash-hint">{item.argumentHint}</span>}
            <span class="popup-detail">{item.description}</span>
            <Hidden>{`, ${item.group}`}</Hidden>
          </SuggestionItem>
        </Fragment>
      ))}
    </ul>
  );
}
