// The chat as signals, one for each item: an event re-renders only what it changes, and costs the same in a session of any length. Equals the fold of reduceChat.
import { batch, signal, type Signal } from '@preact/signals';
import { emptyChat, type ChatEvent, type ChatItem, type ChatState } from '../../src/shared/chat';
import { reduceChat } from '../../src/shared/reduce-chat';
import { usedRetries } from '../../src/shared/used-retries';
import { RowList, type PlacedRow, type Turn } from './row-list';
import { type Fold, foldable } from './turn-rows';

/** Everything of the chat but its items. */
export type ChatFacts = Omit<ChatState, 'items'>;

const nothing = factsOf(emptyChat('', 'default', ''));

/** What the host's messages do to the chat. */
export interface ChatReceiver {
  load(state: ChatState): void;
  apply(events: readonly ChatEvent[]): void;
  /** Puts older items before the first one; those already there are skipped. */
  prepend(items: readonly ChatItem[], olderItems: number): void;
}

export class ChatStore implements ChatReceiver {
  readonly facts: Signal<ChatFacts> = signal(nothing);
  /** Changes when a turn comes or goes, not when one grows. */
  readonly turns: Signal<readonly Turn[]> = signal([]);
  /** Counts the changes of `rows`. */
  readonly rowsVersion: Signal<number> = signal(0);
  readonly #items = new Map<string, Signal<ChatItem>>();
  /** Those that still change by themselves: texts that stream, calls that wait or run. */
  readonly #alive = new Set<string>();
  readonly #list = new RowList({
    look: (id) => this.#isLook(id),
    kind: (id) => this.item(id)?.peek().kind,
    fold: (turn) => this.#foldOf(turn),
  });
  /** Finished turns fold to one line each. */
  #folds = false;
  /** By their first items. */
  readonly #unfolded = new Set<string>();
  #nextKey = 1;

  /** What the conversation shows, row by row: the same array at all times. */
  get rows(): readonly PlacedRow[] {
    return this.#list.rows;
  }

  get alive(): ReadonlySet<string> {
    return this.#alive;
  }

  /** The index from which rows are others than at the last call. */
  takeChangedFrom(): number {
    return this.#list.takeChangedFrom();
  }

  /** Undefined for an id that is not loaded. */
  item(id: string): Signal<ChatItem> | undefined {
    return this.#items.get(id);
  }

  /** Whether finished turns are shown as one line each. */
  foldTurns(folds: boolean): void {
    if (this.#folds === folds) return;
    this.#folds = folds;
    batch(() => this.#setTurns(this.turns.peek()));
  }

  /** The user wants to see the turn that begins with this item, or its line alone. */
  unfoldTurn(first: string, whole: boolean): void {
    if (whole) this.#unfolded.add(first);
    else this.#unfolded.delete(first);
    const turn = this.turns.peek().find(({ ids }) => ids[0] === first);
    if (turn === undefined) return;
    this.#list.turnChanged(turn, 0);
    this.rowsVersion.value++;
  }

  load(state: ChatState): void {
    batch(() => {
      if (state.sessionId !== this.facts.peek().sessionId) this.#unfolded.clear();
      this.#items.clear();
      this.#alive.clear();
      for (const item of state.items) this.#hold(item);
      this.#setTurns(this.#group(state.items));
      this.facts.value = factsOf(state);
    });
  }

  apply(events: readonly ChatEvent[]): void {
    batch(() => {
      for (const event of joinDeltas(events)) this.#applyOne(event);
    });
  }

  prepend(older: readonly ChatItem[], olderItems: number): void {
    batch(() => {
      const fresh = older.filter((item) => !this.#items.has(item.id));
      for (const item of fresh) this.#hold(item);
      const before = this.#group(fresh);
      const first = this.turns.peek()[0];
      const begins = first && this.item(first.ids[0] ?? '')?.peek().kind;
      const joining = begins !== undefined && begins !== 'user' ? before.pop() : undefined;
      if (first && joining) first.ids.unshift(...joining.ids);
      this.#setTurns([...before, ...this.turns.peek()]);
      this.facts.value = { ...this.facts.peek(), olderItems };
    });
  }

  #applyOne(event: ChatEvent): void {
    switch (event.type) {
      case 'item':
        return this.#put(event.item);
      case 'remove':
        return this.#remove(event.id);
      case 'delta':
      case 'block_end':
      case 'marks':
      case 'tool':
      case 'writing':
      case 'written': {
        const held = this.item(event.id);
        if (held) this.#change(held, reduceItem(held.peek(), event));
        return;
      }
      case 'status':
        this.#dropRetries(event);
        this.facts.value = { ...this.facts.peek(), status: event.status };
        return;
      default:
        this.facts.value = factsOf(reduceChat({ ...this.facts.peek(), items: [] }, event));
    }
  }

  #put(item: ChatItem): void {
    const held = this.item(item.id);
    if (held === undefined) {
      this.#dropRetries({ type: 'item', item });
      return this.#append(item);
    }
    const sameKind = held.peek().kind === item.kind;
    if (sameKind) return this.#change(held, item);
    held.value = item;
    this.#noteLife(item);
    this.#regroup();
  }

  #hold(item: ChatItem): void {
    this.#items.set(item.id, signal(item));
    this.#noteLife(item);
  }

  #noteLife(item: ChatItem): void {
    if (isAlive(item)) this.#alive.add(item.id);
    else this.#alive.delete(item.id);
  }

  /** Of the same kind as before. */
  #change(held: Signal<ChatItem>, item: ChatItem): void {
    const folds = foldable(held.peek());
    held.value = item;
    this.#noteLife(item);
    if (foldable(item) === folds) return;
    const turn = this.turns.peek().findLast(({ ids }) => ids.lastIndexOf(item.id) >= 0);
    if (turn === undefined) return;
    this.#list.turnChanged(turn, turn.ids.lastIndexOf(item.id));
    this.rowsVersion.value++;
  }

  #append(item: ChatItem): void {
    this.#hold(item);
    const current = this.turns.peek().at(-1);
    if (current === undefined || item.kind === 'user') {
      this.turns.value = [...this.turns.peek(), this.#newTurn([item.id])];
      this.#list.addTurn(this.turns.peek());
      this.#foldSteered();
    } else {
      current.ids.push(item.id);
      this.#list.turnChanged(current, current.ids.length - 1);
    }
    this.rowsVersion.value++;
  }

  /** What was said to a turn at work is part of it: with the message that ends it, all of it folds. */
  #foldSteered(): void {
    const turns = this.turns.peek();
    for (let at = turns.length - 2; at > 0 && this.#isSteering(turns[at]); at--) {
      const before = turns[at - 1];
      if (this.#folds && before) this.#list.turnChanged(before, 0);
    }
  }

  #isSteering(turn: Turn | undefined): boolean {
    const first = this.item(turn?.ids[0] ?? '')?.peek();
    return first?.kind === 'user' && first.steering;
  }

  /** The last turn stays as it is: what it says has just been said. */
  #foldOf(turn: Turn): Fold | undefined {
    const [first = ''] = turn.ids;
    if (!this.#folds || turn.ids.length < 2 || this.item(first)?.peek().kind !== 'user') return undefined;
    const turns = this.turns.peek();
    let next = turn.index + 1;
    while (next < turns.length && this.#isSteering(turns[next])) next++;
    if (next >= turns.length || turn.ids.some((id) => this.#alive.has(id))) return undefined;
    return this.#unfolded.has(first) ? 'unfolded' : 'folded';
  }

  #dropRetries(event: ChatEvent): void {
    for (const notice of usedRetries(event, this.#newestFirst())) {
      const held = this.item(notice.id);
      if (held) this.#change(held, notice);
    }
  }

  *#newestFirst(): Generator<ChatItem> {
    const turns = this.turns.peek();
    for (let turn = turns.length - 1; turn >= 0; turn--) {
      const ids = turns[turn]?.ids ?? [];
      for (let at = ids.length - 1; at >= 0; at--) {
        const held = this.item(ids[at] ?? '');
        if (held) yield held.peek();
      }
    }
  }

  #remove(id: string): void {
    const held = this.item(id);
    if (held === undefined) return;
    this.#items.delete(id);
    this.#alive.delete(id);
    const turn = this.turns.peek().findLast(({ ids }) => ids.lastIndexOf(id) >= 0);
    if (turn === undefined) return;
    const at = turn.ids.lastIndexOf(id);
    turn.ids.splice(at, 1);
    if (held.peek().kind === 'user' || turn.ids.length === 0) return this.#regroup();
    this.#list.turnChanged(turn, at);
    this.rowsVersion.value++;
  }

  #isLook(id: string): boolean {
    const item = this.item(id)?.peek();
    return item !== undefined && foldable(item);
  }

  #newTurn(ids: string[]): Turn {
    return { key: this.#nextKey++, ids, index: 0 };
  }

  #group(added: readonly ChatItem[]): Turn[] {
    const groups: { ids: string[] }[] = [];
    for (const item of added) {
      const current = groups.at(-1);
      if (current === undefined || item.kind === 'user') groups.push({ ids: [item.id] });
      else current.ids.push(item.id);
    }
    return groups.map(({ ids }) => this.#newTurn(ids));
  }

  #regroup(): void {
    this.#setTurns(this.#group(itemsOf(this)));
  }

  #setTurns(next: readonly Turn[]): void {
    this.turns.value = next;
    this.#list.setTurns(next);
    this.rowsVersion.value++;
  }
}

/** The whole state again, for comparison with the fold of the events. */
export function chatStateOf(store: ChatStore): ChatState {
  return { ...store.facts.peek(), items: itemsOf(store) };
}

function itemsOf(store: ChatStore): ChatItem[] {
  return store.turns.peek().flatMap((turn) => turn.ids.flatMap((id) => store.item(id)?.peek() ?? []));
}

function factsOf(state: ChatState): ChatFacts {
  const { items: _items, ...facts } = state;
  return facts;
}

function isAlive(item: ChatItem): boolean {
  if (item.kind === 'text' || item.kind === 'thinking') return item.streaming;
  if (item.kind === 'compaction') return item.state === 'running';
  return item.kind === 'tool' && (item.state === 'running' || item.state === 'waiting');
}

function reduceItem(item: ChatItem, event: ChatEvent): ChatItem {
  return reduceChat({ ...nothing, items: [item] }, event).items[0] ?? item;
}

/** Neighbouring deltas of one block become one, which saves a copy of the item for each. */
function joinDeltas(events: readonly ChatEvent[]): ChatEvent[] {
  const joined: ChatEvent[] = [];
  for (const event of events) {
    const last = joined.at(-1);
    if (event.type === 'delta' && last?.type === 'delta' && last.id === event.id) {
      joined[joined.length - 1] = { ...last, text: last.text + event.text };
    } else {
      joined.push(event);
    }
  }
  return joined;
}
