// The text after a change, from the text before it and the hunks of a log, which hold lines without their endings.
import { type DiffHunk } from '../../shared/tool-view';
import { type Line, splitWithEndings } from './text-lines';

/** Undefined where the hunks are not those of this text. Lines that come get the ending of their neighbours. */
export function applyHunks(before: string, hunks: readonly DiffHunk[]): string | undefined {
  const old = splitWithEndings(before);
  const lines: Line[] = [];
  const usual = old[0]?.ending || '\n';
  let next = 0;
  for (const hunk of hunks) {
    const start = hunk.oldLines === 0 ? hunk.oldStart : hunk.oldStart - 1;
    if (start < next || start > old.length) return undefined;
    for (; next < start; next++) lines.push(old[next] ?? { text: '', ending: '' });
    let sign = '';
    for (const line of hunk.lines) {
      // It speaks of the line before it.
      if (line.startsWith('\\')) {
        if (sign === '+') lines.push({ text: lines.pop()?.text ?? '', ending: '' });
        continue;
      }
      sign = line.charAt(0);
      const text = line.slice(1);
      const there = old[next];
      if (sign === '+') lines.push({ text, ending: lines.at(-1)?.ending || usual });
      else if (there === undefined || there.text !== text) return undefined;
      else {
        if (sign === ' ') lines.push(there);
        next++;
      }
    }
  }
  return [...lines, ...old.slice(next)].map(({ text, ending }) => text + ending).join('');
}
