// The HookHandlers port on Node.
import { type HookHandlers, type HookResult } from '../../core/ports/hook-handlers';
import { messageOf } from '../../core/text/errors';
import { visibleKey, withheldText } from '../../core/text/hidden-text';
import { runHookCommand } from './hook-command';
import { withheldFromHook } from './hook-environment';
import { HookProcesses } from './hook-processes';
import { postHook } from './hook-post';
import { watchFiles } from './watched-files';

export interface NodeHookOptions {
  /** Complete; credentials are taken out of it. */
  environment: () => Promise<NodeJS.ProcessEnv>;
  /** Variables that all of them get though they look like credentials; omitted if the commands get everything. */
  passed?: () => readonly string[];
}

export function createNodeHookHandlers({ environment, passed }: NodeHookOptions): HookHandlers {
  const processes = new HookProcesses();
  return {
    command: async (hook, onLine, signal) => {
      try {
        const own = await environment();
        const withheld = passed === undefined ? [] : await withheldFromHook(hook, own, passed());
        const left = Object.fromEntries(Object.entries(own).filter(([name]) => !withheld.includes(name)));
        return tellWithheld(await runHookCommand(hook, { environment: left, processes }, onLine, signal), withheld);
      } catch (error) {
        return { kind: 'failed', message: messageOf(error) };
      }
    },
    post: async (hook, signal) => postHook(hook, await environment(), signal),
    ended: () => processes.ended(),
    watch: watchFiles,
  };
}

/** A failure may have its cause there. With 2 a hook does not fail: it says no, and why. */
function tellWithheld(result: HookResult, withheld: readonly string[]): HookResult {
  if (result.kind !== 'ended' || result.exitCode === 0 || result.exitCode === 2 || withheld.length === 0) return result;
  const [name = ''] = withheld;
  const note = withheldText(
    withheld,
    `a hook gets only the credentials that it names. Name one in its command or script, in its \`allowedEnvVars\`, or in \`${visibleKey}\` (e.g. "${name}").`,
  );
  return {
    ...result,
    stderr: `${result.stderr}${result.stderr === '' || result.stderr.endsWith('\n') ? '' : '\n'}${note}`,
  };
}
