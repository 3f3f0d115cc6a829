// The hooks of a run: those of settings files and plugins, and those that the program registers while it runs.
import { judgeHooks, type JudgedHooks } from '../core/hooks/hook-settings';
import { readCallbackHooks } from './control/control-hooks';
import { type RunBasis } from './run-basis';
import { withPluginHooks } from './run-plugins';

export interface RunHooks {
  /** Those that the run began with. */
  atStart: JudgedHooks;
  /** The current ones. */
  current(): JudgedHooks;
  /** Replaces the hooks of the program; a sentence where they cannot be used. */
  register(given: unknown): string | undefined;
  /** Plugins are others now; the hooks of the program stay. */
  reread(): void;
}

export function createRunHooks({
  options,
  settings,
  plugins,
  cwd,
}: Pick<RunBasis, 'options' | 'settings' | 'plugins' | 'cwd'>): RunHooks {
  // Nobody can be asked about hooks of the project: --trust-project is the user's word for all of them.
  const judged = (): JudgedHooks => ({
    ...judgeHooks(
      withPluginHooks(settings.hooks, plugins),
      options.trustProject ? { trusted: true, consent: { isApproved: () => true } } : { trusted: false },
    ),
    refuses: async ({ plugin }) => (plugin === undefined ? undefined : plugins.refuses(plugin)),
  });
  const atStart = judged();
  let hooks = atStart;
  return {
    atStart,
    current: () => hooks,
    register(given) {
      const entries = readCallbackHooks(given, cwd);
      if (typeof entries === 'string') return entries;
      const { active } = judgeHooks({ ...settings.hooks, entries }, { trusted: false });
      hooks = { ...hooks, active: [...hooks.active.filter(({ handler }) => handler.type !== 'callback'), ...active] };
      return undefined;
    },
    reread() {
      const now = judged();
      hooks = { ...now, active: [...now.active, ...hooks.active.filter(({ handler }) => handler.type === 'callback')] };
    },
  };
}
