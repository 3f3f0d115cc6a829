// Which lines of a text a comment is about, followed through edits: the same lines, or outdated, but never other ones. Pure.

/** Zero-based; as an editor reports it, in the text before it. */
export interface LineEdit {
  startLine: number;
  startCharacter: number;
  endLine: number;
  endCharacter: number;
  text: string;
}

export interface LineAnchor {
  /** Zero-based lines [start, end), never empty. Of an outdated anchor: the place where they were. */
  readonly start: number;
  readonly end: number;
  /** The lines as they were when the comment was made, without their endings. */
  readonly quoted: readonly string[];
  /** These lines are not there any more as they were quoted. */
  readonly outdated: boolean;
  /** They were cut off at an edge, joined or removed: where they begin and end is no longer known, whatever comes back. */
  readonly lost: boolean;
}

export function anchorAt(lines: readonly string[], start: number, end: number): LineAnchor {
  const last = Math.max(1, lines.length);
  const from = Math.min(Math.max(0, start), last - 1);
  const to = Math.min(Math.max(from + 1, end), last);
  return { start: from, end: to, quoted: lines.slice(from, to), outdated: false, lost: false };
}

/** `edits` in the order of their event, each in the text that those before it left; `lines` are those after all of them. */
export function anchorAfter(anchor: LineAnchor, edits: readonly LineEdit[], lines: readonly string[]): LineAnchor {
  const moved = edits.reduce<LineAnchor>(movedBy, anchor);
  if (moved === anchor) return anchor;
  const isThere =
    !moved.lost && isAt(lines, moved.start, moved.quoted) && moved.end - moved.start === moved.quoted.length;
  return { ...moved, outdated: !isThere };
}

/**
 * In a text of which nobody has seen the edits. Only what can be one place counts: the quoted lines stand once in it. What
 * is blank is found nowhere, unless nothing at all has changed.
 */
export function anchorIn(
  anchor: LineAnchor,
  lines: readonly string[],
  before: readonly string[] | undefined,
): LineAnchor {
  if (before !== undefined && before.length === lines.length && before.every((line, at) => line === lines[at]))
    return anchor;
  if (anchor.lost || anchor.quoted.every((line) => line.trim() === '')) return { ...anchor, outdated: true };
  const places = placesOf(lines, anchor.quoted);
  const [place] = places;
  if (place === undefined || places.length > 1) return { ...anchor, outdated: true };
  return { ...anchor, start: place, end: place + anchor.quoted.length, outdated: false };
}

function placesOf(lines: readonly string[], quoted: readonly string[]): number[] {
  const places: number[] = [];
  for (let at = 0; at + quoted.length <= lines.length && places.length < 2; at++)
    if (isAt(lines, at, quoted)) places.push(at);
  return places;
}

function isAt(lines: readonly string[], start: number, quoted: readonly string[]): boolean {
  return quoted.every((line, at) => lines[start + at] === line);
}

function movedBy(anchor: LineAnchor, edit: LineEdit): LineAnchor {
  const { start, end } = anchor;
  const added = edit.text.split(/\r\n|\n|\r/).length - 1;
  const shift = added - (edit.endLine - edit.startLine);
  if (isBehind(edit, anchor)) return anchor;
  if (isAhead(edit, start)) return { ...anchor, start: start + shift, end: end + shift };
  const within = edit.startLine >= start && edit.endLine < end && !isEdge(edit, anchor);
  if (within) return { ...anchor, end: Math.max(start + 1, end + shift) };
  const from = Math.min(start, edit.startLine);
  return { ...anchor, start: from, end: Math.max(from + 1, end + shift), lost: true, outdated: true };
}

/** Leaves all of the lines and what is between them as it is: it comes after them. */
function isBehind({ startLine, startCharacter, endLine, endCharacter, text }: LineEdit, anchor: LineAnchor): boolean {
  if (startLine >= anchor.end) return true;
  // The end of the last line: Enter begins another one.
  const isInsert = startLine === endLine && startCharacter === endCharacter;
  const last = anchor.outdated ? undefined : anchor.quoted.at(-1);
  return isInsert && startLine === anchor.end - 1 && startCharacter === last?.length && /^[\r\n]/.test(text);
}

/** The same ahead of them: it ends at the latest where the first line begins, and leaves a line's beginning there. */
function isAhead({ startLine, startCharacter, endLine, endCharacter, text }: LineEdit, start: number): boolean {
  if (endLine < start) return true;
  if (endLine !== start || endCharacter !== 0) return false;
  return /[\r\n]$/.test(text) || (text === '' && startCharacter === 0 && startLine < endLine);
}

/** It takes or puts whole lines at the first or the last of them, so that nobody knows which line is which afterwards. */
function isEdge({ startLine, startCharacter, endLine, text }: LineEdit, { start, end }: LineAnchor): boolean {
  const isOneLine = startLine === endLine && !/[\r\n]/.test(text);
  if (isOneLine) return false;
  return (startLine === start && startCharacter === 0) || endLine === end - 1;
}
