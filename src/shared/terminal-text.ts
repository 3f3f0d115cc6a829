// What a command wrote, as plain text: escape sequences are gone, overwritten progress lines show their last state.

const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_]|[()][0-9A-B])/g;
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

export function terminalText(raw: string): string {
  const text = raw.replace(ESCAPES, '').replace(/\r+\n/g, '\n');
  const lines = text.includes('\r') ? text.split('\n').map(lastState).join('\n') : text;
  return lines.replace(CONTROLS, '');
}

/** The last `count` lines, without empty ones around them. */
export function lastLines(text: string, count: number): string {
  const lines = text.replace(/\s+$/, '').split('\n').slice(-count);
  while (lines[0]?.trim() === '') lines.shift();
  return lines.join('\n');
}

function lastState(line: string): string {
  const states = line.split('\r').filter((state) => state !== '');
  return states.at(-1) ?? '';
}
