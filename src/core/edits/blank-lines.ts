// Texts whose lines are all in a file, one after the other, but with other blank lines between them.
import { findText } from './find-text';
import { afterEnding, lineAt, lineEnd, splitLines } from './text-lines';

/** Places of the first line that are looked at. */
const MAX_PLACES = 20;

interface Line {
  text: string;
  /** Blank lines before it. */
  blanks: number;
}

/** A sentence that names the first place where blank lines are too many or missing; undefined where that is not what differs. */
export function explainBlankLines(text: string, wanted: string): string | undefined {
  const lines = withBlanks(splitLines(wanted));
  const [first, second] = lines;
  if (first === undefined || second === undefined) return undefined;
  for (const { start } of findText(text, first.text, MAX_PLACES)) {
    const found = linesAt(text, start, lines);
    if (found === undefined) continue;
    const index = lines.findIndex((line, at) => at > 0 && line.blanks !== found[at]?.blanks);
    const [before, there, asked] = [found[index - 1], found[index], lines[index]];
    // The same blank lines: what differs is in them.
    if (before === undefined || there === undefined || asked === undefined) continue;
    const last = found.at(-1)?.line ?? before.line;
    return `Its lines are at lines ${lineAt(text, start)}–${last}, but with different blank lines between them: after line ${before.line} the file has ${counted(there.blanks)}, old_string ${asked.blanks}.`;
  }
  return undefined;
}

function withBlanks(lines: readonly string[]): Line[] {
  const found: Line[] = [];
  let blanks = 0;
  for (const text of lines) {
    if (text.trim() === '') blanks++;
    else {
      found.push({ text, blanks });
      blanks = 0;
    }
  }
  return found;
}

/** Where the lines stand from `start` on; the last one may go on in the file. */
function linesAt(text: string, start: number, wanted: readonly Line[]): { blanks: number; line: number }[] | undefined {
  const found: { blanks: number; line: number }[] = [];
  let [offset, line, blanks] = [start, lineAt(text, start), 0];
  while (found.length < wanted.length) {
    if (offset >= text.length) return undefined;
    const end = lineEnd(text, offset);
    const here = text.slice(offset, end);
    const expected = wanted[found.length]?.text ?? '';
    if (here === expected || (found.length === wanted.length - 1 && here.startsWith(expected))) {
      found.push({ blanks, line });
      blanks = 0;
    } else if (here.trim() === '') blanks++;
    else return undefined;
    offset = afterEnding(text, end);
    line++;
  }
  return found;
}

function counted(blanks: number): string {
  return blanks === 0 ? 'no blank lines' : blanks === 1 ? '1 blank line' : `${blanks} blank lines`;
}
