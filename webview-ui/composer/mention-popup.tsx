// Suggestions of files and folders for the "@" that is being typed: a listbox that the textbox steers.
import { useLayoutEffect, useRef } from 'preact/hooks';
import { type MentionSuggestion } from '../../src/shared/answers';
import { request } from '../host/vscode-api';
import { Icon } from '../parts/icon';
import { splitName } from '../tools/path-name';
import { type MentionQuery } from './mention';
import { SuggestionItem, type SuggestionListProps } from './suggestion-item';
import { type Suggestions, useSuggestions } from './suggestions';

const DEBOUNCE_MS = 60;

export const MENTION_LIST_ID = 'mention-list';

/** Nothing is open where it is undefined. */
export function useMentions(mention: MentionQuery | undefined): Suggestions<MentionSuggestion> {
  return useSuggestions(mention?.query, DEBOUNCE_MS, (typed) => request('mention', { query: typed }));
}

const icons = {
  file: 'file',
  folder: 'folder',
  resource: 'plug',
  agent: 'hubot',
  problems: 'warning',
  changes: 'git-commit',
  terminal: 'terminal',
  symbol: 'symbol-method',
  test: 'beaker',
} as const;

export function optionId(index: number): string {
  return `mention-${index}`;
}

export function MentionPopup({ items, active, setActive, fresh, onChoose }: SuggestionListProps<MentionSuggestion>) {
  const list = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => list.current?.children[active]?.scrollIntoView({ block: 'nearest' }), [active]);
  return (
    <ul
      class="popup mention-popup"
      role="listbox"
      id={MENTION_LIST_ID}
      aria-label="Files and folders"
      aria-busy={!fresh}
      ref={list}
    >
      {items.map((item, index) => {
        const { name, folder } =
          item.detail === undefined ? splitName(item.path) : { name: item.path, folder: item.detail };
        return (
          <SuggestionItem
            key={item.path}
            id={optionId(index)}
            active={index === active}
            title={item.path}
            onHover={() => setActive(index)}
            onChoose={() => onChoose(item)}
          >
            <Icon name={icons[item.kind]} />
            <span class="popup-name">{name}</span>
            <span class="popup-detail">{folder}</span>
          </SuggestionItem>
        );
      })}
    </ul>
  );
}
