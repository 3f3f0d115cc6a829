// Cuts text at whole characters: half of a surrogate pair is not text, and JSON with one in it is refused.

/** The first `length` characters, or one less where the last would be half of one. */
export function headOf(text: string, length: number): string {
  if (text.length <= length) return text;
  return text.slice(0, Math.max(0, isHigh(text.charCodeAt(length - 1)) ? length - 1 : length));
}

/** The last `length` characters, or one less where the first would be half of one. */
export function tailOf(text: string, length: number): string {
  if (text.length <= length) return text;
  const start = text.length - length;
  return text.slice(isHigh(text.charCodeAt(start - 1)) ? start + 1 : start);
}

/** At most `length` characters; where something is left out, the last one is an ellipsis. */
export function shortened(text: string, length: number): string {
  return text.length <= length ? text : `${headOf(text, length - 1)}…`;
}

/** Keeps head and tail and says how much went. */
export function cutMiddle(
  text: string,
  length: number,
  note = (omitted: number) => `\n\n... [${omitted} characters truncated] ...\n\n`,
): string {
  if (text.length <= length) return text;
  const half = Math.floor(length / 2);
  const [head, tail] = [headOf(text, half), tailOf(text, half)];
  return `${head}${note(text.length - head.length - tail.length)}${tail}`;
}

function isHigh(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
