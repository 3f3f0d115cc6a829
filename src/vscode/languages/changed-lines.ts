// The lines that text edits change, before and after. Pure.

/** 0-based, as VS Code counts. */
interface Place {
  line: number;
  character: number;
}

export interface TextReplacement {
  range: { start: Place; end: Place };
  newText: string;
}

export interface ChangedLines {
  /** 0-based place of the first change among these lines. */
  start: Place;
  before: string;
  after: string;
}

/** Edits that share a line are one change. Edits do not overlap, as in VS Code. */
export function changedLines(text: string, edits: readonly TextReplacement[]): ChangedLines[] {
  const lines = text.split(/\r\n|\r|\n/);
  const sorted = [...edits].sort((a, b) => order(a.range.start, b.range.start));
  const changes: { last: number; edits: TextReplacement[] }[] = [];
  for (const edit of sorted) {
    const open = changes.at(-1);
    if (open !== undefined && edit.range.start.line <= open.last) {
      open.edits.push(edit);
      open.last = Math.max(open.last, edit.range.end.line);
    } else changes.push({ last: edit.range.end.line, edits: [edit] });
  }
  return changes.flatMap(({ last, edits: own }) => {
    const start = own[0]?.range.start;
    return start === undefined
      ? []
      : [
          {
            start,
            before: lines.slice(start.line, last + 1).join('\n'),
            after: replaced(lines, start.line, last, own),
          },
        ];
  });
}

function replaced(lines: readonly string[], first: number, last: number, edits: readonly TextReplacement[]): string {
  let result = '';
  let at: Place = { line: first, character: 0 };
  for (const { range, newText } of edits) {
    result += between(lines, at, range.start) + newText;
    at = range.end;
  }
  return result + between(lines, at, { line: last, character: Infinity });
}

function between(lines: readonly string[], from: Place, to: Place): string {
  if (from.line === to.line) return (lines[from.line] ?? '').slice(from.character, to.character);
  const middle = lines.slice(from.line + 1, to.line);
  return [
    (lines[from.line] ?? '').slice(from.character),
    ...middle,
    (lines[to.line] ?? '').slice(0, to.character),
  ].join('\n');
}

function order(a: Place, b: Place): number {
  return a.line - b.line || a.character - b.character;
}
