// The chat as signals, one for each item: an event re-renders only what it changes. Equals the fold of reduceChat.
import { batch, signal, type Signal } from '@preact/signals';
import { emptyChat, type ChatEvent, type ChatItem, type ChatState } from '../../src/shared/chat';
import { reduceChat } from '../../src/shared/reduce-chat';

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

export interface ChatStore {
  facts: Signal<ChatFacts>;
  turns: Signal<readonly Turn[]>;
  /** Undefined for an id that is not loaded. */
  item(id: string): Signal<ChatItem> | undefined;
  load(state: ChatState): void;
  apply(events: readonly ChatEvent[]): void;
  /** Puts older items before the first one; those already there are skipped. */
  prepend(items: readonly ChatItem[], olderItems: number): void;
}

export function createChatStore(): ChatStore {
  const facts = signal<ChatFacts>(factsOf(emptyChat('', 'default', '')));
  const turns = signal<readonly Turn[]>([]);
  const items = new Map<string, Signal<ChatItem>>();
  let nextKey = 1;

  const newTurn = (ids: readonly string[]): Turn => ({ key: nextKey++, ids: signal(ids), last: signal(false) });

  function group(added: readonly ChatItem[]): Turn[] {
    const groups: { ids: string[] }[] = [];
    for (const item of added) {
      const current = groups.at(-1);
      if (current === undefined || item.kind === 'user') groups.push({ ids: [item.id] });
      else current.ids.push(item.id);
    }
    return groups.map(({ ids }) => newTurn(ids));
  }

  function setTurns(next: readonly Turn[]): void {
    turns.value = next;
    for (const turn of next) turn.last.value = turn === next.at(-1);
  }

  function append(item: ChatItem): void {
    items.set(item.id, signal(item));
    const current = turns.peek().at(-1);
    if (current === undefined || item.kind === 'user') {
      if (current) current.last.value = false;
      const turn = newTurn([item.id]);
      turn.last.value = true;
      turns.value = [...turns.peek(), turn];
    } else {
      current.ids.value = [...current.ids.peek(), item.id];
    }
  }

  function regroup(): void {
    setTurns(group(itemsOf(turns.peek(), items)));
  }

  function put(item: ChatItem): void {
    const held = items.get(item.id);
    if (held === undefined) return append(item);
    const sameKind = held.peek().kind === item.kind;
    held.value = item;
    if (!sameKind) regroup();
  }

  function remove(id: string): void {
    const held = items.get(id);
    if (held === undefined) return;
    items.delete(id);
    const turn = turns.peek().findLast((candidate) => candidate.ids.peek().includes(id));
    if (turn === undefined) return;
    if (held.peek().kind === 'user' || turn.ids.peek().length === 1) {
      for (const each of turns.peek()) each.ids.value = each.ids.peek().filter((other) => other !== id);
      regroup();
    } else {
      turn.ids.value = turn.ids.peek().filter((other) => other !== id);
    }
  }

  function applyOne(event: ChatEvent): void {
    switch (event.type) {
      case 'item':
        return put(event.item);
      case 'remove':
        return remove(event.id);
      case 'delta':
      case 'block_end':
      case 'tool':
      case 'writing':
      case 'written': {
        const held = items.get(event.id);
        if (held) held.value = reduceItem(held.peek(), event);
        return;
      }
      default:
        facts.value = factsOf(reduceChat({ ...facts.peek(), items: [] }, event));
    }
  }

  return {
    facts,
    turns,
    item: (id) => items.get(id),
    load: (state) =>
      batch(() => {
        items.clear();
        for (const item of state.items) items.set(item.id, signal(item));
        setTurns(group(state.items));
        facts.value = factsOf(state);
      }),
    apply: (events) =>
      batch(() => {
        for (const event of joinDeltas(events)) applyOne(event);
      }),
    prepend: (older, olderItems) =>
      batch(() => {
        const fresh = older.filter((item) => !items.has(item.id));
        for (const item of fresh) items.set(item.id, signal(item));
        const before = group(fresh);
        const first = turns.peek()[0];
        const begins = first && items.get(first.ids.peek()[0] ?? '')?.peek().kind;
        const joining = begins !== undefined && begins !== 'user' ? before.pop() : undefined;
        if (first && joining) first.ids.value = [...joining.ids.peek(), ...first.ids.peek()];
        setTurns([...before, ...turns.peek()]);
        facts.value = { ...facts.peek(), olderItems };
      }),
  };
}

/** The whole state again, for comparison with the fold of the events. */
export function chatStateOf(store: ChatStore): ChatState {
  const items = store.turns.peek().flatMap((turn) => turn.ids.peek().flatMap((id) => store.item(id)?.peek() ?? []));
  return { ...store.facts.peek(), items };
}

function itemsOf(turns: readonly Turn[], items: ReadonlyMap<string, Signal<ChatItem>>): ChatItem[] {
  return turns.flatMap((turn) => turn.ids.peek().flatMap((id) => items.get(id)?.peek() ?? []));
}

function factsOf(state: ChatState): ChatFacts {
  const { items: _items, ...facts } = state;
  return facts;
}

const nothing = factsOf(emptyChat('', 'default', ''));

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
