// Keeps the chat's state and sends the webview what changed: coalesced events, a snapshot after a gap, older pages on request.
import { type ChatEvent, type ChatItem, type ChatState } from '../../../shared/chat';
import { type ChatSurroundings } from '../../../shared/surroundings';
import { type HostMessage } from '../../../shared/host-messages';
import { reduceEvents } from '../../../shared/reduce-chat';
import { lastChars } from '../../../shared/writing';

/** Within one or two frames; more often is work for nothing. */
const flushMs = 32;
/** Items of a page, and the characters that end it sooner. */
const pageItems = 80;
const pageChars = 300_000;

export interface PosterOptions {
  post: (message: HostMessage) => void;
  surroundings: () => ChatSurroundings;
  schedule?: (callback: () => void, ms: number) => () => void;
}

export interface EventPoster {
  readonly state: ChatState;
  push(events: ChatEvent[]): void;
  /** Another session: the webview gets a snapshot. */
  reset(state: ChatState): void;
  /** The webview is there and knows nothing. */
  snapshot(): void;
  /** The page before the item with this id. */
  older(before: string): void;
  surroundingsChanged(): void;
  /** Nobody looks: nothing is sent until the next snapshot. */
  silence(): void;
  dispose(): void;
}

export function createEventPoster(initial: ChatState, options: PosterOptions): EventPoster {
  const schedule = options.schedule ?? scheduleTimeout;
  let state = initial;
  let waiting: ChatEvent[] = [];
  let epoch = 0;
  let seq = 0;
  let live = false;
  let cancel: (() => void) | undefined;
  let disposed = false;

  const flush = (): void => {
    cancel?.();
    cancel = undefined;
    if (waiting.length === 0) return;
    const events = mergeEvents(waiting);
    waiting = [];
    state = reduceEvents(state, events);
    if (!live) return;
    options.post({ type: 'events', epoch, from: seq, events });
    seq += events.length;
  };

  const snapshot = (): void => {
    flush();
    live = true;
    epoch++;
    seq = 0;
    const start = pageStart(state.items, state.items.length);
    const page = { ...state, items: state.items.slice(start), olderItems: start };
    options.post({ type: 'snapshot', epoch, seq, state: page, surroundings: options.surroundings() });
  };

  return {
    get state() {
      flush();
      return state;
    },
    push(events) {
      if (events.length === 0 || disposed) return;
      waiting.push(...events);
      cancel ??= schedule(flush, flushMs);
    },
    reset(next) {
      waiting = [];
      state = next;
      if (live) snapshot();
    },
    snapshot,
    older(before) {
      flush();
      const end = state.items.findIndex((item) => item.id === before);
      if (end <= 0) return;
      const start = pageStart(state.items, end);
      options.post({ type: 'older', epoch, items: state.items.slice(start, end), olderItems: start });
    },
    surroundingsChanged() {
      if (live) options.post({ type: 'surroundings', surroundings: options.surroundings() });
    },
    silence() {
      live = false;
    },
    dispose() {
      live = false;
      flush();
      disposed = true;
    },
  };
}

/** Neighbouring deltas of one block, and changes of one tool that follow each other, become one event. */
export function mergeEvents(events: readonly ChatEvent[]): ChatEvent[] {
  const merged: ChatEvent[] = [];
  for (const event of events) {
    const last = merged.at(-1);
    if (event.type === 'delta' && last?.type === 'delta' && last.id === event.id) {
      merged[merged.length - 1] = { ...last, text: last.text + event.text };
    } else if (
      event.type === 'writing' &&
      last?.type === 'writing' &&
      last.id === event.id &&
      last.part === event.part
    ) {
      merged[merged.length - 1] = { ...last, text: lastChars(last.text + event.text), lines: last.lines + event.lines };
    } else if (event.type === 'tool' && last?.type === 'tool' && last.id === event.id) {
      merged[merged.length - 1] = { ...last, change: { ...last.change, ...event.change } };
    } else {
      merged.push(event);
    }
  }
  return merged;
}

/** Pages start at a user's message where one is near, so that no turn is torn. */
function pageStart(items: readonly ChatItem[], end: number): number {
  let chars = 0;
  let start = end;
  while (start > 0 && end - start < pageItems && chars < pageChars) {
    start--;
    chars += sizeOf(items[start]);
  }
  const turn = items.slice(start, end).findIndex((item) => item.kind === 'user');
  return turn > 0 && turn < (end - start) / 2 ? start + turn : start;
}

function sizeOf(item: ChatItem | undefined): number {
  if (item?.kind === 'text' || item?.kind === 'thinking' || item?.kind === 'user') return item.text.length + 100;
  return item?.kind === 'tool' && item.view !== undefined ? 2_000 : 300;
}

function scheduleTimeout(callback: () => void, ms: number): () => void {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
}
