// Hooks that are functions of the program which runs Deft: registered with `initialize`, called by `hook_callback` requests.
import { z } from 'zod/v3';
import { type HookEntry } from '../../core/hooks/hook-entry';
import { isHookEvent } from '../../core/ports/hook-events';
import { invalidMatcher } from '../../core/hooks/hook-matcher';
import { type HookHandlers } from '../../core/ports/hook-handlers';
import { type ControlChannel } from './control-channel';

const matcherSchema = z.object({
  matcher: z.string().nullish(),
  hookCallbackIds: z.array(z.string().min(1)),
  /** Seconds. */
  timeout: z.number().positive().nullish(),
  onFailure: z.enum(['continue', 'block']).nullish(),
});
const hooksSchema = z.record(z.array(matcherSchema).nullish());

/** A sentence where they cannot be read: a guard that is silently ignored would not be one. */
export function readCallbackHooks(value: unknown, root: string): HookEntry[] | string {
  if (value === undefined || value === null) return [];
  const parsed = hooksSchema.safeParse(value);
  if (!parsed.success) return '`hooks` takes by event a list of {"matcher","hookCallbackIds","timeout"}.';
  const entries: HookEntry[] = [];
  for (const [event, matchers] of Object.entries(parsed.data)) {
    if (matchers === null || matchers === undefined || matchers.length === 0) continue;
    if (!isHookEvent(event))
      return `\`hooks\` names the event ${JSON.stringify(event)}, which this runner does not have.`;
    for (const { matcher, hookCallbackIds, timeout, onFailure } of matchers) {
      const wrong = invalidMatcher(event, matcher ?? '');
      if (wrong !== undefined) return wrong;
      for (const id of hookCallbackIds) {
        entries.push({
          event,
          matcher: matcher ?? '',
          handler: { type: 'callback', id },
          ...(onFailure === 'block' ? { failClosed: true } : {}),
          ...(typeof timeout === 'number' ? { timeoutSeconds: timeout } : {}),
          source: 'commandLine',
          file: 'initialize',
          root,
        });
      }
    }
  }
  return entries;
}

export function createHookCallback(channel: Pick<ControlChannel, 'ask'>): NonNullable<HookHandlers['callback']> {
  return async ({ event, id }, input, signal) => {
    const fields = JSON.parse(input) as Record<string, unknown>;
    const failed = (message: string) => ({ kind: 'failed' as const, message });
    try {
      const toolUseId = fields['tool_use_id'];
      const answer = await channel.ask(
        {
          subtype: 'hook_callback',
          callback_id: id,
          input: fields,
          ...(typeof toolUseId === 'string' ? { tool_use_id: toolUseId } : {}),
        },
        signal,
      );
      switch (answer.kind) {
        case 'success': {
          const { response } = answer;
          if (response === undefined || response === null) return { kind: 'body', text: '' };
          if (typeof response !== 'object' || Array.isArray(response))
            return failed('The program that runs Deft answered a hook with something other than an object.');
          return { kind: 'body', text: JSON.stringify(response) };
        }
        case 'error':
          return failed(`A hook of the program that runs Deft failed: ${answer.message}`);
        case 'malformed':
          return failed('The program that runs Deft gave an unreadable answer to a hook.');
        case 'closed': {
          const gone = 'The program that runs Deft has closed its input, so its hook cannot be asked.';
          // The guard itself is gone: nothing passes that it wanted to see first.
          return event === 'PreToolUse' ? { kind: 'ended', exitCode: 2, stdout: '', stderr: gone } : failed(gone);
        }
      }
    } catch (error) {
      if (signal.aborted) return { kind: 'cancelled' };
      throw error;
    }
  };
}
