// The last lines that a server wrote and that were said about its connection: bounded, whatever it writes.
import { headOf } from '../../shared/cut-text';
import { maxLogLine, maxLogLines } from '../../core/mcp/limits';

export interface ServerLog {
  add(line: string): void;
  /** Text as it arrives: lines are put together. */
  addChunk(text: string): void;
  lines(): readonly string[];
}

export function createServerLog(): ServerLog {
  const lines: string[] = [];
  let open = '';
  const add = (line: string): void => {
    lines.push(line.length > maxLogLine ? `${headOf(line, maxLogLine)}…` : line);
    if (lines.length > maxLogLines) lines.splice(0, lines.length - maxLogLines);
  };
  return {
    add,
    addChunk(text) {
      const parts = (open + text).split(/\r?\n/);
      // What never ends is not kept.
      open = headOf(parts.pop() ?? '', maxLogLine);
      for (const part of parts.slice(-maxLogLines)) if (part.trim() !== '') add(part);
    },
    lines: () => (open.trim() === '' ? [...lines] : [...lines, open]),
  };
}
