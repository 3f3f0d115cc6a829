// PowerShell: runs a command in PowerShell, where there is no bash or where a rule names it.
import { parsePowerShell, type PowerShellCommand } from '../../permissions/power-shell/power-shell-command';
import { isReadOnlyPowerShell } from '../../permissions/power-shell/power-shell-line';
import {
  type BashInput,
  commandDetail,
  commandSentence,
  commandView,
  DEFAULT_TIMEOUT_MS,
  killedAtTimeout,
  MAX_TIMEOUT_MS,
  NOTES_CHARACTERS,
  plainInput,
  runCommand,
  type ShellWords,
} from './bash';
import { bashForHooks } from './bash-for-hooks';
import { type BashOutput, bashOutputSchema } from './bash-output';
import { bashResultBlock, MAX_RESULT_CHARACTERS } from './bash-result';
import { buildTool, promptOf } from '../../tool/build-tool';
import { type CommandLimits } from '../../settings/command-limits';
import { inThousands } from '../../text/size-text';
import prompt from './power-shell.md';
import { type Tool } from '../../tool/tool';

/** The host passes the limits that the user has set. */
export function createPowerShellTool(options: CommandLimits = {}): Tool<BashInput, BashOutput> {
  const defaultMs = options.defaultTimeoutMs ?? DEFAULT_TIMEOUT_MS;
  const maxMs = Math.max(options.maxTimeoutMs ?? MAX_TIMEOUT_MS, defaultMs);
  const maxLength = options.maxOutputLength ?? MAX_RESULT_CHARACTERS;
  return buildTool<BashInput, BashOutput>({
    name: 'PowerShell',
    aliases: ['powershell', 'PowerShellTool'],
    prompt: promptOf(
      prompt
        .replace('{default}', String(defaultMs))
        .replace('{max}', String(maxMs))
        .replace('{limit}', inThousands(maxLength)),
    ),
    ...plainInput,
    outputSchema: bashOutputSchema,
    strict: true,
    hookOutput: bashForHooks,
    access: 'DangerFullAccess',
    // Longer output is cut where it is made a result; this leaves room for notes.
    maxResultSizeChars: maxLength + NOTES_CHARACTERS,
    isEnabled: ({ platform, shells = [], names, runsCommands }) =>
      runsCommands?.() !== false &&
      shells.includes('powershell') &&
      (names('PowerShell') || (platform === 'win32' && !shells.includes('bash'))),
    isReadOnly: ({ command }) => isReadOnlyPowerShell({ parsed: parsePowerShell(command) }),
    isConcurrencySafe: ({ command, run_in_background }) =>
      run_in_background !== true && isReadOnlyPowerShell({ parsed: parsePowerShell(command) }),
    targets: ({ command }) => [{ kind: 'command', command }],
    describe: commandSentence,
    validateInput: async ({ command }) =>
      command.includes('\0')
        ? { ok: false, code: 'nul-character', message: 'command must not contain a NUL character.' }
        : { ok: true },
    preview: async ({ command }) => ({ view: { kind: 'terminal', command, state: 'not-started', tail: '', bytes: 0 } }),
    call: (input, context) =>
      runCommand(
        input,
        context,
        { timeoutMs: Math.min(input.timeout ?? defaultMs, maxMs), shown: maxLength },
        options.withoutBackground === true ? killedAtTimeout(powerShellWords) : powerShellWords,
      ),
    mapToolResultToToolResultBlockParam: (output, toolUseId, offers) =>
      bashResultBlock(output, toolUseId, maxLength, offers),
    view: commandView,
    detail: commandDetail,
  });
}

export const powerShellTool = createPowerShellTool();

/** robocopy reports what it did by codes up to 7; from 8 on something could not be copied. */
const COPIED = 7;
const ANSWERS: ReadonlyMap<string, string> = new Map([
  ['findstr', 'nothing matched'],
  ['grep', 'nothing matched'],
  ['rg', 'nothing matched'],
  ['fc', 'the files differ'],
]);

export const powerShellWords: ShellWords = {
  shell: 'powershell',
  onTimeoutOf(command) {
    const parsed = parsePowerShell(command);
    return parsed.ok && !parsed.commands.some((one) => ['start-sleep', 'git'].includes(programOf(one)))
      ? 'background'
      : 'kill';
  },
  meaningOf(command, code) {
    const parsed = parsePowerShell(command);
    const last = parsed.ok ? parsed.commands.at(-1) : undefined;
    if (last === undefined) return undefined;
    if (programOf(last) === 'robocopy')
      return code > 0 && code <= COPIED ? 'robocopy copied files or found extra ones, without a failure' : undefined;
    return code === 1 ? ANSWERS.get(programOf(last)) : undefined;
  },
};

function programOf({ name }: PowerShellCommand): string {
  return name.replace(/^.*[\\/]/, '').replace(/\.exe$/, '');
}
