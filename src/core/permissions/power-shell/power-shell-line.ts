// A PowerShell line, read once: what is judged and what it touches are asked of this value.
import { absolutePath } from '../rules/workspace-path';
import { type ParsedPowerShell, parsePowerShell } from './power-shell-command';
import { usesOf } from './power-shell-files';
import { type HiddenLine, isEncoded, withHiddenLines } from './power-shell-hidden';
import { plainPath, readingOf } from './power-shell-read-only';

export interface PowerShellLine {
  shell: 'PowerShell';
  text: string;
  parsed: ParsedPowerShell;
  /** The line itself, and what it runs in turn. */
  lines: readonly HiddenLine[];
  /** False where it runs more than is worth looking at. */
  complete: boolean;
}

export function readPowerShell(text: string): PowerShellLine {
  const { lines, complete } = withHiddenLines(text);
  const parsed = lines[0]?.parsed ?? parsePowerShell(text);
  const isHidden = parsed.ok && parsed.commands.some(isEncoded);
  return {
    shell: 'PowerShell',
    text,
    parsed: isHidden ? { ok: false, reason: 'it runs encoded code' } : parsed,
    lines,
    complete,
  };
}

/** True where every command of the line plainly only reads. */
export function isReadOnlyPowerShell({ parsed }: Pick<PowerShellLine, 'parsed'>): boolean {
  return (
    parsed.ok && parsed.commands.every((one, index) => readingOf(one, parsed.commands.slice(0, index)) !== undefined)
  );
}

/** The files that a line plainly names, also next to encoded commands, so that a link among them cannot lead outside unseen. */
export function powerShellFiles(
  { lines }: Pick<PowerShellLine, 'lines'>,
  cwd: string,
  home: string,
): { access: 'read' | 'write'; path: string }[] {
  const parsed = lines[0]?.parsed;
  if (parsed?.ok !== true) return [];
  const found = parsed.commands.flatMap((one, index) => {
    const reading = readingOf(one, parsed.commands.slice(0, index));
    const uses =
      reading === undefined
        ? (usesOf(one)?.uses ?? [])
        : reading.paths.map((written) => ({ access: 'read' as const, written }));
    return uses.flatMap(({ access, written }) => {
      const path = plainPath(written, home);
      return path === undefined ? [] : [{ access, path: absolutePath(path, cwd) }];
    });
  });
  return [...new Map(found.map((use) => [`${use.access} ${use.path}`, use])).values()];
}
