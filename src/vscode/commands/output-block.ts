// A command with its output as a block of text for the composer: the end of it, where it is long.
import { tailOf } from '../../shared/cut-text';

export interface CommandOutput {
  command: string;
  text: string;
  /** What to say where there is no text. */
  none: string;
  /** The beginning was lost already. */
  cut: boolean;
  /** "exit code 1", "still running". */
  ending: string;
}

const maxChars = 16_000;
const maxLines = 300;

/** Fenced, so that nothing in it is taken for the user's words. Begins and ends on lines of its own. */
export function outputBlock({ command, text, none, cut, ending }: CommandOutput): string {
  const tail = tailOf(text.split('\n').slice(-maxLines).join('\n'), maxChars);
  const isCut = cut || tail.length < text.length;
  const body = `$ ${command.trim()}\n${isCut ? '[the beginning of the output is omitted]\n' : ''}${tail === '' ? `[${none}]` : tail}`;
  const fence = '`'.repeat(Math.max(3, ...(body.match(/`+/g) ?? []).map((run) => run.length + 1)));
  return `\nTerminal output, ${ending}:\n${fence}\n${body}\n${fence}\n`;
}
