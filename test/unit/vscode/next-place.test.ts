import assert from 'node:assert/strict';
import { nextPlace, type HunkPlace } from '../../../src/vscode/review/next-place';

const place = (path: string, line: number): HunkPlace => ({
  path,
  hunk: { oldStart: line, oldEnd: line + 1, newStart: line, newEnd: line + 1 },
});
const places = [place('/a', 2), place('/a', 9), place('/c', 0)];

describe('the next change', () => {
  const check = (path: string | undefined, line: number, direction: 1 | -1): string | undefined => {
    const found = nextPlace(places, path, line, direction);
    return found && `${found.path}:${found.hunk.newStart}`;
  };

  it('is below the cursor, then in the next file, then the first again', () => {
    assert.equal(check('/a', 0, 1), '/a:2');
    assert.equal(check('/a', 2, 1), '/a:9');
    assert.equal(check('/a', 9, 1), '/c:0');
    assert.equal(check('/c', 0, 1), '/a:2');
  });

  it('is above the cursor on the way back', () => {
    assert.equal(check('/c', 0, -1), '/a:9');
    assert.equal(check('/a', 9, -1), '/a:2');
    assert.equal(check('/a', 2, -1), '/c:0');
  });

  it('is found from a file without changes, and from no file', () => {
    assert.equal(check('/b', 5, 1), '/c:0');
    assert.equal(check('/b', 5, -1), '/a:9');
    assert.equal(check(undefined, -1, 1), '/a:2');
  });

  it('is nothing where nothing waits', () => {
    assert.equal(nextPlace([], '/a', 0, 1), undefined);
  });
});
