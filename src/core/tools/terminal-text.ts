// What a terminal would show of a command's output: a progress bar is its last state, and colours are not text.

const sequence = /\x1b(?:\[[0-9;:<=>?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[PX^_][^\x1b]*\x1b\\|[ -/]*[0-Z\\^-~])/g;
const erasedLine = /\x1b\[[0-2]?K/;

/** Without escape sequences, and each line as the carriage returns in it leave it. Line ends stay, also those with `\r\n`. */
export function shownByTerminal(text: string): string {
  if (!text.includes('\r') && !text.includes('\x1b')) return text;
  return text.split('\n').map(shownLine).join('\n');
}

function shownLine(line: string): string {
  const end = line.endsWith('\r') ? '\r' : '';
  const written = withoutReturns(line);
  if (!written.includes('\r')) return written.replace(sequence, '') + end;
  // Backwards, since what was written last covers what was there before.
  let shown = '';
  for (const part of written.split('\r').reverse()) {
    const text = part.replace(sequence, '');
    if (text.length > shown.length) shown += text.slice(shown.length).replace(/^[\udc00-\udfff]/, '');
    if (erasedLine.test(part)) break;
  }
  return shown.trimEnd() + end;
}

/** Without those at its end: an expression would look for the end behind each of many others. */
function withoutReturns(line: string): string {
  let end = line.length;
  while (line[end - 1] === '\r') end--;
  return line.slice(0, end);
}
