// The HookHandlers port on Node.
import { type HookHandlers } from '../../core/ports/hook-handlers';
import { messageOf } from '../../core/text/errors';
import { runHookCommand } from './hook-command';
import { HookProcesses } from './hook-processes';
import { postHook } from './hook-post';
import { watchFiles } from './watched-files';

export interface NodeHookOptions {
  /** Complete; credentials are taken out of it. */
  environment: () => Promise<NodeJS.ProcessEnv>;
}

export function createNodeHookHandlers({ environment }: NodeHookOptions): HookHandlers {
  const processes = new HookProcesses();
  return {
    command: async (hook, onLine, signal) => {
      try {
        return await runHookCommand(hook, { environment: await environment(), processes }, onLine, signal);
      } catch (error) {
        return { kind: 'failed', message: messageOf(error) };
      }
    },
    post: async (hook, signal) => postHook(hook, await environment(), signal),
    ended: () => processes.ended(),
    watch: watchFiles,
  };
}
