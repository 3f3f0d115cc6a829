// The chat as signals, one for each item: an event re-renders only what it changes. Equals the fold of reduceChat.
import { batch, signal, type Signal } from '@preact/signals';
import { emptyChat, type ChatEvent, type ChatItem, type ChatState } from '../../src/shared/chat';
import { reduceChat } from '../../src/shared/reduce-chat';
import { usedRetries } from '../../src/shared/used-retries';

/** A user's message and everything that follows it, up to the next one. */
export interface Turn {
  /** Stable while the turn lives, also when older items join its beginning. */
  key: number;
  ids: Signal<readonly string[]>;
  /** The newest turn. */
  last: Signal<boolean>;
}

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
  readonly turns: Signal<readonly Turn[]> = signal([]);
  readonly #items = new Map<string, Signal<ChatItem>>();
  #nextKey = 1;

  /** Undefined for an id that is not loaded. */
  item(id: string): Signal<ChatItem> | undefined {
    return this.#items.get(id);
  }

  load(state: ChatState): void {
    batch(() => {
      this.#items.clear();
      for (const item of state.items) this.#items.set(item.id, signal(item));
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
      for (const item of fresh) this.#items.set(item.id, signal(item));
      const before = this.#group(fresh);
      const first = this.turns.peek()[0];
      const begins = first && this.item(first.ids.peek()[0] ?? '')?.peek().kind;
      const joining = begins !== undefined && begins !== 'user' ? before.pop() : undefined;
      if (first && joining) first.ids.value = [...joining.ids.peek(), ...first.ids.peek()];
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
      case 'tool':
      case 'writing':
      case 'written': {
        const held = this.item(event.id);
        if (held) held.value = reduceItem(held.peek(), event);
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
    held.value = item;
    if (!sameKind) this.#regroup();
  }

  #append(item: ChatItem): void {
    this.#items.set(item.id, signal(item));
    const current = this.turns.peek().at(-1);
    if (current === undefined || item.kind === 'user') {
      if (current) current.last.value = false;
      const turn = this.#newTurn([item.id]);
      turn.last.value = true;
      this.turns.value = [...this.turns.peek(), turn];
    } else {
      current.ids.value = [...current.ids.peek(), item.id];
    }
  }

  #dropRetries(event: ChatEvent): void {
    for (const notice of usedRetries(event, this.#newestFirst())) {
      const held = this.item(notice.id);
      if (held) held.value = notice;
    }
  }

  *#newestFirst(): Generator<ChatItem> {
    const turns = this.turns.peek();
    for (let turn = turns.length - 1; turn >= 0; turn--) {
      const ids = turns[turn]?.ids.peek() ?? [];
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
    const turn = this.turns.peek().findLast((candidate) => candidate.ids.peek().includes(id));
    if (turn === undefined) return;
    if (held.peek().kind === 'user' || turn.ids.peek().length === 1) {
      for (const each of this.turns.peek()) each.ids.value = each.ids.peek().filter((other) => other !== id);
      this.#regroup();
    } else {
      turn.ids.value = turn.ids.peek().filter((other) => other !== id);
    }
  }

  #newTurn(ids: readonly string[]): Turn {
    return { key: this.#nextKey++, ids: signal(ids), last: signal(false) };
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
    for (const turn of next) turn.last.value = turn === next.at(-1);
  }
}

/** The whole state again, for comparison with the fold of the events. */
export function chatStateOf(store: ChatStore): ChatState {
  return { ...store.facts.peek(), items: itemsOf(store) };
}

function itemsOf(store: ChatStore): ChatItem[] {
  return store.turns.peek().flatMap((turn) => turn.ids.peek().flatMap((id) => store.item(id)?.peek() ?? []));
}

function factsOf(state: ChatState): ChatFacts {
  const { items: _items, ...facts } = state;
  return facts;
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
