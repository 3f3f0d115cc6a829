// Hooks for tests: entries as a settings file would give them, and ports that run them.
import { type HookEntry } from '../../src/core/hooks/hook-entry';
import { type HookEvent } from '../../src/core/ports/hook-events';
import { type HookResult, type HookCommand, type HookHandlers } from '../../src/core/ports/hook-handlers';

export function commandHook(event: HookEvent, command: string, more: Partial<HookEntry> = {}): HookEntry {
  return {
    event,
    matcher: '',
    handler: { type: 'command', command },
    source: 'userSettings',
    file: '/home/ann/.claude/settings.json',
    root: '/home/ann/.claude',
    ...more,
  };
}

/** Ends only when it is stopped. */
export function hangingHooks(started: () => void): HookHandlers {
  return {
    command: (_hook, _onLine, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve({ kind: 'cancelled' }), { once: true });
        started();
      }),
    post: () => unused(),
    watch: () => () => undefined,
  };
}

/** Commands as functions of what they get. */
export function scriptedHooks(
  run: (
    hook: HookCommand,
    input: Record<string, unknown>,
  ) => Partial<Extract<HookResult, { kind: 'ended' }>> | undefined,
): HookHandlers {
  return {
    command: async (hook) => ({
      kind: 'ended',
      exitCode: 0,
      stdout: '',
      stderr: '',
      ...run(hook, JSON.parse(hook.input) as Record<string, unknown>),
    }),
    post: () => unused(),
    watch: () => () => undefined,
  };
}

function unused(): never {
  throw new Error('This test posts nothing.');
}
