// How much of a text a card shows, so that a long session stays small on its way to the webview.
import { headOf, shortened, tailOf } from './cut-text';
import { type DiffHunk } from './tool-view';

export const maxListed = 30;
const maxDiffLines = 60;
const maxLineChars = 240;
const maxTailLines = 8;
const maxTailChars = 1_200;
const maxTextChars = 4_000;

export function slimLine(line: string): string {
  return headOf(line, maxLineChars);
}

export function slimText(text: string): string {
  return shortened(text, maxTextChars);
}

export function slimTail(text: string): string {
  const lines = text.split('\n').slice(-maxTailLines - 1);
  return tailOf(lines.join('\n'), maxTailChars);
}

/** Of several files whose diffs share a card. */
export function linesOfEach(files: number): number {
  return Math.max(6, Math.floor(maxDiffLines / Math.max(1, files)));
}

export function slimHunks(all: readonly DiffHunk[], most = maxDiffLines): { hunks: DiffHunk[]; cut: boolean } {
  let left = most;
  let cut = false;
  const hunks: DiffHunk[] = [];
  for (const hunk of all) {
    if (left === 0) return { hunks, cut: true };
    const lines = hunk.lines.slice(0, left).map(slimLine);
    cut ||= lines.length < hunk.lines.length;
    left -= lines.length;
    hunks.push({ ...hunk, lines });
  }
  return { hunks, cut };
}
