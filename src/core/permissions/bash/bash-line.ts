// A Bash line, read once: what is judged, what it touches and what may be offered for it are all asked of this value.
import { parseShell, type ParsedShell } from './shell-command';
import { onlyReads } from './shell-read-only';
import { type AllCommands, withHiddenCommands } from './hidden-commands';
import { plainCommands } from './plain-commands';
import { movesFolder, type SimpleCommand } from './simple-command';

export interface BashLine {
  shell: 'Bash';
  text: string;
  parsed: ParsedShell;
  /** The commands of the line as they can be judged. */
  plain: readonly SimpleCommand[];
  /** Also what the commands of the line run in turn. */
  all: AllCommands;
}

export function readBash(text: string): BashLine {
  const parsed = parseShell(text);
  const all = withHiddenCommands(parsed.commands);
  return { shell: 'Bash', text, parsed, plain: plainCommands(parsed.commands, all), all };
}

/**
 * True where every part of the line plainly only reads, and the session's folder stays the same. Which paths it reads
 * does not matter here. When in doubt: false.
 */
export function isReadOnlyBash({ parsed, plain }: Pick<BashLine, 'parsed' | 'plain'>): boolean {
  return parsed.ok && plain.every((one) => onlyReads(one) && !movesFolder(one.words));
}

export function isReadOnlyCommand(command: string): boolean {
  return isReadOnlyBash(readBash(command));
}
