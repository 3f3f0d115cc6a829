// WebFetch: answers a question about a web page.
import { z } from 'zod/v3';
import { type ToolView } from '../../../shared/tool-view';
import { buildTool, promptOf } from '../../tool/build-tool';
import {
  type Tool,
  type ToolContext,
  type ToolFailure,
  type ToolResult,
  type ValidationResult,
  isFailure,
} from '../../tool/tool';
import { type WebClient } from '../../ports/web';
import { markdownLink, pageAddress, shownAddress } from '../../text/web-address';
import { answerOf } from './web-fetch-answer';
import { createPageCache, type PageCache, type PageCacheOptions } from './web-fetch-cache';
import { type WebFetchOutput, webFetchOutputSchema } from './web-fetch-output';
import { readPage, statusName } from './web-fetch-page';
import { webFetchForHooks } from './web-for-hooks';
import prompt from './web-fetch.md';

const inputSchema = z.strictObject({
  url: z.string().describe('The full URL of the page'),
  prompt: z.string().describe('What you want to know from the page'),
});

export type WebFetchInput = z.infer<typeof inputSchema>;

/** Each tool has a cache of its own. */
export function createWebFetchTool(cacheOptions?: PageCacheOptions): Tool<WebFetchInput, WebFetchOutput> {
  const cache = createPageCache(cacheOptions);
  return buildTool<WebFetchInput, WebFetchOutput>({
    name: 'WebFetch',
    aliases: ['web_fetch', 'WebFetchTool'],
    prompt: promptOf(prompt),
    inputSchema,
    outputSchema: webFetchOutputSchema,
    strict: true,
    hookOutput: webFetchForHooks,
    access: 'DangerFullAccess',
    isEnabled: (availability) => availability.has('web'),
    isReadOnly: () => true,
    isConcurrencySafe: true,
    targets: ({ url }) => [{ kind: 'url', url: canonical(url) }],
    describe: ({ url }) => ({ now: `Fetching ${shownAddress(url)}`, past: `Fetched ${shownAddress(url)}` }),
    validateInput: async (input, { ports }) => validate(input, ports.web),
    call: (input, context) => call(input, context, cache),
    content: (output) => output.result,
    view,
    detail: ({ code, bytes, redirectUrl }) =>
      redirectUrl === undefined ? `${Math.ceil(bytes / 1000)} kB` : `${code}, not followed`,
  });
}

export const webFetchTool = createWebFetchTool();

/** As it is asked for: rules see the same host that is connected to. */
function canonical(url: string): string {
  const address = pageAddress(url);
  return address.ok ? address.url.href : url;
}

function validate({ url, prompt: question }: WebFetchInput, web: WebClient | undefined): ValidationResult {
  const address = pageAddress(url);
  if (!address.ok) return { ok: false, code: 'address', message: address.message };
  if (question.trim() === '')
    return { ok: false, code: 'empty-prompt', message: 'prompt is empty. Say what you want to know from the page.' };
  const refusal = web?.refusal?.(address.url.href);
  return refusal === undefined ? { ok: true } : { ok: false, code: 'private', message: refusal };
}

async function call(
  input: WebFetchInput,
  context: ToolContext,
  cache: PageCache,
): Promise<ToolResult<WebFetchOutput> | ToolFailure> {
  const { ports, signal, mayReach } = context;
  const { web, clock } = ports;
  const address = pageAddress(input.url);
  if (web === undefined || !address.ok)
    return { failure: { code: 'no-web', message: 'This host cannot fetch web pages.' } };
  const startedAt = clock.now();
  const { href, host } = address.url;
  const known = cache.get(href, startedAt);
  // It may have been found under a name that a rule has come to deny.
  const cached =
    known !== undefined && (new URL(known.url).host === host || mayReach?.(known.url) === true) ? known : undefined;
  const found =
    cached === undefined
      ? await readPage(address.url, { web, signal, ...(mayReach && { mayReach }) })
      : { outcome: 'page' as const, page: cached };
  if (isFailure(found)) return found;
  const facts = { durationMs: clock.now() - startedAt, cached: cached !== undefined };
  if (found.outcome === 'redirect') {
    const { status, url } = found;
    const result = `The page redirects (${status}) to another host: ${url}\nThis was not followed. To follow it, call WebFetch again with that url and the same prompt.`;
    return {
      data: {
        url: href,
        code: status,
        codeText: statusName(status),
        bytes: 0,
        result,
        truncated: false,
        ...facts,
        redirectUrl: url,
      },
    };
  }
  const { page } = found;
  if (cached === undefined) cache.put(href, page, startedAt);
  const result = await answerOf(page, input.prompt, context);
  const { url, status: code, bytes, truncated } = page;
  return {
    data: {
      url,
      code,
      codeText: statusName(code),
      bytes,
      result,
      truncated,
      ...facts,
      durationMs: clock.now() - startedAt,
    },
  };
}

function view({ url, result, redirectUrl }: WebFetchOutput): ToolView {
  if (redirectUrl !== undefined)
    return {
      kind: 'markdown',
      about: 'web',
      text: `Redirects to another host: ${markdownLink(redirectUrl, redirectUrl)}`,
    };
  return { kind: 'markdown', about: 'web', text: `${markdownLink(url, url)}\n\n${result}` };
}
