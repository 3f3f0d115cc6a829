// Opens the connection to one server and says hello. All of the protocol's library hangs on this file, which is loaded late.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { type OAuthClientProvider, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { SSEClientTransport, SseError } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport, StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ErrorCode, McpError, PromptListChangedNotificationSchema, ResourceListChangedNotificationSchema, ResultSchema, ToolListChangedNotificationSchema, LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { isAbort, messageOf } from '../../core/errors';
import { isRecord } from '../../core/mcp/config-text';
import { cutText } from '../../core/mcp/read-answers';
import { longestMs, maxPages, maxPrompts, maxResources, maxTools } from '../../core/mcp/limits';
import { type McpServerConfig } from '../../core/ports/mcp';
import { answerServer, capabilitiesOf } from './answer-server';
import { cappedFetch } from './capped-fetch';
import { helperHeaders } from './header-command';
import { type Link, type LinkOptions, type LinkRequest, type ListKind, type OpenedLink } from './link';
import { createStdioTransport, type StdioTransport } from './stdio-transport';
import { serverEnvironment } from './server-environment';

const listMethods = { tools: 'tools/list', prompts: 'prompts/list', resources: 'resources/list' } as const;
const mostOf = { tools: maxTools, prompts: maxPrompts, resources: maxResources } as const;
const listMs = 30_000;

/** Never rejects. */
export async function openLink(options: LinkOptions, signal: AbortSignal): Promise<OpenedLink> {
  const opened = await open(options, signal).catch((error: unknown) => failureOf(error, options));
  // Another try would open the browser again, unasked.
  return options.signingIn === true && opened.kind === 'failed' ? { ...opened, passing: false } : opened;
}

async function open(options: LinkOptions, signal: AbortSignal): Promise<OpenedLink> {
  const { entry, times, log } = options;
  const limit = timeLimit(Math.min(times.connectMs, longestMs));
  const limited = AbortSignal.any([signal, limit.signal]);
  const provider = options.auth?.(entry);
  const made = await transportFor(options, provider, limited, limit.lift);
  if (typeof made === 'string') return { kind: 'failed', why: made, passing: false };
  const client = createClient(options);
  try {
    await connect(client, made.transport, limited, options.signingIn === true ? longestMs : times.connectMs);
    limit.lift();
  } catch (error) {
    limit.lift();
    await made.transport.close().catch(() => undefined);
    if (made.notOpened !== undefined) return { kind: 'failed', why: made.notOpened, passing: false };
    if (error instanceof UnauthorizedError && options.signingIn === true && provider !== undefined && made.finishAuth !== undefined) {
      try {
        // The person has as long as they need.
        await made.finishAuth(await provider.authorizationCode(signal));
      } catch (problem) {
        return { kind: 'failed', why: messageOf(problem) || 'The server refused the sign-in. Sign in again.', passing: false };
      }
      return open({ ...options, signingIn: false }, signal);
    }
    if (limited.aborted && !signal.aborted) return { kind: 'failed', why: `It did not answer within ${times.connectMs / 1000} seconds.${lastWords(options)} MCP_TIMEOUT sets another time, in milliseconds.`, passing: entry.config.type !== 'stdio' };
    const ending = endingOf(made.transport);
    if (ending !== undefined) return { kind: 'failed', why: `${ending}${lastWords(options)}`, passing: false };
    throw error;
  }
  let closing = false;
  const link = createLink(client, made.transport, options, () => (closing = true));
  client.onclose = () => {
    if (!closing) options.events.ended(endingOf(made.transport) ?? 'The connection was closed.');
  };
  client.onerror = (error) => log.add(messageOf(error));
  return { kind: 'open', link };
}

/** Initialisation ends with the signal too, also where the transport hangs before the first message. */
async function connect(client: Client, transport: Transport, signal: AbortSignal, timeoutMs: number): Promise<void> {
  const connecting = client.connect(transport, { signal, timeout: Math.min(timeoutMs, longestMs) });
  connecting.catch(() => undefined);
  await Promise.race([
    connecting,
    new Promise<never>((_resolve, reject) => {
      if (signal.aborted) reject(signal.reason as Error);
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    }),
  ]);
}

function createClient(options: LinkOptions): Client {
  const client = new Client(
    { name: 'deft', title: 'Deft', version: options.version },
    // Results are read by hand, and so nothing is checked against a server's own schemas.
    { capabilities: capabilitiesOf(options), jsonSchemaValidator: { getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }) } },
  );
  answerServer(client, options);
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => options.events.changed('tools'));
  client.setNotificationHandler(PromptListChangedNotificationSchema, () => options.events.changed('prompts'));
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => options.events.changed('resources'));
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
    const { level, data } = params;
    options.log.add(`[${level}] ${typeof data === 'string' ? data : (JSON.stringify(data) ?? '')}`);
  });
  return client;
}

interface MadeTransport {
  transport: Transport;
  finishAuth?: (code: string) => Promise<void>;
  /** Why the browser was not opened. */
  readonly notOpened?: string | undefined;
}

/** Fires after `ms`, unless it is lifted. */
function timeLimit(ms: number): { signal: AbortSignal; lift: () => void } {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new DOMException('The time is over.', 'TimeoutError')), ms);
  timer.unref();
  return { signal: controller.signal, lift: () => clearTimeout(timer) };
}

async function transportFor(options: LinkOptions, provider: OAuthClientProvider | undefined, signal: AbortSignal, liftLimit: () => void): Promise<MadeTransport | string> {
  const { entry, log } = options;
  const { config } = entry;
  if (config.type === 'stdio') {
    const environment = serverEnvironment(await options.environment(), config.env, options.projectFolder);
    return { transport: createStdioTransport({ command: config.command, args: config.args, cwd: options.projectFolder, environment, log }) };
  }
  const headers = await headersOf(config, options, signal);
  if (typeof headers === 'string') return headers;
  let notOpened: string | undefined;
  const authProvider = await providerFor(options, provider, { begins: liftLimit, failed: (why) => (notOpened = why) });
  const init = { requestInit: { headers }, fetch: cappedFetch(), ...(authProvider === undefined ? {} : { authProvider }) };
  const url = new URL(config.url);
  const transport = config.type === 'sse' ? new SSEClientTransport(url, init) : new StreamableHTTPClientTransport(url, init);
  return {
    transport: transport as Transport,
    finishAuth: (code) => transport.finishAuth(code),
    get notOpened() {
      return notOpened;
    },
  };
}

/** What the library does on its way to the browser; the client's registration is sent before it is saved. */
const onlySigningIn: readonly (string | symbol)[] = ['state', 'saveCodeVerifier', 'saveClientInformation', 'redirectToAuthorization'];

/** Outside of a sign-in no browser opens: without tokens the server's refusal tells that one is needed. */
async function providerFor({ signingIn }: LinkOptions, provider: OAuthClientProvider | undefined, browser: Browsing): Promise<OAuthClientProvider | undefined> {
  if (provider === undefined) return undefined;
  if (signingIn === true) {
    return overlaid(provider, (key) => (key === 'redirectToAuthorization' ? (url: URL) => openBrowser(provider, url, browser) : undefined));
  }
  if ((await provider.tokens()) === undefined) return undefined;
  const refuse = (): never => {
    throw new UnauthorizedError('The sign-in has run out.');
  };
  return overlaid(provider, (key) => {
    if (onlySigningIn.includes(key)) return refuse;
    // Without any, the library would register one.
    return key === 'clientInformation' ? async () => (await provider.clientInformation()) ?? refuse() : undefined;
  });
}

interface Browsing {
  /** From here on the person has as long as they need: the editor itself may ask them first. */
  begins(): void;
  failed(why: string): void;
}

async function openBrowser(provider: OAuthClientProvider, url: URL, browser: Browsing): Promise<void> {
  browser.begins();
  try {
    await provider.redirectToAuthorization(url);
  } catch (error) {
    browser.failed(messageOf(error));
    throw error;
  }
}

function overlaid(provider: OAuthClientProvider, over: (key: string | symbol) => unknown): OAuthClientProvider {
  return new Proxy(provider, {
    get(target, key) {
      const value: unknown = over(key) ?? Reflect.get(target, key, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

async function headersOf(config: Exclude<McpServerConfig, { type: 'stdio' }>, options: LinkOptions, signal: AbortSignal): Promise<Record<string, string> | string> {
  if (config.headersHelper === undefined) return config.headers;
  const helper = { server: options.entry.name, url: config.url, cwd: options.projectFolder, environment: await options.environment() };
  const made = await helperHeaders(config.headersHelper, helper, signal);
  return typeof made === 'string' ? made : { ...config.headers, ...made };
}

function createLink(client: Client, transport: Transport, { log }: LinkOptions, closing: () => void): Link {
  const request = async (method: string, params: Record<string, unknown>, { signal, timeoutMs, silentMs, onProgress }: LinkRequest): Promise<Record<string, unknown>> => {
    const total = Math.min(timeoutMs, longestMs);
    // The library leaves its listener on the signal, and one signal serves many requests.
    const own = new AbortController();
    const abort = (): void => own.abort(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    try {
      return await client.request({ method, params } as never, ResultSchema, {
        signal: own.signal,
        timeout: Math.min(silentMs ?? total, total),
        maxTotalTimeout: total,
        resetTimeoutOnProgress: true,
        onprogress: ({ progress, total: whole, message }) => onProgress?.(message ?? (whole === undefined ? String(progress) : `${progress} of ${whole}`)),
      });
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
        const answer = await request(listMethods[kind], cursor === undefined ? {} : { cursor }, { signal, timeoutMs: listMs });
        const items: unknown = answer[kind];
        if (!Array.isArray(items)) throw new Error(`It answered ${listMethods[kind]} without a list.`);
        found.push(...(items as unknown[]).slice(0, mostOf[kind] - found.length));
        cursor = answer['nextCursor'];
        if (typeof cursor !== 'string' || cursor === '') return found;
        if (found.length >= mostOf[kind]) break;
      }
      log.add(`It lists more ${kind} than Deft takes: the first ${found.length} count.`);
      return found;
    },
    request,
    rootsChanged: () => void client.sendRootsListChanged().catch(() => undefined),
    async close() {
      closing();
      if (transport instanceof StreamableHTTPClientTransport) await Promise.race([transport.terminateSession().catch(() => undefined), new Promise((resolve) => setTimeout(resolve, 500))]);
      await client.close().catch(() => undefined);
      await transport.close().catch(() => undefined);
    },
  };
}

function endingOf(transport: Transport): string | undefined {
  return 'ending' in transport ? (transport as StdioTransport).ending : undefined;
}

function lastWords({ log }: LinkOptions): string {
  const words = log.lines().filter((line) => !line.startsWith('It ended with')).slice(-3).join(' ').trim();
  return words === '' ? '' : ` It wrote: ${words.slice(-400)}`;
}

function failureOf(error: unknown, { auth, entry }: LinkOptions): OpenedLink {
  const code = error instanceof StreamableHTTPError || error instanceof SseError ? error.code : undefined;
  if (error instanceof UnauthorizedError || code === 401) {
    if (entry.config.type !== 'stdio' && hasAuthorization(entry.config.headers)) return { kind: 'failed', why: 'It refuses the `Authorization` header of its entry (401). Mend the header.', passing: false };
    return auth?.(entry) === undefined && auth !== undefined ? { kind: 'failed', why: 'It wants a sign-in (401), which is not possible here.', passing: false } : { kind: 'needs-sign-in' };
  }
  if (isAbort(error)) return { kind: 'failed', why: 'Connecting was stopped.', passing: false };
  if (code !== undefined) return { kind: 'failed', why: `It answers with status ${code}${code === 404 || code === 405 ? ': check the "url" and the "type" of its entry' : ''}.`, passing: code >= 500 || code === 429 };
  if (error instanceof McpError) return { kind: 'failed', why: `It refused the connection: ${error.message}`, passing: error.code === Number(ErrorCode.RequestTimeout) };
  return { kind: 'failed', why: `It cannot be reached: ${causeOf(error)}`, passing: true };
}

function hasAuthorization(headers: Readonly<Record<string, string>>): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
}

/** `fetch failed` alone says nothing. */
function causeOf(error: unknown): string {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  const code = isRecord(cause) && typeof cause['code'] === 'string' ? ` (${cause['code']})` : '';
  return `${messageOf(error)}${code}`;
}
