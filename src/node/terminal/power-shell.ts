// PowerShell as a shell for commands: where it is, and the script that runs one command in it and reports how it really ended.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { CREDENTIAL_VARIABLES, isCredentialVariable } from '../../core/text/credentials';
import { type RunFiles } from './run-files';

/** For this process alone: no profile, no questions, and scripts may run. */
export const POWER_SHELL_ARGUMENTS = [
  '-NoLogo',
  '-NoProfile',
  '-NonInteractive',
  '-ExecutionPolicy',
  'Bypass',
] as const;

/** PowerShell 7, else the one of Windows; undefined where there is none. */
export function findPowerShell(
  environment: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  const windows = platform === 'win32';
  const rules = windows ? path.win32 : path.posix;
  const value = (name: string) => Object.entries(environment).find(([key]) => key.toUpperCase() === name)?.[1] ?? '';
  const folders = value('PATH')
    .split(rules.delimiter)
    .filter((folder) => rules.isAbsolute(folder));
  const seven = folders.map((folder) => rules.join(folder, windows ? 'pwsh.exe' : 'pwsh'));
  const root = value('SYSTEMROOT');
  const older =
    windows && rules.isAbsolute(root)
      ? [rules.join(root, 'System32', 'WindowsPowerShell', 'v1.0', 'powershell.exe')]
      : [];
  return [...seven, ...older].find((file) => existsSync(file));
}

/** The same run with names that PowerShell takes for scripts. */
export function powerShellRunFiles(files: RunFiles): RunFiles {
  return {
    ...files,
    command: files.command.replace(/\.sh$/, '.ps1'),
    wrapper: files.wrapper.replace(/\.w$/, '.w.ps1'),
  };
}

/** Windows PowerShell takes a file without a mark for one in the system's old encoding. */
const MARK = '\ufeff';

/** The command as a script: its last line says whether the last statement did what it should. */
export function powerShellScript(command: string, flag: string): string {
  return `${MARK}${command}\n$global:${flag} = $?\n`;
}

export interface PowerShellWrapperOptions {
  files: RunFiles;
  /** A variable's name that the command cannot know. */
  flag: string;
  /** Value of `DEFT_RUN`. */
  mark: string;
  cwd: string;
  /** Variables to set, or with null to unset. */
  variables: Readonly<Record<string, string | null>>;
}

/**
 * A PowerShell script. Its parts:
 * - The first wrapper that starts claims the run, and writes its process id: no such file proves that nothing ran.
 * - The command runs as a script of its own: `exit` ends that script alone, and the code is what it gave.
 * - Without `exit`, the code is 0 where the last statement did what it should, else that of the last program, else 1.
 * - The exit code is moved into place when it is complete. What the command printed is complete when the process is over:
 *   its output is the file itself, and whoever started the process writes the end mark then.
 */
export function powerShellWrapper({ files, flag, mark, cwd, variables }: PowerShellWrapperOptions): string {
  const part = `${files.exitCode}.part`;
  const lines = [
    '# Deft runs one command and keeps its output and exit code.',
    ...CREDENTIAL_VARIABLES.map((name) => assignment(name, null)),
    `try { [IO.File]::Open(${quote(files.claim)}, 'CreateNew').Dispose() } catch { exit 125 }`,
    ...Object.entries(variables).flatMap(([name, value]) => (isPlain(name) ? [assignment(name, value)] : [])),
    assignment('DEFT_RUN', mark),
    `try { Set-Location -LiteralPath ${quote(cwd)} -ErrorAction Stop } catch { exit 125 }`,
    `try { [IO.File]::WriteAllText(${quote(files.pid)}, "$PID\`n") } catch { exit 125 }`,
    'try { [Console]::OutputEncoding = $OutputEncoding = New-Object System.Text.UTF8Encoding $false } catch { }',
    "$ProgressPreference = 'SilentlyContinue'",
    "if ($PSStyle) { $PSStyle.OutputRendering = 'PlainText' }",
    '$global:LASTEXITCODE = 0',
    `$global:${flag} = $null`,
    `$global:${flag}_code = 0`,
    'try {',
    `  & ${quote(files.command)}`,
    `  if ($null -eq $global:${flag}) { $global:${flag}_code = $global:LASTEXITCODE }`,
    `  elseif (-not $global:${flag}) { $global:${flag}_code = if ($global:LASTEXITCODE) { $global:LASTEXITCODE } else { 1 } }`,
    '} catch {',
    '  [Console]::Error.WriteLine(($_ | Out-String).TrimEnd())',
    `  $global:${flag}_code = 1`,
    '}',
    `try { [IO.File]::WriteAllText(${quote(files.farewell)}, "$($global:${flag}_code)\`n$((Get-Location -PSProvider FileSystem).ProviderPath)\`n") } catch { }`,
    `[IO.File]::WriteAllText(${quote(part)}, "$($global:${flag}_code)\`n")`,
    `[IO.File]::Move(${quote(part)}, ${quote(files.exitCode)})`,
    `exit $global:${flag}_code`,
  ];
  return `${MARK}${lines.join('\n')}\n`;
}

/** One literal; curly quotes end it like straight ones, so they are doubled too. */
export function quote(text: string): string {
  return `'${text.replace(/['\u2018-\u201b]/g, '$&$&')}'`;
}

function assignment(name: string, value: string | null): string {
  return value === null
    ? `Remove-Item -LiteralPath ${quote(`Env:${name}`)} -ErrorAction Ignore`
    : `$env:${name} = ${quote(value)}`;
}

function isPlain(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !isCredentialVariable(name);
}
