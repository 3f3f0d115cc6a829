// A Bash line, read once: what is judged, what it touches and what may be offered for it are all asked of this value.
import { parseShell, type ParsedShell } from './shell-command';
import { onlyReads } from './shell-read-only';
import { type AllCommands, withHiddenCommands } from './hidden-commands';
import { movesFolder } from './simple-command';

export interface BashLine {
  shell: 'Bash';
  text: string;
  parsed: ParsedShell;
  /** Also what the commands of the line run in turn. */
  all: AllCommands;
}

export function readBash(text: string): BashLine {
  const parsed = parseShell(text);
  return { shell: 'Bash', text, parsed, all: withHiddenCommands(parsed.commands) };
}

/**
 * True where every part of the line plainly only reads, and the session's folder stays the same. Which paths it reads
 * does not matter here. When in doubt: false.
 */
export function isReadOnlyBash({ parsed }: Pick<BashLine, 'parsed'>): boolean {
  return parsed.ok && parsed.commands.every((one) => onlyReads(one) && !movesFolder(one.words));
}

export function isReadOnlyCommand(command: string): boolean {
  return isReadOnlyBash({ parsed: parseShell(command) });
}
