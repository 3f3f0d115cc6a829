import assert from 'node:assert/strict';
import { markOf, placeAfter } from '../../../src/vscode/review/removed-cells';

describe('the place of a removed cell', () => {
  const cases: [string, number, [start: number, removed: number, added: number], number][] = [
    ['moves down with cells that come above', 3, [1, 0, 2], 5],
    ['moves up with cells that go above', 3, [0, 2, 0], 1],
    ['stays where a cell above becomes another one', 3, [1, 1, 1], 3],
    ['stays with changes below', 3, [4, 1, 3], 3],
    ['stays where the next cell goes', 3, [3, 1, 0], 3],
    ['stays ahead of what the next cell becomes', 3, [3, 1, 1], 3],
    ['falls to the edge where all around it goes', 3, [1, 5, 0], 1],
  ];
  for (const [title, index, [start, removed, added], expected] of cases) {
    it(title, () => assert.equal(placeAfter(index, { start, removed, added }), expected));
  }
});

describe('the mark of a removed cell', () => {
  const cases: [string, number, string, ReturnType<typeof markOf>][] = [
    ['stands on the cell behind', 1, 'cc', { cell: 1, side: 'above', far: false }],
    ['stands on the last cell where none is behind', 2, 'cc', { cell: 1, side: 'below', far: false }],
    ['stands on the cell ahead where text is behind', 1, 'cm', { cell: 0, side: 'below', far: false }],
    ['stands on the nearest code where only text is near', 1, 'mmmc', { cell: 3, side: 'above', far: true }],
    ['stands nowhere without code', 1, 'mm', undefined],
    ['stands nowhere in an empty notebook', 0, '', undefined],
  ];
  for (const [title, index, kinds, mark] of cases) {
    it(title, () =>
      assert.deepEqual(
        markOf(
          index,
          [...kinds].map((kind) => kind === 'c'),
        ),
        mark,
      ),
    );
  }
});
