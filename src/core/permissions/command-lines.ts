// The command lines of a call, parsed: read once, and passed to everything that asks about them.
import { type BashLine, isReadOnlyBash, readBash } from './bash/bash-line';
import { isReadOnlyPowerShell, type PowerShellLine, readPowerShell } from './power-shell/power-shell-line';
import { bashCalls, bashTools } from './rules/tool-rules';
import { type PermissionCall } from './rules/verdict';

export type CommandLine = BashLine | PowerShellLine;
/** By their text. */
export type CommandLines = ReadonlyMap<string, CommandLine>;

/** The tool whose rules hold for the command lines of a tool. */
export function commandTool(tool: string): string {
  return bashTools.has(tool) || bashCalls.has(tool) ? 'Bash' : tool;
}

/** Undefined for a tool whose commands Deft does not read. */
export function readCommand(tool: string, text: string): CommandLine | undefined {
  if (commandTool(tool) === 'Bash') return readBash(text);
  return tool === 'PowerShell' ? readPowerShell(text) : undefined;
}

export function readCommands({ tool, targets }: Pick<PermissionCall, 'tool' | 'targets'>): CommandLines {
  const texts = targets.flatMap((target) =>
    target.kind === 'command' ? [target.command, ...(target.means ?? []).map(({ text }) => text)] : [],
  );
  return new Map(
    texts.flatMap((text): [string, CommandLine][] => {
      const line = readCommand(tool, text);
      return line === undefined ? [] : [[text, line]];
    }),
  );
}

export function isReadOnlyLine(line: CommandLine): boolean {
  return line.shell === 'Bash' ? isReadOnlyBash(line) : isReadOnlyPowerShell(line);
}
