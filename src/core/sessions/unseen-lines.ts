// Which lines of a file the model has not seen once the file has changed.
import { type LineRange } from './read-state';

/** For a text that has been changed here: no lines, so that a Read answers with its text. */
export const noLines: LineRange = { start: 0, end: 0 };

interface ChangedLines {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
}

/** Where lines that were unseen are after a change: with what the change put among them, rather too many than too few. */
export function movedUnseen(unseen: readonly LineRange[], hunks: readonly ChangedLines[]): LineRange[] {
  return unseen.map(({ start: first, end: final }): LineRange => {
    const moved = hunks.reduce((sum, hunk) => (isBefore(hunk, first) ? sum + hunk.newLines - hunk.oldLines : sum), 0);
    const grown = hunks.reduce((sum, hunk) => (hunk.oldStart <= final ? sum + hunk.newLines - hunk.oldLines : sum), 0);
    const start = Math.max(1, first + moved);
    return { start, end: Math.max(start, final + grown) };
  });
}

/** For a hunk that reaches into the lines, a loss counts and a gain does not. */
function isBefore(hunk: ChangedLines, line: number): boolean {
  return hunk.oldStart + hunk.oldLines <= line || (hunk.newLines < hunk.oldLines && hunk.oldStart < line);
}

/** All of `total` lines but those, which come in order. */
export function allBut(shown: readonly LineRange[], total: number): LineRange[] {
  const left: LineRange[] = [];
  let next = 1;
  for (const { start, end } of [...shown, { start: total + 1, end: total }]) {
    if (next < start) left.push({ start: next, end: start - 1 });
    next = end + 1;
  }
  return left;
}
