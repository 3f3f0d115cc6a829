// Notes what the model knows of a file after it changed it.
import { type AppliedChange } from './edit/file-change';
import { type LineRange, type ReadState } from '../sessions/read-state';
import { movedUnseen, noLines } from '../sessions/unseen-lines';

/**
 * The new hash, with the lines that the result shows as those seen: the file counts as read, yet a Read of all of it
 * still answers with its text. Lines that it had not seen before an edit stay unseen; all others are so where the file
 * had changed since it was read.
 */
export function rememberChange(
  { output, file, diff }: AppliedChange,
  shown: readonly LineRange[],
  readState: ReadState,
): void {
  const before = output.created ? [] : (readState.get(output.filePath)?.unseen ?? []);
  const unseen = output.unseen ?? movedUnseen(before, diff.hunks);
  const [range = noLines, ...more] = shown;
  readState.set(output.filePath, {
    hash: file.hash,
    range: more.length === 0 ? range : noLines,
    ...(unseen.length > 0 ? { unseen } : {}),
  });
}
