// The text of a memory file without its comments, and the imports that it names outside code.

export interface MemoryText {
  text: string;
  /** As written after the "@", in order, each once. */
  imports: string[];
}

const fenceStart = /^ {0,3}(`{3,}|~{3,})/;
/** A word of its own: "see @docs/git.md", not an address such as a@b.org. */
const importMark = /(?:^|[\s(>])@((?:\\ |[^\s`])+)/g;

export function readMemoryText(source: string): MemoryText {
  const text = withoutComments(source.replace(/^\ufeff/, ''));
  const imports = [...withoutCode(text).matchAll(importMark)].map((found) => (found[1] ?? '').replaceAll('\\ ', ' '));
  return { text: text.trim(), imports: [...new Set(imports)] };
}

/** Block comments alone: one inside a line, or inside code, is part of what is said. A comment without an end is kept. */
function withoutComments(text: string): string {
  const kept: string[] = [];
  const lines = text.split('\n');
  let fence: string | undefined;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const before = fence;
    fence = fenceAfter(line, fence);
    const start = /^ {0,3}<!--/.exec(line);
    if (before !== undefined || fence !== undefined || start === null) {
      kept.push(line);
      continue;
    }
    const rest = [line.slice(start[0].length), ...lines.slice(at + 1)].join('\n');
    const end = rest.indexOf('-->');
    if (end === -1) {
      kept.push(...lines.slice(at));
      break;
    }
    at += rest.slice(0, end).split('\n').length - 1;
    const behind = (rest.slice(end + 3).split('\n')[0] ?? '').trim();
    if (behind !== '') kept.push(behind);
  }
  return kept.join('\n');
}

/** Fences and code spans blanked out. */
function withoutCode(text: string): string {
  let fence: string | undefined;
  const outside = text.split('\n').map((line) => {
    const before = fence;
    fence = fenceAfter(line, fence);
    return before === undefined && fence === undefined ? line : '';
  });
  // A span ends with its paragraph at the latest.
  return outside
    .join('\n')
    .split(/\n[ \t]*\n/)
    .map((paragraph) => paragraph.replace(/(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, ' '))
    .join('\n\n');
}

/** The fence that is open after this line. */
function fenceAfter(line: string, open: string | undefined): string | undefined {
  const mark = fenceStart.exec(line)?.[1];
  if (open === undefined) return mark;
  const closes = mark !== undefined && mark[0] === open[0] && mark.length >= open.length && line.trim() === mark;
  return closes ? undefined : open;
}
