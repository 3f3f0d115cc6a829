// The ModelClient on Anthropic's SDK: raw stream events through, no retries, every failure a ModelError.
import type { Anthropic } from '@anthropic-ai/sdk';
import { isAbort, type ModelError } from '../core/errors';
import { type ModelRequest, type StreamEvent } from '../core/model/wire';
import { type ModelClient, type ModelInfo } from '../core/ports';
import { atNormalSpeed } from '../core/model/fast-mode';
import { modelError, toModelError, type ErrorContext } from './model-error';
import { redactor, secretHeaderValues } from './redact';
import { messageBody, writeBody } from './request-body';
import { startRealTimer, type StartTimer } from './stall-watch';
import { knownStreamEvent } from './stream-event';
import { resendOnRedirect, streamedBody } from './streamed-body';
import { fetchOfRequest, goingThrough, watchedFetch, type WatchedFetch } from './watched-fetch';

export interface AnthropicClientOptions {
  /** Sent as `x-api-key`. */
  readonly apiKey?: string | undefined;
  /** Sent as `Authorization: Bearer`, for gateways and OAuth. */
  readonly authToken?: string | undefined;
  /** Default https://api.anthropic.com. */
  readonly baseUrl?: string | undefined;
  /** Extra headers, on every request; they win over the SDK's own. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Betas added to those of each request. */
  readonly betas?: readonly string[] | undefined;
  /** No betas at all, for gateways that refuse what they do not know. */
  readonly withoutBetas?: boolean | undefined;
  /** Goes into the body of every request for an answer. */
  readonly extraBody?: Readonly<Record<string, unknown>> | undefined;
  /** Milliseconds until the answer begins; default ten minutes. */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds without a single byte after which a stream counts as stalled; default 90 s. */
  readonly stallMs?: number | undefined;
  readonly startTimer?: StartTimer | undefined;
  /** Milliseconds since the epoch. */
  readonly now?: (() => number) | undefined;
  /** The host's own fetch, where it knows the proxy; default the global one. */
  readonly fetch?: typeof fetch | undefined;
}

const defaultBaseUrl = 'https://api.anthropic.com';
const defaultTimeoutMs = 600_000;
const defaultStallMs = 90_000;
/** How long the end of the body may take after message_stop before the connection is given up. */
const drainMs = 1000;
const modelsPerPage = 1000;

/**
 * Makes a client. Nothing is loaded or sent before the first call. The environment is not read for keys or addresses.
 * All methods throw ModelError, or an abort error when their signal fires; no message or cause of theirs holds a key.
 */
export function createAnthropicClient(options: AnthropicClientOptions): ModelClient {
  const apiKey = emptyToUndefined(options.apiKey?.trim());
  const authToken = emptyToUndefined(options.authToken?.trim());
  const headers = options.headers ?? {};
  const baseUrl = (emptyToUndefined(options.baseUrl?.trim()) ?? defaultBaseUrl).replace(/\/+$/, '');
  const context: ErrorContext = {
    host: hostOf(baseUrl),
    redact: redactor([apiKey, authToken, ...secretHeaderValues(headers)]),
    connected: false,
    now: options.now ?? Date.now,
  };
  const hasCredential =
    apiKey !== undefined ||
    authToken !== undefined ||
    Object.keys(headers).some((name) => /^(x-api-key|authorization)$/i.test(name));
  const stallMs = options.stallMs ?? defaultStallMs;
  const startTimer = options.startTimer ?? startRealTimer;
  let loading: Promise<Anthropic> | undefined;

  const load = async (): Promise<Anthropic> => {
    const { Anthropic: Client } = await import('@anthropic-ai/sdk');
    return new Client({
      // The SDK looks for keys in the environment and in files unless it is given one: credentials go by header.
      apiKey: 'sent-by-header',
      baseURL: baseUrl,
      defaultHeaders: {
        Authorization: authToken === undefined ? null : `Bearer ${authToken}`,
        ...(apiKey === undefined ? {} : { 'X-Api-Key': apiKey }),
        ...headers,
      },
      maxRetries: 0,
      timeout: options.timeoutMs ?? defaultTimeoutMs,
      logLevel: 'off',
      openTelemetry: false,
      fetch: fetchOfRequest(options.fetch ?? fetch),
    });
  };

  const client = async (): Promise<Anthropic> => {
    // A server of one's own often wants none; the vendor's always does.
    if (!hasCredential && baseUrl === defaultBaseUrl) {
      throw modelError('No API key is set.', { kind: 'authentication' }, false, context);
    }
    const unsendable = [apiKey, authToken].some((secret) => secret !== undefined && /[^\x21-\x7e]/.test(secret));
    if (unsendable) {
      const message = 'The API key has characters that no key has (a space, a line break, a letter outside ASCII).';
      throw modelError(message, { kind: 'authentication' }, false, context);
    }
    // A failed load (a damaged installation) must not be remembered as the answer for good.
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };

  /** Runs one call that answers at once, with abort and error mapping. */
  const call = async <Result>(signal: AbortSignal, run: (sdk: Anthropic) => Promise<Result>): Promise<Result> => {
    signal.throwIfAborted();
    try {
      return await run(await client());
    } catch (error) {
      throw signal.aborted ? abortError(signal) : toModelError(error, context);
    }
  };

  return {
    provider: 'anthropic',

    async prepare() {
      await client();
      // Node reads its HTTP client when the first part of it is touched.
      void new Request(baseUrl);
    },

    async *stream(request, signal): AsyncGenerator<StreamEvent> {
      if (signal.aborted) throw abortError(signal);
      // Header and field travel together, or the API refuses both.
      const pieces = writeBody(options.withoutBetas === true ? atNormalSpeed(request) : request, options.extraBody);
      const watched = watchedFetch(resendOnRedirect(options.fetch ?? fetch, pieces), stallMs, startTimer);
      const onAbort = (): void => watched.abort();
      signal.addEventListener('abort', onAbort, { once: true });
      let finished = false;
      let cancelDrain = (): void => undefined;
      try {
        const sdk = await client();
        const { body, headers, fetchOptions } = streamedBody(pieces);
        // What messages.create() does, but for writing the whole conversation out as JSON once more.
        const events = await sdk.post<AsyncIterable<unknown>>('/v1/messages', {
          body,
          stream: true,
          headers: { 'content-type': 'application/json', ...headers, ...betaHeader(request, options) },
          fetchOptions: goingThrough(watched.fetch, fetchOptions),
          signal: watched.signal,
        });
        for await (const event of events) {
          const known = knownStreamEvent(event);
          if (!known) continue;
          watched.pause();
          yield known;
          watched.resume();
          if (known.type !== 'message_stop') continue;
          // Read on to the end of the body, so that the connection can be used again.
          finished = true;
          cancelDrain = startTimer(drainMs, () => watched.abort());
        }
        if (!finished) throw cutShort(watched, context);
      } catch (error) {
        if (finished) return;
        if (signal.aborted) throw abortError(signal);
        if (watched.stalled()) throw stalledError(stallMs, watched, context);
        throw toModelError(error, { ...context, connected: watched.response() !== undefined });
      } finally {
        cancelDrain();
        signal.removeEventListener('abort', onAbort);
        watched.stop();
      }
    },

    countTokens: (request, signal) =>
      call(signal, async (sdk) => {
        const { max_tokens: _limit, metadata: _metadata, ...body } = messageBody(request);
        const counted = await sdk.messages.countTokens(body as unknown as Anthropic.MessageCountTokensParams, {
          headers: betaHeader(request, options),
          signal,
        });
        return counted.input_tokens;
      }),

    listModels: (signal) =>
      call(signal, async (sdk) => {
        const models: ModelInfo[] = [];
        for await (const model of sdk.models.list({ limit: modelsPerPage }, { signal })) {
          models.push({
            id: model.id,
            displayName: model.display_name || model.id,
            // Gateways leave these out.
            ...(model.max_input_tokens ? { maxInputTokens: model.max_input_tokens } : {}),
            ...(model.max_tokens ? { maxOutputTokens: model.max_tokens } : {}),
          });
        }
        return models;
      }),
  };
}

function betaHeader(request: ModelRequest, options: AnthropicClientOptions): Record<string, string> {
  if (options.withoutBetas === true) return {};
  const betas = new Set([...(request.betas ?? []), ...(options.betas ?? [])]);
  return betas.size > 0 ? { 'anthropic-beta': [...betas].join(',') } : {};
}

/** The stream ended without message_stop and without an error. */
function cutShort(watched: WatchedFetch, context: ErrorContext): ModelError {
  const type = watched.response()?.headers.get('content-type') ?? '';
  const requestId = watched.response()?.headers.get('request-id') ?? undefined;
  const id = requestId === undefined ? {} : { requestId };
  if (!type.includes('event-stream')) {
    const message = `${context.host} did not answer with a stream of the Messages API but with ${type || 'something else'}. Check the base URL.`;
    return modelError(message, { kind: 'server', ...id }, false, context);
  }
  return modelError(
    `The connection to ${context.host} was lost in the middle of the reply.`,
    { kind: 'dropped', ...id },
    true,
    context,
  );
}

function stalledError(stallMs: number, watched: WatchedFetch, context: ErrorContext): ModelError {
  const seconds = Math.round(stallMs / 1000);
  const requestId = watched.response()?.headers.get('request-id') ?? undefined;
  const message = `The reply stalled: nothing came from ${context.host} for ${seconds} s.`;
  return modelError(message, { kind: 'stalled', ...(requestId === undefined ? {} : { requestId }) }, true, context);
}

/** What an aborted call throws: the signal's reason where that says "abort", else an AbortError. */
function abortError(signal: AbortSignal): unknown {
  return isAbort(signal.reason) ? signal.reason : new DOMException('The request was aborted.', 'AbortError');
}

function hostOf(baseUrl: string): string {
  try {
    return new URL(baseUrl).host;
  } catch {
    return baseUrl;
  }
}

function emptyToUndefined(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}
