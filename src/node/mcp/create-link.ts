// A connection that stands: its requests within their time, its lists page by page, and its end.
import { type Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { defined } from '../../shared/defined';
import { longestMs, maxPages, maxPrompts, maxResources, maxTools } from '../../core/mcp/limits';
import { cutText } from '../../core/mcp/read-answers';
import { type Link, type LinkOptions, type LinkRequest, type ListKind, SignInNeeded } from './link';
import { isRefusal, refusalOf } from './link-failure';
import { type MadeTransport } from './make-transport';

const listMethods = { tools: 'tools/list', prompts: 'prompts/list', resources: 'resources/list' } as const;
const mostOf = { tools: maxTools, prompts: maxPrompts, resources: maxResources } as const;
const listMs = 30_000;

export function createLink(client: Client, made: MadeTransport, options: LinkOptions, closing: () => void): Link {
  const { transport } = made;
  const { log } = options;
  const request = async (
    method: string,
    params: Record<string, unknown>,
    { signal, timeoutMs, silentMs, onProgress }: LinkRequest,
  ): Promise<Record<string, unknown>> => {
    const total = Math.min(timeoutMs, longestMs);
    // The library leaves its listener on the signal, and one signal serves many requests.
    const own = new AbortController();
    const abort = (): void => own.abort(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    const challenged = made.challenge;
    try {
      return await client.request({ method, params } as never, ResultSchema, {
        signal: own.signal,
        timeout: Math.min(silentMs ?? total, total),
        maxTotalTimeout: total,
        resetTimeoutOnProgress: true,
        onprogress: ({ progress, total: whole, message }) =>
          onProgress?.(message ?? (whole === undefined ? String(progress) : `${progress} of ${whole}`)),
      });
    } catch (error) {
      const { challenge } = made;
      // Another call may have been refused at the same time.
      const wantsMore =
        isRefusal(error) &&
        challenge !== challenged &&
        challenge?.more === true &&
        options.auth?.(options.entry) !== undefined;
      const refused = wantsMore ? ({ kind: 'needs-sign-in' } as const) : refusalOf(error, options);
      if (refused === undefined) throw error;
      throw refused.kind === 'needs-sign-in' ? new SignInNeeded(challenge ?? { more: false }) : error;
    } finally {
      signal.removeEventListener('abort', abort);
    }
  };
  const capabilities = client.getServerCapabilities();
  const instructions = client.getInstructions();
  return {
    offers: (kind) => capabilities?.[kind] !== undefined,
    instructions: instructions === undefined || instructions.trim() === '' ? undefined : cutText(instructions.trim()),
    async list(kind: ListKind, signal) {
      const found: unknown[] = [];
      let cursor: unknown;
      for (let page = 0; page < maxPages; page++) {
        const answer = await request(listMethods[kind], defined({ cursor }), {
          signal,
          timeoutMs: listMs,
        });
        const items: unknown = answer[kind];
        if (!Array.isArray(items)) throw new Error(`It answered ${listMethods[kind]} without a list.`);
        found.push(...(items as unknown[]).slice(0, mostOf[kind] - found.length));
        cursor = answer['nextCursor'];
        if (typeof cursor !== 'string' || cursor === '') return found;
        if (found.length >= mostOf[kind]) break;
      }
      log.add(`It lists more ${kind} than Deft supports: only the first ${found.length} are used.`);
      return found;
    },
    request,
    rootsChanged: () => void client.sendRootsListChanged().catch(() => undefined),
    async close() {
      closing();
      if (transport instanceof StreamableHTTPClientTransport)
        await Promise.race([
          transport.terminateSession().catch(() => undefined),
          new Promise((resolve) => setTimeout(resolve, 500)),
        ]);
      await client.close().catch(() => undefined);
      await transport.close().catch(() => undefined);
    },
  };
}
