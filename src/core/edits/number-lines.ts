// Text as the model reads it: `N<TAB>text`. Read, Edit and Write show lines through this one function.

/** Characters of one line that are shown; what is longer is cut with a note. */
export const MAX_LINE_LENGTH = 2_000;

/** `first` is the real 1-based number of the first line. Lines come without their endings. */
export function numberLines(lines: readonly string[], first: number): string {
  return lines.map((line, index) => `${first + index}\t${cutLine(line)}`).join('\n');
}

export function cutLine(line: string): string {
  if (line.length <= MAX_LINE_LENGTH) return line;
  const kept = wholeHead(line, MAX_LINE_LENGTH);
  return `${kept}… [line cut: ${line.length - kept.length} more characters]`;
}

/** Whether the model reads every character of the line: a long one is cut, and results have control characters written out. */
export function isShownWhole(line: string): boolean {
  return line.length <= MAX_LINE_LENGTH && !hasControls(line);
}

/** All below the space except tab and escape, and what ends a line. */
export function hasControls(line: string): boolean {
  return /[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f]/.test(line);
}

/** Never cuts a character in two: as in shared/cut-text, which this folder does not import. */
export function wholeHead(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}
