// What a PowerShell line runs in addition to its own commands: text given to another shell, encoded or as arguments of a runner.
import {
  type ParsedPowerShell,
  parsePowerShell,
  type PowerShellCommand,
  type PowerShellWord,
  roughCommands,
} from './power-shell-command';

export interface HiddenLine {
  text: string;
  parsed: ParsedPowerShell;
  /** What it was read as: exactly where it is plain, else in each form that it may stand for. */
  commands: PowerShellCommand[];
}

/** The line itself and all that it may run in turn. For deny and ask rules, never for allow rules: it guesses generously. Not `complete`: there is more than is worth looking at. */
export function withHiddenLines(line: string): { lines: HiddenLine[]; complete: boolean } {
  const found: HiddenLine[] = [];
  const seen = new Set<string>();
  let level = [line];
  for (let depth = 0; depth <= maxDepth && level.length > 0; depth++) {
    const next: string[] = [];
    for (const text of level) {
      if (seen.has(text)) continue;
      if (found.length >= maxLines) return { lines: found, complete: false };
      seen.add(text);
      const parsed = parsePowerShell(text);
      const commands = (parsed.ok ? parsed.commands : roughCommands(text)).map(withoutModule);
      found.push({ text, parsed, commands });
      next.push(...commands.flatMap(codeOf));
    }
    level = next;
  }
  return { lines: found, complete: level.every((text) => seen.has(text)) };
}

/** `Module\Cmdlet` is the cmdlet. */
function withoutModule(command: PowerShellCommand): PowerShellCommand {
  return { ...command, name: command.name.replace(/^.*\\(?=[a-z]+-[a-z]+$)/, '') };
}

/** True where a command is given its program in a form that nobody reads. */
export function isEncoded(command: PowerShellCommand): boolean {
  return shells.has(programOf(command)) && command.words.some(({ value }) => encodedOption.test(value));
}

/** A rule for it would allow more than it names: what it runs stands in its arguments or comes from elsewhere. */
export function runsCode({ name }: PowerShellCommand): boolean {
  return runners.has(name);
}

/** True where the line runs something that stands nowhere in its text, or that nobody can read there. */
export function runsUnread({ parsed, commands }: HiddenLine): boolean {
  return (
    !parsed.ok ||
    commands.some((command) => isEncoded(command) || readsProgram(command) || command.words.some(definesCommand))
  );
}

/** It is given its program through the pipe: `iwr … | iex`, `… | powershell -`, `… | % Invoke`; a method may do anything, too: `… | % Delete`. */
function readsProgram(command: PowerShellCommand): boolean {
  if (!command.piped) return false;
  if (command.name === 'foreach-object')
    return command.words.slice(1).some(({ value }) => !/^-/.test(value) && !properties.test(value));
  return runners.has(command.name) || shells.has(programOf(command));
}

/** Members that are only read. */
const properties =
  /^(name|fullname|basename|extension|length|count|id|path|line|linenumber|value|key|keys|values|matches|groups|directory|directoryname|parent|root|mode|version|status|processname|title|message|lastwritetime|creationtime|source)$/i;

/** `Set-Item alias:x Remove-Item`, `New-Item function:x`: from then on `x` is another command. */
function definesCommand({ value }: PowerShellWord): boolean {
  return /^(?:-[a-z]+:)?(?:[\w.\\]+::)?(?:alias|function):/i.test(value);
}

const maxDepth = 3;
const maxLines = 100;

/** `-e`, `-ec` and every abbreviation of `-EncodedCommand`. */
const encodedOption = /^(?:--?|[–—―/])e(?:c|n[a-z]*)?$/i;
const shells = new Set(['powershell', 'pwsh', 'cmd', 'bash', 'sh', 'wsl']);
const runners = new Set(
  'invoke-expression invoke-command start-process start-job start-threadjob invoke-item foreach-object add-type import-module set-alias new-alias new-psdrive invoke-cimmethod invoke-wmimethod register-scheduledjob register-objectevent'.split(
    ' ',
  ),
);

function codeOf(command: PowerShellCommand): string[] {
  const program = programOf(command);
  if (!shells.has(program) && !runners.has(command.name)) return [];
  const values = command.words.slice(1).map(({ value }) => value);
  const encoded = values.flatMap((value, index) =>
    shells.has(program) && encodedOption.test(value) ? [decoded(values[index + 1] ?? '')] : [],
  );
  // After the options, wherever those end.
  const tails = values.flatMap((value, index) =>
    /^[-/–—―]/.test(value) || index >= maxTails
      ? []
      : [
          values
            .slice(index)
            .filter((one) => !startOption.test(one))
            .join(' '),
        ],
  );
  return [...encoded, ...values.filter((value) => /\s/.test(value)), ...tails].filter((text) => text.trim() !== '');
}

const maxTails = 20;
const startOption = /^-(argumentlist|args?|filepath|wait|nonewwindow|verb|windowstyle)$/i;

function programOf({ name }: PowerShellCommand): string {
  return name.replace(/^.*[\\/]/, '').replace(/\.exe$/, '');
}

/** Base64 of UTF-16, as PowerShell takes it; `''` where it is none. */
function decoded(text: string): string {
  if (text.length > 100_000 || !/^[A-Za-z\d+/]+={0,2}$/.test(text)) return '';
  const bytes: number[] = [];
  let bits = 0;
  let held = 0;
  for (const character of text.replaceAll('=', '')) {
    held = ((held << 6) | alphabet.indexOf(character)) & 0xffff;
    bits += 6;
    if (bits >= 8) bytes.push((held >> (bits -= 8)) & 0xff);
  }
  let result = '';
  for (let index = 0; index + 1 < bytes.length; index += 2)
    result += String.fromCharCode((bytes[index] ?? 0) | ((bytes[index + 1] ?? 0) << 8));
  return result;
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
