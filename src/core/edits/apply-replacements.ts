// Applies the edits of a language server, which name places by line and column, to a text whose line endings stay as they are.

interface Place {
  line: number;
  character: number;
}

export interface Replacement {
  range: { start: Place; end: Place };
  newText: string;
}

/** Undefined where edits overlap: nobody can say what is meant. New lines get the text's own ending. */
export function applyReplacements(text: string, edits: readonly Replacement[]): string | undefined {
  const offset = offsetsIn(text);
  const ending = text.includes('\r\n') ? '\r\n' : '\n';
  const placed = edits
    .map(({ range, newText }) => ({ start: offset(range.start), end: offset(range.end), newText }))
    // Stable: what is inserted at one place comes in the order in which it is given.
    .sort((one, other) => one.start - other.start || one.end - other.end);
  let result = '';
  let at = 0;
  for (const { start, end, newText } of placed) {
    if (start < at || end < start) return undefined;
    result += text.slice(at, start) + newText.replace(/\r\n|\r|\n/g, ending);
    at = end;
  }
  return result + text.slice(at);
}

/** Places behind the end of a line or of the text are at that end, as in editors. */
function offsetsIn(text: string): (place: Place) => number {
  const starts = [0];
  const ends: number[] = [];
  for (const { index, 0: ending } of text.matchAll(/\r\n|\r|\n/g)) {
    ends.push(index);
    starts.push(index + ending.length);
  }
  ends.push(text.length);
  return ({ line, character }) => {
    const start = starts[line];
    const end = ends[line];
    return start === undefined || end === undefined ? text.length : Math.min(start + character, end);
  };
}
