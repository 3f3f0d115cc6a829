// A run's outcome in the words of the Terminal port.
import path from 'node:path';
import { type CommandRequest, type CommandResult } from '../../core/ports/terminal';
import { type RunOutcome } from './command-run';
import { readOutput } from './output-file';

/** The shell of the capture wrapper: `( … ) &` continues in a copy of it. */
const ownShell = /^\S+ -c echo \$\$ >\S+\.pid'? \|\| exit 125;/;

export async function resultOf(request: CommandRequest, output: string, outcome: RunOutcome): Promise<CommandResult> {
  const { end, incomplete, survivors, notes, durationMs, cut } = outcome;
  return {
    end,
    ...(await textOf(output, outcome.outputEnd, cut)),
    ...(cut ? { cut } : {}),
    incomplete,
    outputPath: portable(output),
    cwd: outcome.cwd === undefined ? request.cwd : portable(outcome.cwd),
    durationMs,
    survivors: survivors.map(({ pid, command }) => ({
      pid,
      command: ownShell.test(command) ? 'a part of the command itself' : command,
    })),
    notes,
  };
}

/** Outputs up to this size are whole in the log. */
const LOGGED_BYTES = 4_000;

/** Whether something that stays names the file: a cut result, a card with a part of it, a process that writes on. */
export function needsOutputFile(
  { shownCharacters = LOGGED_BYTES }: Pick<CommandRequest, 'shownCharacters'>,
  { totalBytes, survivors, end }: CommandResult,
): boolean {
  return totalBytes > Math.min(LOGGED_BYTES, shownCharacters) || survivors.length > 0 || end.state === 'suspended';
}

/** The output up to `end`, with a note where its middle is left out. */
export async function textOf(
  output: string,
  end: number,
  cut = false,
): Promise<Pick<CommandResult, 'output' | 'omittedBytes' | 'totalBytes'>> {
  const { head, tail, omittedBytes, totalBytes } = await readOutput(output, end);
  const gap = `\n[... ${omittedBytes} bytes left out here${cut ? '' : `; all of it is in ${portable(output)}`} ...]\n`;
  return { output: omittedBytes > 0 ? head + gap + tail : head, omittedBytes, totalBytes };
}

export function notStarted(request: CommandRequest, message: string, durationMs: number): CommandResult {
  return {
    end: { state: 'not-started', message },
    output: '',
    omittedBytes: 0,
    totalBytes: 0,
    incomplete: false,
    outputPath: '',
    cwd: request.cwd,
    durationMs,
    survivors: [],
    notes: [],
  };
}

/** As ports have paths: with forward slashes. */
export const portable = (file: string) => file.split(path.sep).join('/');
