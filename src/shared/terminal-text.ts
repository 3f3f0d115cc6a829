// What a command wrote, as a terminal would show it, for the model and the cards alike: a progress bar is its last state, and colours are not text.

const sequence = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[PX^_][^\x1b]*\x1b\\|[ -/]*[0-Z\\^-~])/g;
const erasedLine = /\x1b\[[0-2]?K/;
/** The whole line, or all of it up to here. */
const erasedBefore = /^[^]*\x1b\[[12]K/;
const controls = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g;

/**
 * Without escape sequences and controls, and each line as the carriage returns in it leave it.
 * Where carriage returns are all the line ends that a text has, they stay line ends: of a file that `cat` prints, one line would be left.
 */
export function terminalText(raw: string): string {
  const lines = raw.split('\n').map(withoutReturns);
  return endsLinesWithReturns(raw, lines)
    ? withoutSequences(raw.replace(/\r\n?/g, '\n'))
    : lines.map(shownLine).join('\n');
}

/** The last `count` lines, without empty ones around them. */
export function lastLines(text: string, count: number): string {
  const lines = text.trimEnd().split('\n').slice(-count);
  while (lines[0]?.trim() === '') lines.shift();
  return lines.join('\n');
}

function shownLine(line: string): string {
  if (!line.includes('\r')) return withoutSequences(line);
  // Backwards, since what was written last covers what was there before.
  let shown = '';
  for (const part of line.split('\r').reverse()) {
    const text = withoutSequences(part.replace(erasedBefore, ''));
    if (text.length > shown.length) shown += text.slice(shown.length).replace(/^[\udc00-\udfff]/, '');
    if (erasedLine.test(part)) break;
  }
  return shown.trimEnd();
}

/** Text, whose lines differ in length, and no bar: what draws a bar covers what it drew before, but for the odd character. */
function endsLinesWithReturns(raw: string, [first = '', ...others]: readonly string[]): boolean {
  if (raw.includes('\x1b') || !first.includes('\r') || others.some((line) => line !== '')) return false;
  const parts = first.split('\r').filter((part) => part !== '');
  const uncovered = parts.filter((part, index) => part.length < (parts[index - 1] ?? '').trimEnd().length).length;
  return uncovered > 0 && uncovered * 3 >= parts.length - 1;
}

function withoutSequences(text: string): string {
  return text.replace(sequence, '').replace(controls, '');
}

/** Without those at its end: an expression would look for the end behind each of many others. */
function withoutReturns(line: string): string {
  let end = line.length;
  while (line[end - 1] === '\r') end--;
  return line.slice(0, end);
}
