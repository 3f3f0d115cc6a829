// A difference as the user sees it, and the edited lines as the model reads them.
import { type DiffHunk, type DiffView } from '../../shared/tool-view';
import { type TextDiff } from './diff-hunks';
import { cutLine, isShownWhole, numberLines } from './number-lines';

/** Lines of all hunks together that a view holds. */
export const MAX_VIEW_LINES = 200;

/** The view of a change; `created` where the file is new. */
export function diffView(path: string, created: boolean, diff: TextDiff, maxLines = MAX_VIEW_LINES): DiffView {
  const { hunks, truncated } = capHunks(diff.hunks, maxLines);
  const shown = hunks.map((hunk) => ({ ...hunk, lines: hunk.lines.map(cutLine) }));
  return { kind: 'diff', path, created, added: diff.added, removed: diff.removed, hunks: shown, truncated };
}

/** The first hunks, `maxLines` lines in all; the last one may be cut, and its counts say so. */
export function capHunks(hunks: DiffHunk[], maxLines: number): { hunks: DiffHunk[]; truncated: boolean } {
  const kept: DiffHunk[] = [];
  let room = maxLines;
  for (const hunk of hunks) {
    if (hunk.lines.length > room) {
      if (room > 0) kept.push(cutHunk(hunk, room));
      return { hunks: kept, truncated: true };
    }
    kept.push(hunk);
    room -= hunk.lines.length;
  }
  return { hunks: kept, truncated: false };
}

/** The lines of each hunk as they are now, with their real numbers; `...` is between hunks. */
export function editedSnippet(hunks: DiffHunk[], maxLines: number): string {
  const parts: string[] = [];
  let room = maxLines;
  for (const hunk of hunks) {
    const lines = hunk.lines.filter((line) => /^[ +]/.test(line)).map((line) => line.slice(1));
    if (lines.length > room) {
      if (room > 0) parts.push(numberLines(lines.slice(0, room), hunk.newStart));
      parts.push('… [the rest of the edited region is omitted]');
      break;
    }
    if (lines.length > 0) parts.push(numberLines(lines, hunk.newStart));
    room -= lines.length;
  }
  return parts.join('\n...\n');
}

/** The lines that such a snippet shows whole. */
export function snippetLines(hunks: DiffHunk[], maxLines: number): { start: number; end: number }[] {
  const shown: { start: number; end: number }[] = [];
  let room = maxLines;
  for (const hunk of hunks) {
    const lines = hunk.lines.filter((line) => /^[ +]/.test(line));
    for (const [index, line] of lines.slice(0, room).entries()) {
      if (!isShownWhole(line.slice(1))) continue;
      const number = hunk.newStart + index;
      const last = shown.at(-1);
      if (last?.end === number - 1) last.end = number;
      else shown.push({ start: number, end: number });
    }
    room -= lines.length;
    if (room < 0) break;
  }
  return shown;
}

function cutHunk(hunk: DiffHunk, room: number): DiffHunk {
  const lines = hunk.lines.slice(0, room);
  return {
    ...hunk,
    lines,
    oldLines: lines.filter((line) => /^[ -]/.test(line)).length,
    newLines: lines.filter((line) => /^[ +]/.test(line)).length,
  };
}
