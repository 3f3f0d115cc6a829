// The sandbox as one session's tools see it: where a command runs, and the command as it runs there.
import { commandPattern } from '../permissions/rules/command-pattern';
import { parseShell } from '../permissions/bash/shell-command';
import { movesFolder } from '../permissions/bash/simple-command';
import { type PermissionContext } from '../permissions/rules/verdict';
import { type CommandSandbox, type SandboxedCommand } from '../ports/command-sandbox';
import { type CommandLimits } from '../settings/command-limits';
import { sandboxPlan } from './sandbox-policy';
import { sandboxSettings, type SandboxSettings } from './sandbox-settings';

/** A sandbox that was asked for, as the session's host found it. */
export interface OpenSandbox {
  settings: SandboxSettings;
  /** Why there is none after all, as a sentence. Commands then ask as they do without one. */
  unavailable?: string;
  port?: CommandSandbox;
}

export interface ToolSandbox {
  /** Once: who switched it on must know that it is not there. */
  reportIfMissing(onMissing: (reason: string) => void): void;
  /** `left`: the model asks to run it outside, which the user decides each time. `outside`: the ordinary rules alone hold. */
  placeOf(command: string, wantsOut: boolean): 'inside' | 'left' | 'outside';
  /** Commands inside may run unasked where only their name is unknown. */
  autoAllows(): boolean;
  allowsUnsandboxed: boolean;
  wrap(command: string, signal: AbortSignal): Promise<SandboxedCommand>;
}

/** Undefined where the settings do not switch one on. `value` is the `sandbox` object of the settings files. */
export async function openSandbox(port: CommandSandbox | undefined, value: unknown): Promise<OpenSandbox | undefined> {
  const settings = sandboxSettings(value);
  if (!settings.enabled && settings.problems.length === 0) return undefined;
  if (settings.problems.length > 0) return { settings, unavailable: settings.problems.join(' ') };
  if (port === undefined) return { settings, unavailable: 'There is no sandbox for this kind of workspace.' };
  const found = await port.available();
  return found.ok ? { settings, port } : { settings, unavailable: found.reason };
}

/** Why nothing starts: settings want commands in a sandbox or not at all, and there is none. `file`: the one that says so. */
export function requiredSandbox(sandbox: OpenSandbox | undefined, file: string | undefined): string | undefined {
  if (sandbox?.unavailable === undefined || !sandbox.settings.required) return undefined;
  return `Deft does not start without a sandbox (\`sandbox.failIfUnavailable\` in ${file ?? 'your settings'}). ${sandbox.unavailable}`;
}

/** What the model is sent about it: nothing where it is missing. */
export function sandboxLimits(sandbox: OpenSandbox | undefined): Pick<CommandLimits, 'sandbox'> {
  return sandbox === undefined || sandbox.unavailable !== undefined
    ? {}
    : { sandbox: { allowsUnsandboxed: sandbox.settings.allowsUnsandboxed } };
}

export function createToolSandbox(
  { settings, unavailable, port }: OpenSandbox,
  context: () => PermissionContext,
): ToolSandbox {
  let reported = false;
  const isOff = unavailable !== undefined || port === undefined;
  return {
    reportIfMissing(onMissing) {
      // Where it is required, no turn starts, and that says so.
      if (unavailable !== undefined && !settings.required && !reported) onMissing(unavailable);
      reported = true;
    },
    allowsUnsandboxed: settings.allowsUnsandboxed,
    placeOf(command, wantsOut) {
      if (isExcluded(command, settings.excludedCommands)) return 'outside';
      // Where it is required, a command that should be inside does not run at all.
      if (isOff) return settings.required ? 'inside' : 'outside';
      return wantsOut && settings.allowsUnsandboxed ? 'left' : 'inside';
    },
    autoAllows: () => !isOff && settings.autoAllow && sandboxPlan(settings, context()).unheld.length === 0,
    async wrap(command, signal) {
      if (isOff) throw new Error(unavailable ?? 'There is no sandbox.');
      return port.wrap(command, sandboxPlan(settings, context()).policy, signal);
    },
  };
}

/** Every command of the line must be one of them: what stands next to an excluded one stays inside, and the excluded one with it. */
function isExcluded(line: string, excluded: readonly string[]): boolean {
  if (excluded.length === 0) return false;
  const parsed = parseShell(line);
  if (!parsed.ok || parsed.commands.length === 0) return false;
  const patterns = excluded.flatMap((entry) =>
    entry.includes('*') ? [commandPattern(entry)] : [commandPattern(entry), commandPattern(`${entry}:*`)],
  );
  const named = (text: string): boolean => patterns.some((pattern) => pattern.matches(text));
  return (
    parsed.commands.some(({ text }) => named(text)) &&
    parsed.commands.every((command) => named(command.text) || movesFolder(command.words))
  );
}
