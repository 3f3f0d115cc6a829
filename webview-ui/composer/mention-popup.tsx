// Suggestions of files and folders for the "@" that is being typed: a listbox that the textbox steers.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { MentionSuggestion } from '../../src/shared/protocol';
import { post } from '../host/vscode-api';
import { Icon } from '../parts/icon';
import { received } from '../state/chat';
import { splitName } from '../tools/path-name';
import { type MentionQuery } from './mention';

const DEBOUNCE_MS = 60;

export const MENTION_LIST_ID = 'mention-list';

export interface Mentions {
  items: readonly MentionSuggestion[];
  active: number;
  setActive: (index: number) => void;
  /** They are for what stands there now: a key may choose one. */
  fresh: boolean;
}

/** Asks the host while a mention is typed; nothing is open where it is undefined. */
export function useMentions(mention: MentionQuery | undefined): Mentions {
  const [found, setFound] = useState<{ query?: string; items: readonly MentionSuggestion[] }>({ items: [] });
  const [active, setActive] = useState(0);
  const requestId = useRef(0);
  const asked = useRef('');
  const query = mention?.query;

  useEffect(() => {
    // What was found for less no longer fits.
    requestId.current++;
    if (query === undefined) {
      setFound({ items: [] });
      return undefined;
    }
    asked.current = query;
    const timer = setTimeout(() => post({ type: 'mention', requestId: requestId.current, query }), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [query]);

  useEffect(
    () =>
      received.listen((message) => {
        if (message.type !== 'mentions' || message.requestId !== requestId.current) return;
        setFound({ query: asked.current, items: message.items });
        setActive(0);
      }),
    [],
  );

  return { items: query === undefined ? [] : found.items, active, setActive, fresh: found.query === query };
}

const icons = { file: 'file', folder: 'folder', resource: 'plug', agent: 'hubot' } as const;

export function optionId(index: number): string {
  return `mention-${index}`;
}

export interface MentionPopupProps extends Omit<Mentions, 'fresh'> {
  onChoose: (item: MentionSuggestion) => void;
}

export function MentionPopup({ items, active, setActive, onChoose }: MentionPopupProps) {
  const list = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => list.current?.children[active]?.scrollIntoView({ block: 'nearest' }), [active]);
  return (
    <ul class="popup mention-popup" role="listbox" id={MENTION_LIST_ID} aria-label="Files and folders" ref={list}>
      {items.map((item, index) => {
        const { name, folder } = splitName(item.path);
        return (
          <li
            key={item.path}
            id={optionId(index)}
            role="option"
            aria-selected={index === active}
            class={index === active ? 'popup-item active' : 'popup-item'}
            title={item.path}
            onMouseMove={() => setActive(index)}
            onMouseDown={(event) => {
              event.preventDefault();
              onChoose(item);
            }}
          >
            <Icon name={icons[item.kind]} />
            <span class="popup-name">{name}</span>
            <span class="popup-detail">{folder}</span>
          </li>
        );
      })}
    </ul>
  );
}
