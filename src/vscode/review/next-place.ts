// Which change comes next, over all files that wait for review. Pure.
import { type Path } from '../../core/ports/path';
import { type LineHunk } from '../files/line-hunks';

export interface HunkPlace {
  path: Path;
  hunk: LineHunk;
}

/** Where to go from a line of a file; behind the last place comes the first. `path` may be a file without changes. */
export function nextPlace(
  places: readonly HunkPlace[],
  path: Path | undefined,
  line: number,
  direction: 1 | -1,
): HunkPlace | undefined {
  const inOrder = direction === 1 ? places : places.toReversed();
  const after = inOrder.find((place) => {
    if (path === undefined || place.path !== path)
      return path !== undefined && (direction === 1 ? place.path > path : place.path < path);
    return direction === 1 ? place.hunk.newStart > line : place.hunk.newStart < line;
  });
  return after ?? inOrder[0];
}
