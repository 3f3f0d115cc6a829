// Which rows are mounted, for any heights and any way through them: what is seen is there, what is far is not, and nothing jumps.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { emptyChat, type ChatItem } from '../../../src/shared/chat';
import { ChatStore } from '../../../webview-ui/state/chat-store';
import { Heights } from '../../../webview-ui/transcript/heights';
import { MountedRows } from '../../../webview-ui/transcript/mounted-rows';
import { mountedSpans, spanAround, type Span } from '../../../webview-ui/transcript/window';

const heights = fc.array(fc.integer({ min: 24, max: 900 }), { maxLength: 300, size: 'max' });

function heightsOf(values: readonly number[]): Heights {
  const sums = new Heights();
  for (const value of values) sums.push(value);
  return sums;
}

describe('heights of rows', () => {
  it('sum up as a plain list does, through any changes', () => {
    const change = fc.oneof(
      fc.record({ kind: fc.constant('push' as const), value: fc.nat({ max: 500 }) }),
      fc.record({ kind: fc.constant('set' as const), at: fc.nat({ max: 40 }), value: fc.nat({ max: 500 }) }),
      fc.record({ kind: fc.constant('cut' as const), at: fc.nat({ max: 40 }) }),
    );
    fc.assert(
      fc.property(heights, fc.array(change, { maxLength: 60 }), fc.nat({ max: 20_000 }), (values, changes, y) => {
        const sums = heightsOf(values);
        const plain = [...values];
        for (const one of changes) {
          if (one.kind === 'push') {
            sums.push(one.value);
            plain.push(one.value);
          } else if (one.kind === 'cut') {
            sums.cut(one.at);
            plain.length = Math.min(plain.length, one.at);
          } else {
            sums.set(one.at, one.value);
            if (one.at < plain.length) plain[one.at] = one.value;
          }
        }
        let above = 0;
        plain.forEach((value, index) => {
          assert.equal(sums.before(index), above);
          assert.equal(sums.of(index), value);
          above += value;
        });
        assert.deepEqual([sums.length, sums.total], [plain.length, above]);
        const at = sums.at(y);
        if (plain.length > 0) {
          assert.ok(sums.before(at) <= y || at === 0);
          assert.ok(y < sums.before(at + 1) || at === plain.length - 1);
        }
      }),
      { numRuns: 500 },
    );
  });
});

/** What is in the view, to the pixel. */
function seen(sums: Heights, top: number, height: number): number[] {
  return Array.from({ length: sums.length }, (_, index) => index).filter(
    (index) => sums.before(index + 1) > top && sums.before(index) < top + height,
  );
}

describe('the window on the rows', () => {
  it('holds what is seen and bounded more, wherever the view goes', () => {
    fc.assert(
      fc.property(heights, fc.array(fc.nat(), { minLength: 1, maxLength: 30 }), (values, places) => {
        const sums = heightsOf(values);
        const height = 700;
        let around: Span | undefined;
        for (const place of places) {
          const top = place % Math.max(1, sums.total);
          around = spanAround(sums, { top, height }, around);
          for (const index of seen(sums, top, height))
            assert.ok(index >= around.from && index < around.to, `row ${index} is seen`);
          // A row at each edge reaches in.
          const mounted = sums.before(around.to - 1) - sums.before(around.from + 1);
          assert.ok(mounted <= height + 2 * 1_000, `${mounted} pixels`);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('keeps what must be there, in spans that do not touch', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 300 }),
        fc.array(fc.integer({ min: -5, max: 320 }), { maxLength: 20 }),
        fc.nat({ max: 300 }),
        fc.nat({ max: 60 }),
        (length, kept, from, count) => {
          const around = { from: Math.min(from, length), to: Math.min(from + count, length) };
          const spans = mountedSpans(length, around, kept);
          const has = (index: number): boolean => spans.some((span) => index >= span.from && index < span.to);
          for (const index of kept) assert.equal(has(index) || index < 0 || index >= length, true);
          for (let index = around.from; index < around.to; index++) assert.ok(has(index));
          spans.forEach(({ from: begin, to }, index) => {
            assert.ok(begin < to && begin >= 0 && to <= length);
            assert.ok(index === 0 || begin > (spans[index - 1]?.to ?? 0));
          });
          assert.ok(spans.reduce((sum, span) => sum + span.to - span.from, 0) <= count + 24 * 7);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

const text = (id: string): ChatItem => ({ kind: 'text', id, text: 'Some words.', streaming: false });
const user = (id: string): ChatItem => ({
  kind: 'user',
  id,
  text: 'Go on.',
  attachments: [],
  images: 0,
  steering: false,
});
const nothing = { ids: [], keys: [] };

/** A row that is drawn in the view, and how far its top is below that of the view. */
interface Seen {
  readonly key: string;
  readonly offset: number;
}

/** A page whose rows have these heights: what a browser does with what is mounted. */
function page(store: ChatStore, heightOf: (key: string) => number) {
  const mounted = new MountedRows(store);
  const height = 600;
  let top = 0;
  const keys = (): string[] =>
    mounted.spans.flatMap(({ from, to }) => store.rows.slice(from, to).map(({ row }) => row.key));
  const offsetOf = (key: string): number =>
    mounted.heights.before(store.rows.findIndex(({ row }) => row.key === key)) - top;
  const end = (): number => Math.max(0, mounted.heights.total - height);
  /** As the browser does it: never beyond the ends. */
  const scrollTo = (to: number): void => {
    top = Math.max(0, Math.min(to, end()));
  };
  /** The first row that is drawn in the view; none where the view is in a gap. */
  const held = (): Seen | undefined => {
    const drawn = new Set(keys());
    return seen(mounted.heights, top, height)
      .map((index) => store.rows[index]?.row.key ?? '')
      .filter((key) => drawn.has(key))
      .map((key) => ({ key, offset: offsetOf(key) }))[0];
  };
  /** Measures what has come, until no more has to; what is looked at is held, as the page does it. */
  const settle = (before: Seen | undefined, place: () => number): void => {
    for (let round = 0; round < 50; round++) {
      for (const key of keys()) mounted.measured(key, heightOf(key));
      scrollTo(before ? top + offsetOf(before.key) - before.offset : place());
      mounted.look({ top, height }, 400);
      if (!mounted.decide(nothing)) return stays(before);
    }
    assert.fail('It does not come to rest.');
  };
  /** Only an end of the conversation that comes into the view may move it. */
  const stays = (before: Seen | undefined): void => {
    if (!before) return;
    const moved = offsetOf(before.key) - before.offset;
    assert.ok(moved === 0 || (moved > 0 && top === end()) || (moved < 0 && top === 0), `it jumped by ${moved}`);
  };
  return {
    mounted,
    top: () => top,
    keys,
    seen: () => seen(mounted.heights, top, height).map((index) => store.rows[index]?.row.key ?? ''),
    /** The page is drawn anew with what came; the reader is at its end, or stays where they are. */
    draw(atEnd: boolean, change: () => void = () => undefined) {
      const before = atEnd ? undefined : held();
      assert.equal(atEnd, before === undefined, 'what is looked at is drawn');
      change();
      mounted.takeRows();
      if (atEnd) mounted.lookAtEnd();
      mounted.decide(nothing);
      if (before) assert.ok(keys().includes(before.key), 'what was looked at is still there');
      settle(before, end);
    },
    /** Where nothing is drawn yet, the view stays where it was scrolled to. */
    scroll(to: number) {
      scrollTo(to);
      const before = held();
      mounted.look({ top, height }, 400);
      mounted.decide(nothing);
      settle(before, () => to);
    },
  };
}

describe('a conversation that is scrolled while it grows', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('append' as const), count: fc.integer({ min: 1, max: 30 }) }),
    fc.record({ kind: fc.constant('older' as const), count: fc.integer({ min: 1, max: 80 }) }),
    fc.record({ kind: fc.constant('scroll' as const), to: fc.nat({ max: 100_000 }) }),
    fc.record({ kind: fc.constant('wheel' as const), by: fc.integer({ min: -900, max: 900 }) }),
  );

  it('mounts what is seen and little more, and what is looked at stays in its place', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 25 }), fc.nat({ max: 500 }), (steps, seed) => {
        const heightOf = (key: string): number => 24 + ((Number(key.slice(1)) * 7_919 + seed * 104_729) % 400);
        const store = new ChatStore();
        let first = 100_000;
        let last = 100_000;
        const some = (from: number, count: number): ChatItem[] =>
          Array.from({ length: count }, (_, index) => ((from + index) % 9 === 0 ? user : text)(`i${from + index}`));
        store.load({ ...emptyChat('s', 'default', 'm'), items: some(last, 40) });
        last += 40;
        const shown = page(store, heightOf);
        shown.draw(true);
        let atEnd = true;
        for (const one of steps) {
          if (one.kind === 'scroll' || one.kind === 'wheel') {
            shown.scroll(one.kind === 'scroll' ? one.to : shown.top() + one.by);
            atEnd = false;
          } else {
            shown.draw(atEnd, () => {
              if (one.kind === 'append') {
                store.apply(some(last, one.count).map((item) => ({ type: 'item', item })));
                last += one.count;
              } else {
                first -= one.count;
                store.prepend(some(first, one.count), 0);
              }
            });
          }
          const keys = new Set(shown.keys());
          for (const key of shown.seen()) {
            assert.ok(keys.has(key), 'what is seen is mounted');
            assert.equal(shown.mounted.heights.of(store.rows.findIndex(({ row }) => row.key === key)), heightOf(key));
          }
          assert.ok(keys.size <= (600 + 2 * 1_000) / 24 + 4, `${keys.size} rows of ${store.rows.length}`);
          if (atEnd) assert.equal(shown.seen().at(-1), `i${last - 1}`);
        }
      }),
      {
        numRuns: 150,
        // Into a gap whose rows are lower than they were guessed to be.
        examples: [
          [
            [
              { kind: 'scroll', to: 0 },
              { kind: 'append', count: 28 },
              { kind: 'append', count: 28 },
              { kind: 'append', count: 1 },
              { kind: 'scroll', to: 10_194 },
              { kind: 'older', count: 1 },
            ],
            438,
          ],
        ],
      },
    );
  });

  it('keeps what still changes, and for one more drawing what did', () => {
    const store = new ChatStore();
    const items = Array.from({ length: 500 }, (_, index) => text(`i${index}`));
    store.load({
      ...emptyChat('s', 'default', 'm'),
      items: [...items, { ...text('live'), streaming: true } as ChatItem],
    });
    const shown = page(store, () => 40);
    shown.draw(true);
    shown.scroll(0);
    assert.ok(shown.keys().includes('live'), 'its blocks are announced as they come');
    store.apply([{ type: 'block_end', id: 'live' }]);
    shown.mounted.decide(nothing);
    assert.ok(shown.keys().includes('live'), 'its last block is');
    shown.mounted.decide(nothing);
    assert.ok(!shown.keys().includes('live'));
  });
});
