// The numbers and the order of hits in the find bar.
import assert from 'node:assert/strict';
import { nearest, numberOf, skipItem, stepFrom, total } from '../../../webview-ui/find/find-place';

const found = [
  { id: 'a', hits: 2 },
  { id: 'b', hits: 1 },
  { id: 'c', hits: 3 },
];

describe('the place of the find bar', () => {
  it('counts over all items', () => {
    assert.equal(total(found), 6);
    assert.equal(numberOf(found, { id: 'c', index: 1 }), 5);
    assert.equal(numberOf(found, { id: 'c', index: 9 }), 6, 'an item that has fewer hits now');
    assert.equal(numberOf(found, { id: 'gone', index: 0 }), 0);
  });

  it('goes through all hits and around both ends', () => {
    const numbers = (by: 1 | -1) => {
      let place = stepFrom(found, undefined, by);
      return Array.from({ length: 7 }, () => {
        const number = numberOf(found, place);
        place = stepFrom(found, place, by);
        return number;
      });
    };
    assert.deepEqual(numbers(1), [1, 2, 3, 4, 5, 6, 1]);
    assert.deepEqual(numbers(-1), [6, 5, 4, 3, 2, 1, 6]);
    assert.deepEqual(skipItem(found, 'a', 1), { id: 'b', index: 0 });
    assert.deepEqual(skipItem(found, 'a', -1), { id: 'c', index: 2 });
    assert.equal(stepFrom([], undefined, 1), undefined);
  });

  it('begins at what the reader looks at, else at the last hit', () => {
    assert.deepEqual(nearest(found, new Set(['b', 'c'])), { id: 'b', index: 0 });
    assert.deepEqual(nearest(found, new Set(['x'])), { id: 'c', index: 2 });
  });
});
