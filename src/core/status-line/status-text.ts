// What the status bar shows of a command's output: one plain line, and the whole of it to be read on demand.
import { shortened } from '../../shared/cut-text';
import { terminalText } from '../../shared/terminal-text';

/** The status bar is shared with everybody else. */
const maxChars = 160;
const maxPadding = 8;
const maxTooltip = 2_000;

/** Undefined where it printed nothing. */
export function statusText(output: string, padding: unknown): { text: string; tooltip: string } | undefined {
  const lines = terminalText(output)
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '');
  const [first] = lines;
  if (first === undefined) return undefined;
  // Plain spaces at the ends are not drawn.
  const space = '\u00a0'.repeat(
    typeof padding === 'number' && padding > 0 ? Math.min(maxPadding, Math.floor(padding)) : 0,
  );
  return { text: `${space}${shortened(first, maxChars)}${space}`, tooltip: shortened(lines.join('\n'), maxTooltip) };
}
