// What a line is: \r\n, \n and a lone \r end one, as in the editor. Nothing here changes text.

/** A line and the characters that end it; `ending` is empty only at the end of the text. */
export interface Line {
  text: string;
  ending: string;
}

/** The lines without their endings. A final line ending starts no further line; empty text has no lines. */
export function splitLines(text: string): string[] {
  const lines = text.includes('\r') ? text.split(/\r\n|\n|\r/) : text.split('\n');
  if (lines[lines.length - 1] === '') lines.pop();
  return lines;
}

/** The lines with their endings: joined again they are the text, byte for byte. */
export function splitWithEndings(text: string): Line[] {
  const lines: Line[] = [];
  let start = 0;
  while (start < text.length) {
    const end = lineEnd(text, start);
    const next = afterEnding(text, end);
    lines.push({ text: text.slice(start, end), ending: text.slice(end, next) });
    start = next;
  }
  return lines;
}

/** How many lines the text has, as splitLines() counts them. */
export function countLines(text: string): number {
  if (text === '') return 0;
  const endsOpen = !isBreak(text.charCodeAt(text.length - 1));
  return countEndings(text, 0, text.length) + (endsOpen ? 1 : 0);
}

/** The 1-based number of the line that `offset` stands in. */
export function lineAt(text: string, offset: number): number {
  return countEndings(text, 0, offset) + 1;
}

/** Where the line that holds `offset` starts. */
export function lineStart(text: string, offset: number): number {
  let start = offset;
  if (text.charCodeAt(start) === LF && text.charCodeAt(start - 1) === CR) start--;
  while (start > 0 && !isBreak(text.charCodeAt(start - 1))) start--;
  return start;
}

/** Where the line that holds `offset` stops, before its ending. */
export function lineEnd(text: string, offset: number): number {
  let end = offset;
  while (end < text.length && !isBreak(text.charCodeAt(end))) end++;
  return end;
}

/** The offset after the line ending that starts at `offset`; `offset` itself where there is none. */
export function afterEnding(text: string, offset: number): number {
  const code = text.charCodeAt(offset);
  if (code === CR) return text.charCodeAt(offset + 1) === LF ? offset + 2 : offset + 1;
  return code === LF ? offset + 1 : offset;
}

/** Where line `line` (1-based) starts; the text's length where there is no such line. */
export function offsetOfLine(text: string, line: number): number {
  let offset = 0;
  if (!text.includes('\r')) {
    for (let current = 1; current < line; current++) {
      const next = text.indexOf('\n', offset);
      if (next < 0) return text.length;
      offset = next + 1;
    }
    return offset;
  }
  for (let current = 1; current < line && offset < text.length; current++) {
    offset = afterEnding(text, lineEnd(text, offset));
  }
  return offset;
}

const LF = 10;
const CR = 13;

function isBreak(code: number): boolean {
  return code === LF || code === CR;
}

/** A \r\n counts where its \n is before `to`. Native searches keep this fast on files of many megabytes. */
function countEndings(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) count++;
  for (let at = text.indexOf('\r', from); at >= 0 && at < to; at = text.indexOf('\r', at + 1)) {
    if (text.charCodeAt(at + 1) !== LF) count++;
  }
  return count;
}
