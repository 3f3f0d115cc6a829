// Which whole lines differ between two texts, without context: what edits, marks and Keep/Undo work on.
import { diffArrays } from 'diff';
import { changedWindow } from '../../core/edits/changed-window';
import { lineAt, splitWithEndings, type Line } from '../../core/edits/text-lines';

/** Lines [oldStart, oldEnd) became lines [newStart, newEnd); 0-based, ends exclusive, one side may be empty. */
export interface LineHunk {
  oldStart: number;
  oldEnd: number;
  newStart: number;
  newEnd: number;
}

/** Lines removed and added that the search for the smallest difference looks at; beyond it all is one hunk. */
const maxEditLength = 2_000;

/** In order, never touching each other. `ignoreEndings` compares the lines without their endings. */
export function lineHunks(before: string, after: string, ignoreEndings = false): LineHunk[] {
  if (before === after) return [];
  const { start, beforeEnd, afterEnd } = changedWindow(before, after, 0);
  const hunks = hunksOf(
    linesOf(before.slice(start, beforeEnd), ignoreEndings),
    linesOf(after.slice(start, afterEnd), ignoreEndings),
  );
  const above = lineAt(before, start) - 1;
  return hunks.map(({ oldStart, oldEnd, newStart, newEnd }) => ({
    oldStart: oldStart + above,
    oldEnd: oldEnd + above,
    newStart: newStart + above,
    newEnd: newEnd + above,
  }));
}

/** The text's lines with their endings; as an editor counts, there is one behind a final line ending too. */
export function editorLines(text: string): string[] {
  const lines = splitWithEndings(text);
  const whole = lines.map(({ text: line, ending }) => line + ending);
  if (lines.at(-1)?.ending !== '') whole.push('');
  return whole;
}

/** `lines` with the ones of each hunk's old side replaced by what `replacement` gives; the rest stays. */
export function replaceLines(
  lines: readonly string[],
  start: number,
  end: number,
  replacement: readonly string[],
): string[] {
  const result = [...lines.slice(0, start), ...replacement, ...lines.slice(end)];
  return joinable(result);
}

/** A line that was last and had no ending, and is no longer last, gets the ending of its neighbour. */
function joinable(lines: string[]): string[] {
  const ending = lines.map((line) => /(\r\n|\n|\r)$/.exec(line)?.[1]).find((found) => found !== undefined) ?? '\n';
  return lines.map((line, index) => (index < lines.length - 1 && !/[\r\n]$/.test(line) ? line + ending : line));
}

function linesOf(text: string, ignoreEndings: boolean): string[] {
  if (!ignoreEndings) return editorLines(text);
  const lines: Line[] = splitWithEndings(text);
  const bare = lines.map((line) => line.text);
  if (lines.at(-1)?.ending !== '') bare.push('');
  return bare;
}

function hunksOf(before: string[], after: string[]): LineHunk[] {
  let prefix = 0;
  const shorter = Math.min(before.length, after.length);
  while (prefix < shorter && before[prefix] === after[prefix]) prefix++;
  let suffix = 0;
  while (suffix < shorter - prefix && before[before.length - 1 - suffix] === after[after.length - 1 - suffix]) suffix++;
  const oldMiddle = before.slice(prefix, before.length - suffix);
  const newMiddle = after.slice(prefix, after.length - suffix);
  if (oldMiddle.length === 0 && newMiddle.length === 0) return [];
  const changes = diffArrays(oldMiddle, newMiddle, { maxEditLength });
  if (!changes)
    return [{ oldStart: prefix, oldEnd: before.length - suffix, newStart: prefix, newEnd: after.length - suffix }];
  const hunks: LineHunk[] = [];
  let oldLine = prefix;
  let newLine = prefix;
  for (const { added, removed, value } of changes) {
    const last = hunks.at(-1);
    const continues = last !== undefined && last.oldEnd === oldLine && last.newEnd === newLine;
    if (added || removed) {
      const hunk = continues ? last : { oldStart: oldLine, oldEnd: oldLine, newStart: newLine, newEnd: newLine };
      if (removed) hunk.oldEnd += value.length;
      else hunk.newEnd += value.length;
      if (!continues) hunks.push(hunk);
    }
    if (!added) oldLine += value.length;
    if (!removed) newLine += value.length;
  }
  return hunks;
}
