// The bar that finds words in the whole session: it floats over the conversation and moves nothing.
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { type HostMessage } from '../../src/shared/host-messages';
import { IconButton } from '../parts/button';
import { Icon } from '../parts/icon';
import {
  closeFind,
  countText,
  found,
  isOpen,
  markSeen,
  search,
  setField,
  setWords,
  toHit,
  underWay,
  words,
} from './find';

/** From the last key to the search. */
const TYPED_MS = 120;
/** The conversation grows: no more often than this it is searched again. */
const AGAIN_MS = 500;
/** It scrolls or is drawn anew: no more often than this it is marked again. */
const MARK_MS = 100;

export function FindBar() {
  return isOpen.value ? <Bar /> : null;
}

function Bar() {
  const field = useRef<HTMLInputElement>(null);
  const text = words.value;
  const none = (found.value?.length ?? 0) === 0;
  useLayoutEffect(() => {
    setField(field.current);
    field.current?.focus();
    field.current?.select();
    return () => setField(null);
  }, []);
  useEffect(() => {
    const timer = setTimeout(search, TYPED_MS);
    return () => clearTimeout(timer);
  }, [text]);
  useEffect(searchAgain, []);
  useEffect(markAgain, []);
  const count = countText();
  return (
    <div class="find" role="search" aria-label="Find in the conversation">
      <span class="find-field">
        <input
          class="input"
          type="text"
          aria-label="Find"
          placeholder="Find"
          maxLength={1_000}
          spellcheck={false}
          value={text}
          ref={field}
          onInput={(event) => setWords(event.currentTarget.value)}
        />
        {underWay.value && <Icon name="loading" spin />}
      </span>
      <span
        class={found.value !== undefined && none && count !== '' ? 'find-count find-none' : 'find-count'}
        role="status"
      >
        {count}
      </span>
      <span class="find-buttons">
        <IconButton
          icon="arrow-up"
          label="Previous match"
          title="Previous match (Shift+Enter)"
          disabled={none}
          onClick={() => toHit(-1)}
        />
        <IconButton
          icon="arrow-down"
          label="Next match"
          title="Next match (Enter)"
          disabled={none}
          onClick={() => toHit(1)}
        />
        <IconButton icon="close" label="Close" title="Close (Escape)" onClick={closeFind} />
      </span>
    </div>
  );
}

/** After what the host sent, at most a few times a second. */
function searchAgain(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const onMessage = ({ data }: MessageEvent<HostMessage>): void => {
    if (data.type !== 'snapshot' && !(data.type === 'events' && data.events.some(changesItems))) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      search();
    }, AGAIN_MS);
  };
  window.addEventListener('message', onMessage);
  return () => {
    clearTimeout(timer);
    window.removeEventListener('message', onMessage);
  };
}

function changesItems({ type }: Extract<HostMessage, { type: 'events' }>['events'][number]): boolean {
  return type === 'item' || type === 'delta' || type === 'remove' || type === 'tool' || type === 'block_end';
}

function markAgain(): (() => void) | undefined {
  const scroller = document.querySelector('.transcript');
  if (!scroller) return undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const later = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      markSeen();
    }, MARK_MS);
  };
  const changes = new MutationObserver(later);
  changes.observe(scroller, { childList: true, characterData: true, subtree: true });
  scroller.addEventListener('scroll', later, { passive: true });
  return () => {
    clearTimeout(timer);
    changes.disconnect();
    scroller.removeEventListener('scroll', later);
  };
}
