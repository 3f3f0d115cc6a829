// The webview's state equals the fold of the same events by reduceChat.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { emptyChat, type ChatEvent, type ChatItem, type ChatState } from '../../../src/shared/chat';
import { reduceChat } from '../../../src/shared/reduce-chat';
import { chatStateOf, ChatStore } from '../../../webview-ui/state/chat-store';
import { type PlacedRow } from '../../../webview-ui/state/row-list';
import { foldable, idsOf, turnRows } from '../../../webview-ui/state/turn-rows';

const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g');
const word = fc.constantFrom('one', 'two ', '\n', '', '`three`');

const item: fc.Arbitrary<ChatItem> = fc.oneof(
  fc.record({
    kind: fc.constant('user' as const),
    id,
    text: word,
    attachments: fc.constant<string[]>([]),
    images: fc.constant(0),
    steering: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('text' as const), id, text: word, streaming: fc.boolean() }),
  fc.record({ kind: fc.constant('thinking' as const), id, text: word, streaming: fc.boolean() }),
  fc.record({
    kind: fc.constant('tool' as const),
    id,
    name: word,
    sentence: fc.constant({ now: 'Reading', past: 'Read' }),
    state: fc.constantFrom('waiting' as const, 'running' as const, 'done' as const, 'failed' as const),
    readOnly: fc.boolean(),
    detail: word,
  }),
  fc.record({
    kind: fc.constant('notice' as const),
    id,
    level: fc.constant('info' as const),
    title: word,
    detail: word,
  }),
);

const event: fc.Arbitrary<ChatEvent> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant('item' as const), item }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('delta' as const), id, text: word }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('block_end' as const), id, durationMs: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('remove' as const), id }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('tool' as const),
      id,
      change: fc.record({ state: fc.constant('done' as const), detail: word }),
    }),
  },
  fc.record({ type: fc.constant('status' as const), status: fc.constantFrom('idle' as const, 'working' as const) }),
  fc.record({ type: fc.constant('title' as const), title: word }),
  fc.record({ type: fc.constant('queue' as const), queue: fc.array(fc.record({ id, text: word }), { maxLength: 2 }) }),
  fc.record({ type: fc.constant('mode' as const), mode: fc.constantFrom('default' as const, 'plan' as const) }),
);

const items = fc.uniqueArray(item, { selector: (each) => each.id, maxLength: 5 });

function stateWith(held: ChatItem[]): ChatState {
  return { ...emptyChat('session', 'default', 'model'), items: held };
}

const shown = ({ row, after, turn }: PlacedRow) => `${turn.index} ${row.key} ${idsOf(row).join()} ${after}`;

/** As if all turns were looked at for the first time. */
function rowsAnew(store: ChatStore): string[] {
  const look = (each: string) => {
    const held = store.item(each)?.peek();
    return held !== undefined && foldable(held);
  };
  const turns = store.turns.peek();
  return turns.flatMap((turn) =>
    turnRows(turn.ids, look, turn === turns.at(-1)).map((row, index, all) => {
      const above = all[index - 1];
      const kind = above?.type === 'item' ? store.item(above.id)?.peek().kind : 'tool';
      return shown({ row, turn, after: above && kind });
    }),
  );
}

describe('chat store', () => {
  it('equals the fold of the events, in whatever batches they come', () => {
    fc.assert(
      fc.property(items, fc.array(fc.array(event, { maxLength: 6 }), { maxLength: 6 }), (held, batches) => {
        const store = new ChatStore();
        store.load(stateWith(held));
        for (const batch of batches) store.apply(batch);
        assert.deepEqual(chatStateOf(store), batches.flat().reduce(reduceChat, stateWith(held)));
      }),
      { numRuns: 2_000 },
    );
  });

  it('starts a turn at each message of the user, and only there', () => {
    fc.assert(
      fc.property(items, fc.array(event, { maxLength: 20 }), (held, events) => {
        const store = new ChatStore();
        store.load(stateWith(held));
        store.apply(events);
        const turns = store.turns.peek();
        for (const [index, turn] of turns.entries()) {
          const kinds = turn.ids.map((each) => store.item(each)?.peek().kind);
          assert.ok(kinds.length > 0);
          assert.ok(!kinds.slice(1).includes('user'));
          if (index > 0) assert.equal(kinds[0], 'user');
          assert.equal(turn.index, index);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('puts older items first, and keeps the turn that they join', () => {
    const all: ChatItem[] = ['u1', 't1', 't2', 'u2', 't3'].map((each) =>
      each.startsWith('u')
        ? { kind: 'user', id: each, text: each, attachments: [], images: 0, steering: false }
        : { kind: 'text', id: each, text: each, streaming: false },
    );
    const store = new ChatStore();
    store.load({ ...stateWith(all.slice(2)), olderItems: 2 });
    const first = store.turns.peek()[0];
    store.prepend(all.slice(0, 3), 0);
    assert.deepEqual(chatStateOf(store), stateWith(all));
    assert.equal(store.turns.peek()[0], first);
    assert.deepEqual(first?.ids, ['u1', 't1', 't2']);
  });

  it('shows the rows that its turns have, however they came', () => {
    fc.assert(
      fc.property(items, fc.array(fc.array(event, { maxLength: 6 }), { maxLength: 8 }), (held, batches) => {
        const store = new ChatStore();
        store.load(stateWith(held));
        let known: string[] = store.rows.map(shown);
        store.takeChangedFrom();
        for (const batch of batches) {
          store.apply(batch);
          const from = store.takeChangedFrom();
          known = [...known.slice(0, from), ...store.rows.slice(from).map(shown)];
          assert.deepEqual(store.rows.map(shown), rowsAnew(store));
          assert.deepEqual(known, rowsAnew(store), 'what is said to have changed is all that has');
        }
      }),
      { numRuns: 2_000 },
    );
  });

  describe('where finished turns fold', () => {
    const user = (id: string, steering = false): ChatItem => ({
      ...{ kind: 'user', id, text: id, attachments: [], images: 0, steering },
    });
    const says = (id: string, streaming = false): ChatItem => ({ kind: 'text', id, text: id, streaming });
    const folding = (...held: ChatItem[]): ChatStore => {
      const store = new ChatStore();
      store.foldTurns(true);
      store.load(stateWith(held));
      return store;
    };
    const keys = (store: ChatStore) => store.rows.map(({ row }) => row.key).join(' ');

    it('shows each but the last as one row, until the user unfolds it', () => {
      const store = folding(user('u1'), says('t1'), user('u2'), says('t2'));
      assert.equal(keys(store), 'fold-u1 u2 t2');
      store.apply([{ type: 'item', item: user('u3') }]);
      assert.equal(keys(store), 'fold-u1 fold-u2 u3');
      store.unfoldTurn('u1', true);
      assert.equal(keys(store), 'fold-u1 u1 t1 fold-u2 u3');
      store.unfoldTurn('u1', false);
      assert.equal(keys(store), 'fold-u1 fold-u2 u3');
      store.foldTurns(false);
      assert.equal(keys(store), 'u1 t1 u2 t2 u3');
    });

    it('does not take a message to a turn at work for its end, nor what goes on for finished', () => {
      const store = folding(user('u1'), says('t1'), user('s1', true), says('t2', true));
      assert.equal(keys(store), 'u1 t1 s1 t2');
      store.apply([{ type: 'item', item: user('u2') }]);
      assert.equal(keys(store), 'fold-u1 s1 t2 u2', 't2 still streams');
    });

    it('leaves what has no beginning yet, and messages without an answer', () => {
      const store = folding(says('t1'), user('u2'), user('u3'), says('t3'));
      assert.equal(keys(store), 't1 u2 u3 t3');
    });

    it('says which rows have changed, whatever comes', () => {
      fc.assert(
        fc.property(items, fc.array(fc.array(event, { maxLength: 6 }), { maxLength: 8 }), (held, batches) => {
          const store = folding(...held);
          let known: string[] = store.rows.map(shown);
          store.takeChangedFrom();
          for (const batch of batches) {
            store.apply(batch);
            const from = store.takeChangedFrom();
            known = [...known.slice(0, from), ...store.rows.slice(from).map(shown)];
            assert.deepEqual(known, store.rows.map(shown));
            const ids = new Set(store.rows.flatMap(({ row }) => idsOf(row)));
            for (const { id } of chatStateOf(store).items) assert.ok(ids.has(id), `${id} is in no row`);
          }
        }),
        { numRuns: 1_000 },
      );
    });
  });

  it('looks at the end of a long turn alone when something is appended', () => {
    const store = new ChatStore();
    const look = (number: number, state: 'running' | 'done'): ChatItem => ({
      kind: 'tool',
      id: `c${number}`,
      name: 'Read',
      sentence: { now: 'Reading', past: 'Read' },
      state,
      readOnly: true,
      detail: '',
    });
    for (let number = 0; number < 3_000; number++) {
      const { length } = store.rows;
      store.takeChangedFrom();
      store.apply([
        ...(number % 7 === 0
          ? [{ type: 'item', item: { kind: 'text', id: `t${number}`, text: 'Next.', streaming: false } } as const]
          : []),
        { type: 'item', item: look(number, 'running') },
      ]);
      store.apply([{ type: 'tool', id: `c${number}`, change: { state: 'done' } }]);
      assert.ok(store.takeChangedFrom() >= length - 3, `${number}`);
    }
    assert.deepEqual(store.rows.map(shown), rowsAnew(store));
    store.apply([{ type: 'tool', id: 'c3', change: { state: 'failed' } }]);
    assert.deepEqual(store.rows.map(shown), rowsAnew(store), 'also where an early call changes late');
  });

  it('touches only the signal of the item that a delta is for', () => {
    const store = new ChatStore();
    store.load(
      stateWith([
        { kind: 'text', id: 'a', text: '', streaming: true },
        { kind: 'text', id: 'b', text: '', streaming: true },
      ]),
    );
    const other = store.item('a')?.peek();
    const turns = store.turns.peek();
    const ids = turns[0]?.ids;
    store.apply([
      { type: 'delta', id: 'b', text: 'x' },
      { type: 'delta', id: 'b', text: 'y' },
    ]);
    assert.equal(store.item('a')?.peek(), other);
    assert.equal(store.turns.peek(), turns);
    assert.equal(turns[0]?.ids, ids);
    assert.deepEqual(store.item('b')?.peek(), { kind: 'text', id: 'b', text: 'xy', streaming: true });
  });
});
