// Notes what the model knows of a file after it changed it.
import { type AppliedChange } from './file-change';
import { type LineRange, type ReadState } from './read-state';

/**
 * The new hash, with the changed lines as those seen: the file counts as read, yet a Read of all of it still answers
 * with its text, since the model saw only a part of the new one. Lines that it had not seen before an edit stay unseen.
 */
export function rememberChange({ output, file }: AppliedChange, readState: ReadState): void {
  const hunks = output.structuredPatch;
  const last = hunks[hunks.length - 1];
  const start = hunks[0]?.newStart ?? 1;
  const end = last === undefined ? start : Math.max(start, last.newStart + last.newLines - 1);
  const unseen = (output.created ? undefined : readState.get(output.filePath)?.unseen)?.map(({ start: first, end: final }): LineRange => {
    const moved = hunks.reduce((sum, hunk) => (isBefore(hunk, first) ? sum + hunk.newLines - hunk.oldLines : sum), 0);
    const grown = hunks.reduce((sum, hunk) => (hunk.oldStart <= final ? sum + hunk.newLines - hunk.oldLines : sum), 0);
    const from = Math.max(1, first + moved);
    return { start: from, end: Math.max(from, final + grown) };
  });
  readState.set(output.filePath, { hash: file.hash, range: { start, end }, ...(unseen ? { unseen } : {}) });
}

/** Of a hunk that reaches into the lines, a loss counts and a gain does not: rather too much unseen than too little. */
function isBefore(hunk: { oldStart: number; oldLines: number; newLines: number }, line: number): boolean {
  return hunk.oldStart + hunk.oldLines <= line || (hunk.newLines < hunk.oldLines && hunk.oldStart < line);
}
