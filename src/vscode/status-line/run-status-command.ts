// Runs the command of `statusLine`; a project's only while its scripts are those that the user allowed.
import { type HookEntry } from '../../core/hooks/hook-entry';
import { type HookHandlers } from '../../core/ports/hook-handlers';

export interface StatusCommand {
  command: string;
  /** Set where it is a project's. */
  project: HookEntry | undefined;
  cwd: string;
  input: string;
}

export interface StatusCommandServices {
  handlers: Pick<HookHandlers, 'command'>;
  gate: { refuses(entry: HookEntry, cwd: string): Promise<string | undefined> };
}

type Result = Awaited<ReturnType<HookHandlers['command']>>;

export async function runStatusCommand(
  { command, project, cwd, input }: StatusCommand,
  { handlers, gate }: StatusCommandServices,
  signal: AbortSignal,
): Promise<Result | { kind: 'refused'; message: string }> {
  const refused = project === undefined ? undefined : await gate.refuses(project, cwd);
  if (refused !== undefined) return { kind: 'refused', message: refused };
  return handlers.command({ command, cwd, input, variables: {} }, () => undefined, signal);
}
