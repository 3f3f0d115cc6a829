// Posts an event to a hook's address: no redirect is followed, and headers hold only variables that may be sent.
import { isCredentialVariable } from '../../core/text/credentials';
import { messageOf } from '../../core/text/errors';
import { type HookResult, type HookPost } from '../../core/ports/hook-handlers';
import { maxHookOutput } from './hook-command';

export async function postHook(
  hook: HookPost,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<HookResult> {
  try {
    const response = await fetch(hook.url, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/json', ...headersOf(hook, environment) },
      body: hook.body,
      signal,
    });
    const text = await bounded(response);
    if (response.ok) return { kind: 'body', text };
    const redirected = response.status >= 300 && response.status < 400 ? ' Redirects are not followed.' : '';
    return { kind: 'failed', message: `${hook.url} answered with status ${response.status}.${redirected}` };
  } catch (error) {
    if (signal.aborted) return { kind: 'cancelled' };
    const cause = error instanceof Error && error.cause !== undefined ? ` (${messageOf(error.cause)})` : '';
    return { kind: 'failed', message: `${hook.url} could not be reached: ${messageOf(error)}${cause}` };
  }
}

/** A variable that may not be sent is replaced by nothing. */
function headersOf({ headers, variables }: HookPost, environment: NodeJS.ProcessEnv): Record<string, string> {
  const value = (name: string): string =>
    variables.includes(name) && !isCredentialVariable(name) ? (environment[name] ?? '') : '';
  const filled = (text: string): string =>
    text.replace(
      /\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g,
      (_match, braced: string | undefined, plain: string | undefined) => value(braced ?? plain ?? ''),
    );
  // A line break would begin another header.
  return Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, filled(text).replace(/[\r\n]/g, '')]));
}

async function bounded(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  while (reader !== undefined && bytes < maxHookOutput) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value as Uint8Array);
    bytes += (value as Uint8Array).length;
  }
  await reader?.cancel().catch(() => undefined);
  return Buffer.concat(chunks).subarray(0, maxHookOutput).toString('utf8');
}
