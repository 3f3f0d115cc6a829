// The command line of a task, as far as the extension that provides it tells.
import * as vscode from 'vscode';
import { shellWord } from '../../core/text/shell-quoted';

/** VS Code asks the user for these, or runs one of its own commands, when the task starts. */
const computed = /\$\{(?:input|command):[^}]*\}/;

/** Undefined where the task runs code of an extension, or in a shell of its own choice: how that reads the line is not known. */
export function commandOf(execution: vscode.Task['execution']): { command?: string; obstacle?: string } {
  if (execution instanceof vscode.ProcessExecution)
    return checked([execution.process, ...execution.args].map(shellWord).join(' '));
  if (!(execution instanceof vscode.ShellExecution)) return {};
  const { command, args = [], options } = execution;
  const line = execution.commandLine ?? [wordOf(command), ...args.map(wordOf)].join(' ');
  const { obstacle, ...known } = checked(line);
  if (obstacle !== undefined) return { obstacle };
  return options?.executable === undefined ? known : {};
}

function checked(command: string): { command: string; obstacle?: string } {
  const [part] = computed.exec(command) ?? [];
  return part === undefined
    ? { command }
    : { command, obstacle: `VS Code computes \`${part}\` of its command when it starts. The user has to run it.` };
}

function wordOf(word: string | vscode.ShellQuotedString | undefined): string {
  if (word === undefined) return '';
  if (typeof word !== 'string') return shellWord(word.value);
  // As VS Code does it: what has a space is quoted, and everything else is the shell's to read.
  return /\s/.test(word) ? shellWord(word) : word;
}
