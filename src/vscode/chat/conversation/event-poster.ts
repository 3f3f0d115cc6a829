// Keeps the chat's state and sends the webview what changed, at the pace at which it draws: coalesced events, a snapshot after a gap, older pages on request.
import { type ChatEvent, type ChatItem, type ChatState } from '../../../shared/chat';
import { type ChatSurroundings } from '../../../shared/surroundings';
import { type HostMessage } from '../../../shared/host-messages';
import { foldChat } from '../../../shared/reduce-chat';
import { lastChars } from '../../../shared/writing';

/** Within one or two frames; more often is work for nothing. */
const flushMs = 32;
/** A page that draws acknowledges sooner by far. One that does not gets the next message after this time, then after twice of it, and so on. */
const patienceMs = 2_000;
/** With more events on hold for a page that lags, a snapshot is less. */
const mostHeld = 1_000;
const mostHeldChars = 1_000_000;
/** Items of a page, and the characters that end it sooner. */
const pageItems = 80;
const pageChars = 300_000;

export interface PosterOptions {
  post: (message: HostMessage) => void;
  surroundings: () => ChatSurroundings;
  /** It works, waits or rests, from now on. */
  statusChanged?: () => void;
  schedule?: (callback: () => void, ms: number) => () => void;
}

export interface EventPoster {
  readonly state: ChatState;
  push(events: ChatEvent[]): void;
  /** Another session: the webview gets a snapshot. */
  reset(state: ChatState): void;
  /** The webview is there and knows nothing. */
  snapshot(): void;
  /** The webview has painted all before the event with this number. */
  drawn(epoch: number, seq: number): void;
  /** The page before the item with this id. */
  older(before: string): void;
  surroundingsChanged(): void;
  /** Nobody looks: nothing is sent until the next snapshot. */
  silence(): void;
  dispose(): void;
}

export function createEventPoster(initial: ChatState, options: PosterOptions): EventPoster {
  const { schedule = scheduleTimeout, post } = options;
  let fold = foldChat(initial);
  /** Not in the state yet. */
  let waiting: ChatEvent[] = [];
  let held = nothingHeld();
  let epoch = 0;
  let seq = 0;
  let live = false;
  let cancelTick: (() => void) | undefined;
  const drawing = new Drawing(schedule, () => drawn());
  let disposed = false;

  const take = (): void => {
    if (waiting.length === 0) return;
    const events = mergeEvents(waiting);
    waiting = [];
    fold.apply(events);
    if (live) hold(held, events);
    if (events.some(({ type }) => type === 'status')) options.statusChanged?.();
  };

  const send = (): void => {
    if (!live || held.events.length === 0) return;
    if (held.tooMuch) return snapshot();
    const { events } = held;
    held = nothingHeld();
    post({ type: 'events', epoch, from: seq, events });
    seq += events.length;
    drawing.begins();
  };

  const drawn = (): void => {
    drawing.ends();
    // What comes within this frame joins.
    if (cancelTick === undefined) send();
  };

  const tick = (): void => {
    cancelTick = undefined;
    take();
    if (!drawing.isAwaited) send();
  };

  const snapshot = (): void => {
    take();
    live = true;
    held = nothingHeld();
    epoch++;
    seq = 0;
    post({ type: 'snapshot', epoch, seq, state: lastPage(fold.state), surroundings: options.surroundings() });
    drawing.begins();
  };

  const silence = (): void => {
    live = false;
    held = nothingHeld();
    drawing.ends();
  };

  return {
    get state() {
      take();
      return fold.state;
    },
    push(events) {
      if (events.length === 0 || disposed) return;
      waiting.push(...events);
      cancelTick ??= schedule(tick, flushMs);
    },
    reset(next) {
      [waiting, held] = [[], nothingHeld()];
      fold = foldChat(next);
      if (live) snapshot();
    },
    snapshot,
    drawn(ofEpoch, ofSeq) {
      if (ofEpoch !== epoch || ofSeq < seq || !drawing.isAwaited) return;
      drawing.inTime();
      drawn();
    },
    older(before) {
      take();
      // Its items are as they are now: what changed them must not come after them.
      send();
      const page = pageBefore(fold.state.items, before);
      if (page !== undefined) post({ type: 'older', epoch, ...page });
    },
    surroundingsChanged() {
      if (live) post({ type: 'surroundings', surroundings: options.surroundings() });
    },
    silence,
    dispose() {
      silence();
      cancelTick?.();
      take();
      disposed = true;
    },
  };
}

/** The message on its way, until the page has drawn it: without a word, the next one waits twice as long each time. */
class Drawing {
  readonly #schedule: typeof scheduleTimeout;
  readonly #late: () => void;
  #cancel: (() => void) | undefined;
  #patience = patienceMs;

  constructor(schedule: typeof scheduleTimeout, late: () => void) {
    this.#schedule = schedule;
    this.#late = late;
  }

  get isAwaited(): boolean {
    return this.#cancel !== undefined;
  }

  begins(): void {
    this.#cancel?.();
    this.#cancel = this.#schedule(() => {
      this.#patience *= 2;
      this.#late();
    }, this.#patience);
  }

  ends(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  inTime(): void {
    this.#patience = patienceMs;
  }
}

function pageBefore(items: readonly ChatItem[], before: string): { items: ChatItem[]; olderItems: number } | undefined {
  const end = items.findIndex((item) => item.id === before);
  if (end <= 0) return undefined;
  const start = pageStart(items, end);
  return { items: items.slice(start, end), olderItems: start };
}

function lastPage(state: ChatState): ChatState {
  const start = pageStart(state.items, state.items.length);
  return { ...state, items: state.items.slice(start), olderItems: start };
}

/** In the state, but not sent yet. */
interface Held {
  events: ChatEvent[];
  chars: number;
  tooMuch: boolean;
}

function nothingHeld(): Held {
  return { events: [], chars: 0, tooMuch: false };
}

function hold(held: Held, events: readonly ChatEvent[]): void {
  // Enough to know that something is.
  if (held.tooMuch) return;
  for (const event of events) {
    if (event.type === 'delta' || event.type === 'sideText') held.chars += event.text.length;
    addEvent(held.events, event);
  }
  held.tooMuch = held.events.length > mostHeld || held.chars > mostHeldChars;
}

/** Neighbouring deltas of one block, and changes of one tool that follow each other, become one event. */
export function mergeEvents(events: readonly ChatEvent[]): ChatEvent[] {
  const merged: ChatEvent[] = [];
  for (const event of events) addEvent(merged, event);
  return merged;
}

function addEvent(merged: ChatEvent[], event: ChatEvent): void {
  const last = merged.at(-1);
  if (event.type === 'delta' && last?.type === 'delta' && last.id === event.id) {
    merged[merged.length - 1] = { ...last, text: last.text + event.text };
  } else if (event.type === 'writing' && last?.type === 'writing' && last.id === event.id && last.part === event.part) {
    merged[merged.length - 1] = { ...last, text: lastChars(last.text + event.text), lines: last.lines + event.lines };
  } else if (event.type === 'tool' && last?.type === 'tool' && last.id === event.id) {
    merged[merged.length - 1] = { ...last, change: { ...last.change, ...event.change } };
  } else {
    merged.push(event);
  }
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
