// The text that "@terminal" stands for: the last command of the active terminal, and the end of what it wrote.
import { tailOf } from '../../shared/cut-text';
import { redactText, type Secrets } from '../../core/text/redact';
import type { ShellRun } from './shell-executions';

const maxChars = 12_000;

/** `active` is the terminal that was in front last; without one, the newest command of all counts. */
export function mentionedTerminal(
  runs: readonly ShellRun[],
  active: { readonly name: string } | undefined,
  secrets: Secrets,
): string {
  const run = active === undefined ? runs[0] : runs.find(({ terminal }) => terminal === active);
  if (run === undefined) {
    const where = active === undefined ? 'No terminal is open' : `No command of the terminal "${active.name}" is known`;
    return `${where}: VS Code tells of those that were run while Deft is active, in shells with shell integration.`;
  }
  const output = run.output();
  // Before it is cut: half a secret would not be recognised.
  const whole = redactText(output.text, secrets);
  const shown = tailOf(whole, maxChars);
  const cut = output.cut || shown.length < whole.length;
  const end = run.running
    ? 'It still runs.'
    : run.exitCode === undefined
      ? 'How it ended is not known.'
      : `Exit code ${run.exitCode}.`;
  return [
    `The last command of the terminal "${run.terminal.name}":`,
    `$ ${redactText(run.command, secrets)}`,
    ...(cut ? ['[the beginning of its output is left out]'] : []),
    shown === '' ? '[it wrote nothing]' : shown,
    end,
  ].join('\n');
}
