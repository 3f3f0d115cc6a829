// The groups of the history and the rows that are drawn of them.
import { defined } from '../../../src/shared/defined';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type SessionRow } from '../../../src/shared/answers';
import { groupRows, headHeight, piecesOf, placeOf, rowHeight } from '../../../webview-ui/history/groups';

const now = new Date(2026, 5, 17, 12);
const row = (id: string, daysAgo: number, source?: 'claude-code' | 'codex'): SessionRow => ({
  id,
  title: id,
  updatedAt: now.getTime() - daysAgo * 86_400_000,
  current: false,
  sizeBytes: 1,
  ...defined({ source }),
});

describe('groups of the history', () => {
  it('are days, then months, and one for each other program', () => {
    const groups = groupRows(
      [row('a', 0), row('b', 1), row('c', 3), row('x', 3, 'claude-code'), row('d', 40), row('y', 50, 'claude-code')],
      now,
    );
    assert.deepEqual(
      groups.map(({ name, rows, before }) => [name, rows.map(({ id }) => id).join(''), before]),
      [
        ['Today', 'a', 0],
        ['Yesterday', 'b', 1],
        ['This week', 'c', 2],
        ['From Claude Code', 'xy', 3],
        ['May 2026', 'd', 5],
      ],
    );
  });

  it('keep the row that has the focus in its place, whatever its session does now', () => {
    const before = groupRows([row('w', 0), row('a', 0), row('b', 0), row('c', 1)], now);
    const changed = (id: string, state: SessionRow['state']) => (one: SessionRow) =>
      one.id === id ? { ...one, ...defined({ state }) } : one;
    const named = (rows: SessionRow[], id: string) =>
      groupRows(rows, now, placeOf(before, id)).map((group) => [
        group.name,
        group.rows.map((one) => one.id).join(''),
        group.before,
      ]);
    const waits = [row('a', 0), row('w', 0), row('b', 0), row('c', 1)].map(changed('a', 'waiting'));
    assert.deepEqual(named(waits, 'a'), [
      ['Today', 'wab', 0],
      ['Yesterday', 'c', 3],
    ]);
    assert.deepEqual(named(waits, 'b'), [
      ['Waiting for you', 'a', 0],
      ['Today', 'wb', 1],
      ['Yesterday', 'c', 3],
    ]);
    const alone = [row('c', 1), row('w', 0), row('a', 0), row('b', 0)].map(changed('c', 'working'));
    assert.deepEqual(named(alone, 'c'), [
      ['Today', 'wab', 0],
      ['Yesterday', 'c', 3],
    ]);
    assert.deepEqual(named([row('w', 0)], 'a'), [['Today', 'w', 0]], 'it is gone');
  });

  it('keep their height whatever is drawn, and draw each row in view once', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 400 }),
        fc.integer({ min: -12_000, max: 3_000 }),
        fc.integer({ min: 0, max: 1_200 }),
        fc.option(fc.integer({ min: 0, max: 420 })),
        (count, headTop, height, kept) => {
          const rows = Array.from({ length: count }, (_, at) => row(`s${at}`, 0));
          const pieces = piecesOf(
            { name: 'Today', rows, before: 0 },
            headTop,
            height,
            kept === null ? undefined : `s${kept}`,
          );
          assert.equal(
            pieces.reduce((sum, piece) => sum + ('row' in piece ? rowHeight : piece.gap), 0),
            count * rowHeight,
          );
          const drawn = pieces.flatMap((piece) => ('row' in piece ? [piece.index] : []));
          assert.deepEqual(
            drawn,
            [...new Set(drawn)].sort((a, b) => a - b),
          );
          for (let index = 0; index < count; index++) {
            const top = headTop + headHeight + index * rowHeight;
            if ((top + rowHeight > 0 && top < height) || index === kept)
              assert.ok(drawn.includes(index), `row ${index}`);
          }
          assert.ok(drawn.length <= height / rowHeight + 28);
        },
      ),
    );
  });
});
