// A command in the sandbox: how it gets there, and what is reported when the sandbox stood in its way.
import { messageOf } from '../../text/errors';
import { type CommandProgress, type CommandRequest, type CommandResult } from '../../ports/terminal';
import { type SandboxedCommand } from '../../ports/command-sandbox';
import { type ToolContext, type ToolFailure } from '../../tool/tool';

export interface PlacedRun {
  result: CommandResult;
  sandboxed: boolean;
  /** What the sandbox refused, for the model. */
  refusals: string[];
}

/** Inside where that is its place. What should run inside and cannot does not run at all. */
export async function runInPlace(
  request: CommandRequest,
  wantsOut: boolean,
  context: ToolContext,
  report: (progress: CommandProgress) => void,
): Promise<PlacedRun | ToolFailure> {
  const { session, ports, signal } = context;
  const { sandbox } = session;
  if (
    sandbox === undefined ||
    (request.shell ?? 'bash') !== 'bash' ||
    sandbox.placeOf(request.command, wantsOut) !== 'inside'
  ) {
    return { result: await ports.terminal.run(request, report, signal), sandboxed: false, refusals: [] };
  }
  let command: SandboxedCommand;
  try {
    command = await sandbox.wrap(request.command, signal);
  } catch (error) {
    signal.throwIfAborted();
    return {
      failure: {
        code: 'sandbox-failed',
        message: `The command was not run because the sandbox could not start it: ${messageOf(error)}`,
      },
    };
  }
  let goesOn = false;
  try {
    const result = await ports.terminal.run({ ...request, runs: command.text }, report, signal);
    goesOn = result.end.state === 'background';
    if (result.end.state === 'background') takeDownAtEnd(result.end.taskId, context, command.ended);
    return {
      result,
      sandboxed: true,
      refusals: refusalNotes(result, await command.refused(), sandbox.allowsUnsandboxed),
    };
  } finally {
    if (!goesOn) await command.ended();
  }
}

/** It may have ended before anybody listens. */
function takeDownAtEnd(taskId: string, { ports: { terminal } }: ToolContext, ended: () => Promise<void>): void {
  const stop = terminal.onBackgroundEnd((command) => {
    if (command.taskId !== taskId) return;
    stop();
    void ended();
  });
  if (terminal.background().some((command) => command.taskId === taskId && command.end !== undefined)) {
    stop();
    void ended();
  }
}

/** What programs print when the system refuses: bubblewrap and Seatbelt have no words of their own. */
const refusal =
  /^.*(?:read-only file system|operation not permitted|permission denied|EROFS|EPERM|EACCES|could not resolve host|network is unreachable|ENETUNREACH|EAI_AGAIN|temporary failure in name resolution|blocked-by-allowlist|403 .*(?:CONNECT|proxy)|CONNECT tunnel failed).*$/gim;
const shownLines = 5;
const lineCharacters = 200;

/** `refused` is what the sandbox's own proxy and monitor know of. Empty where nothing points to the sandbox. */
export function refusalNotes(
  result: Pick<CommandResult, 'end' | 'output'>,
  refused: readonly string[],
  allowsUnsandboxed: boolean,
): string[] {
  const failed = result.end.state === 'exited' && result.end.code !== 0;
  const printed = failed
    ? [...new Set(result.output.match(refusal) ?? [])].map((line) => line.trim().slice(0, lineCharacters))
    : [];
  if (refused.length === 0 && printed.length === 0) return [];
  const facts = [
    ...(refused.length === 0 ? [] : [`The sandbox refused: ${refused.slice(-shownLines).join('; ')}.`]),
    ...(refused.length > 0 || printed.length === 0
      ? []
      : [`The sandbox may have caused: ${printed.slice(-shownLines).join('; ')}.`]),
  ];
  const way = allowsUnsandboxed
    ? 'If the command needs that, run it again with dangerouslyDisableSandbox: the user is asked. Otherwise find a way within the sandbox.'
    : 'Commands cannot leave the sandbox here: find a way within it, or tell the user what the settings must allow.';
  return [
    `${facts.join(' ')} In the sandbox, commands can write only in the workspace and $TMPDIR, and reach only allowed hosts. ${way}`,
  ];
}
