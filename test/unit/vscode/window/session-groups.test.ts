// The groups of sessions: however many there are, those that the user put apart are in them, and what is left out is counted.
import assert from 'node:assert/strict';
import { type BoardRow } from '../../../../src/vscode/window/board-row';
import { groupsOf } from '../../../../src/vscode/window/session-groups';
import { type SessionMark } from '../../../../src/vscode/window/session-marks';

const now = new Date(2026, 5, 17, 12).getTime();
const row = (id: string, daysAgo: number, own: Partial<BoardRow> = {}): BoardRow => ({
  id,
  title: id,
  updatedAt: now - daysAgo * 86_400_000,
  sizeBytes: 1,
  glance: undefined,
  state: 'idle',
  ...own,
});
const many = (id: string, count: number, own: Partial<BoardRow> = {}) =>
  Array.from({ length: count }, (_, at) => row(`${id}${at}`, 2 + at, own));
const elsewhere = { file: '/x.jsonl', folder: '/x' };

function grouped(rows: BoardRow[], own: Record<string, SessionMark>, most?: number, put: Record<string, string> = {}) {
  const marks = { of: (id: string) => own[id], groupOf: (id: string) => put[id] };
  return groupsOf(rows, marks, now, most).map(({ key, name, rows: shown, hidden }) => [
    key === 'own' ? name : key,
    shown.map(({ id }) => id).join(' '),
    hidden,
  ]);
}

describe('the groups of sessions', () => {
  it('have first who waits and who works, then what the user put apart, then the others by time', () => {
    assert.deepEqual(
      grouped(
        [
          row('w', 0, { state: 'waiting' }),
          row('r', 3, { state: 'working' }),
          row('t', 0),
          row('o', 0, { elsewhere }),
          row('p', 0),
          row('e', 1),
          row('a', 0),
        ],
        { p: 'pinned', a: 'archived', w: 'archived' },
      ),
      [
        ['waiting', 'w', 0],
        ['working', 'r', 0],
        ['pinned', 'p', 0],
        ['today', 't', 0],
        ['earlier', 'e', 0],
        ['elsewhere', 'o', 0],
        ['archived', 'a', 0],
      ],
    );
  });

  it('cut only what is old or elsewhere, and say how much: what was pinned long ago is there', () => {
    const rows = [...many('s', 5), ...many('x', 4, { elsewhere }), ...many('t', 3, { updatedAt: now })];
    assert.deepEqual(grouped(rows, { s4: 'pinned', x3: 'pinned' }, 2), [
      ['pinned', 's4 x3', 0],
      ['today', 't0 t1 t2', 0],
      ['earlier', 's0 s1', 2],
      ['elsewhere', 'x0 x1', 1],
    ]);
  });

  it('may be the user’s own, between the pinned ones and those by time', () => {
    const rows = [row('w', 0, { state: 'waiting' }), row('t', 0), ...['z', 'a', 'b', 'p'].map((id) => row(id, 3))];
    assert.deepEqual(grouped(rows, { p: 'pinned' }, 1, { z: 'Zoo', a: 'Bugs', b: 'Bugs', p: 'Bugs', w: 'Bugs' }), [
      ['waiting', 'w', 0],
      ['pinned', 'p', 0],
      ['Bugs', 'a b', 0],
      ['Zoo', 'z', 0],
      ['today', 't', 0],
    ]);
    assert.deepEqual(grouped([row('t', 0), row('a', 0)], {}, 1, { a: 'Today' }), [
      ['Today', 'a', 0],
      ['today', 't', 0],
    ]);
  });

  it('have those of other programs by program', () => {
    const codex = many('c', 2, { source: 'codex' });
    assert.deepEqual(grouped([...codex, row('d', 0, { source: 'claude-code' }), row('o', 0, { elsewhere })], {}, 1), [
      ['claude-code', 'd', 0],
      ['codex', 'c0', 1],
      ['elsewhere', 'o', 0],
    ]);
  });
});
