// A ModelClient on any of the vendor's SDKs: raw stream events through, no retries, every failure a ModelError.
import { defined } from '../shared/defined';
import type { Anthropic } from '@anthropic-ai/sdk';
import { isAbort, type ModelError } from '../core/text/errors';
import { type ApiFeatures, type ModelCapabilities, type ProviderId } from '../core/wire/model-capabilities';
import { fitRequest } from '../core/model/fit-request';
import { createKnownModels, type KnownModels } from '../core/model/known-models';
import { type ModelRequest, type StreamEvent } from '../core/wire/wire';
import { type ModelClient, type ModelInfo } from '../core/ports/model';
import { type Explain } from './cloud-errors';
import { modelInfo } from './model-info';
import { lostSentence } from './connection-error';
import { abortable } from '../core/text/abortable';
import { modelError, toModelError, type ErrorContext } from './model-error';
import { redactor } from './redact';
import { messageBody, soundRequest, writeBody } from './request-body';
import { startRealTimer, type StartTimer } from './stall-watch';
import { isObject } from '../shared/plain-object';
import { knownStreamEvent } from './stream-event';
import { resendOnReset } from './resend-on-reset';
import { createStreamOrder } from './stream-order';
import { resendOnRedirect, streamedBody } from './streamed-body';
import { fetchOfRequest, goingThrough, watchedFetch, type WatchedFetch } from './watched-fetch';

/** What every client takes, whatever its provider. */
export interface ClientOptions {
  /** Default: the provider's own address. */
  readonly baseUrl?: string | undefined;
  /** Extra headers, on every request; they win over the SDK's own. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Betas added to those of each request. */
  readonly betas?: readonly string[] | undefined;
  /** No betas at all, for gateways that refuse what they do not know. */
  readonly withoutBetas?: boolean | undefined;
  /** Default `auto`: what the provider is known to take. */
  readonly features?: ApiFeatures | undefined;
  /** What this address takes for certain, whatever is known of it otherwise. */
  readonly forced?: Partial<ModelCapabilities> | undefined;
  /** Goes into the body of every request for an answer. */
  readonly extraBody?: Readonly<Record<string, unknown>> | undefined;
  /** Milliseconds until the answer begins; default ten minutes. */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds without a single byte after which a stream counts as stalled; default 90 s. */
  readonly stallMs?: number | undefined;
  /** Milliseconds without an event but pings after which it does; default ten minutes. */
  readonly quietMs?: number | undefined;
  readonly startTimer?: StartTimer | undefined;
  /** Milliseconds since the epoch. */
  readonly now?: (() => number) | undefined;
  /** The host's own fetch, where it knows the proxy; default the global one. */
  readonly fetch?: typeof fetch | undefined;
}

/** The parts of the vendor's SDKs that are used: those for clouds have only `messages`. */
export type MessagesSdk = Pick<Anthropic, 'post' | 'messages'> & Partial<Pick<Anthropic, 'models'>>;

/** What distinguishes one provider from another. */
export interface Transport {
  provider: ProviderId;
  /** For sentences. */
  host: string;
  /** What names the address, where the user may have mistyped it: "the base URL", a variable. Undefined: it is known to be right. */
  addressFrom?: string | undefined;
  /** Values that no message may hold; may grow. */
  secrets: readonly (string | undefined)[];
  /** Makes the SDK's client, with sdkOptions(). Throws ModelErrors where something is missing. */
  load(fail: Fail): Promise<MessagesSdk>;
  /** Whether the SDK reads the body, to sign it or to make an address of it: it is not sent in pieces then. */
  readsBody: boolean;
  /** As the provider names this model. */
  modelId?(model: string): string;
  /** Through an endpoint of one part of the world. */
  regional?(model: string): boolean;
  /** Where the provider reports no list. */
  models?: readonly ModelInfo[];
  /** Failures that only this provider has. */
  explain?: Explain;
}

/** A ModelError of one's own. */
export type Fail = (kind: ModelError['details']['kind'], message: string) => ModelError;

const defaultTimeoutMs = 600_000;
const defaultStallMs = 90_000;
const defaultQuietMs = 600_000;
/** How long the end of the body may take after message_stop before the connection is given up. */
const drainMs = 1000;
const modelsPerPage = 1000;
/** A request that stalled is sent once more: where that stalls as well, waiting has cost the user minutes. */
const triesOfStalled = 2;

/** What every SDK is made with: it sends once, says nothing, and goes through the fetch of each request. */
export function sdkOptions({ timeoutMs, fetch: own }: Pick<ClientOptions, 'timeoutMs' | 'fetch'>) {
  return {
    maxRetries: 0,
    timeout: timeoutMs ?? defaultTimeoutMs,
    logLevel: 'off',
    openTelemetry: false,
    fetch: fetchOfRequest(own ?? fetch),
  } as const;
}

/** Nothing is loaded or sent before the first call. All methods throw ModelError, or an abort error when their signal fires. */
export function createMessagesClient(transport: Transport, options: ClientOptions): ModelClient {
  return new MessagesClient(transport, options);
}

class MessagesClient implements ModelClient {
  readonly #transport: Transport;
  readonly #options: ClientOptions;
  readonly #host: Transport['host'];
  readonly #context: ErrorContext;
  readonly #known: KnownModels;
  readonly #stallMs: number;
  readonly #quietMs: number;
  readonly #startTimer: StartTimer;
  /** The host has answered: what is refused from now on worked once, and a connection may be kept. */
  #answered = false;
  #loading: Promise<MessagesSdk> | undefined;
  readonly provider: ProviderId;

  constructor(transport: Transport, options: ClientOptions) {
    this.#transport = transport;
    this.#options = options;
    const { provider, host } = transport;
    this.#host = host;
    this.#context = {
      host,
      provider,
      addressFrom: transport.addressFrom,
      redact: (text) => redactor(transport.secrets)(text),
      connected: false,
      now: options.now ?? Date.now,
    };
    this.#known = createKnownModels(provider, {
      features: options.features,
      withoutBetas: options.withoutBetas,
      forced: options.forced,
    });
    this.#stallMs = options.stallMs ?? defaultStallMs;
    this.#quietMs = options.quietMs ?? defaultQuietMs;
    this.#startTimer = options.startTimer ?? startRealTimer;
    this.provider = provider;
  }

  capabilities(model: string): ModelCapabilities {
    return this.#known.capabilities(model);
  }

  regional(model: string): boolean {
    return this.#transport.regional?.(model) === true;
  }

  async prepare(): Promise<void> {
    await this.#client();
    // Node reads its HTTP client when the first part of it is touched.
    void new Request('http://localhost');
  }

  async *stream(request: ModelRequest, signal: AbortSignal, heard?: () => void): AsyncGenerator<StreamEvent> {
    if (signal.aborted) throw abortError(signal);
    const fitted = this.#fitting(request);
    const pieces = this.#transport.readsBody ? undefined : writeBody(fitted, this.#options.extraBody);
    const inner = resendOnReset(this.#options.fetch ?? fetch, pieces, () => this.#answered);
    const watched = watchedFetch(
      pieces === undefined ? inner : resendOnRedirect(inner, pieces),
      { stallMs: this.#stallMs, quietMs: this.#quietMs, startTimer: this.#startTimer },
      heard,
    );
    const inOrder = createStreamOrder();
    const onAbort = (): void => watched.abort();
    signal.addEventListener('abort', onAbort, { once: true });
    let finished = false;
    let cancelDrain = (): void => undefined;
    try {
      const sdk = await this.#client();
      const { body, headers, fetchOptions } =
        pieces === undefined ? wholeBody(fitted, this.#options.extraBody) : streamedBody(pieces);
      // What messages.create() does, but for writing the whole conversation out as JSON once more.
      const sent = sdk.post<AsyncIterable<unknown>>('/v1/messages', {
        body,
        stream: true,
        headers: { ...headers, ...betaHeader(fitted, this.#options) },
        fetchOptions: goingThrough(watched.fetch, fetchOptions),
        signal: watched.signal,
      });
      // The SDKs of the clouds fetch credentials meanwhile, and know no signal there.
      const events = await abortable(sent, watched.signal);
      for await (const event of events) {
        this.#answered = true;
        const sent = knownStreamEvent(event);
        const known = sent && inOrder(sent);
        if (!known) continue;
        watched.pause();
        yield known;
        watched.resume();
        if (known.type !== 'message_stop') continue;
        // Read on to the end of the body, so that the connection can be used again.
        finished = true;
        cancelDrain = this.#startTimer(drainMs, () => watched.abort());
      }
      if (!finished) throw namedError(watched) ?? cutShort(watched, this.#context);
    } catch (error) {
      if (finished) return;
      if (signal.aborted) throw abortError(signal);
      if (watched.stalled() !== undefined) throw stalledError(watched.stalled(), watched, this.#context);
      const before = this.#answered;
      this.#answered ||= watched.response() !== undefined;
      throw this.#explained(error, { ...this.#context, connected: watched.response() !== undefined, answered: before });
    } finally {
      cancelDrain();
      signal.removeEventListener('abort', onAbort);
      watched.stop();
    }
  }

  secrets(): readonly string[] {
    return this.#transport.secrets.filter((secret) => secret !== undefined);
  }

  countTokens(request: ModelRequest, signal: AbortSignal): Promise<number> {
    return this.#call(signal, async (sdk) => {
      if (!this.#known.capabilities(request.model).tokenCounting)
        throw modelError(`${this.#host} does not count tokens.`, { kind: 'invalid_request' }, false, this.#context);
      const fitted = this.#fitting(request);
      const { max_tokens: _limit, metadata: _metadata, ...body } = messageBody(soundRequest(fitted));
      const counted = await sdk.messages.countTokens(body as unknown as Anthropic.MessageCountTokensParams, {
        headers: betaHeader(fitted, this.#options),
        signal,
      });
      return counted.input_tokens;
    });
  }

  listModels(signal: AbortSignal): Promise<ModelInfo[]> {
    return this.#call(signal, async (sdk) => {
      const models: ModelInfo[] = [];
      if (sdk.models === undefined) return [...(this.#transport.models ?? [])];
      for await (const model of sdk.models.list({ limit: modelsPerPage }, { signal })) {
        const info = modelInfo(model);
        if (info !== undefined) models.push(info);
      }
      this.#known.learn(models);
      return models;
    });
  }

  #explained(error: unknown, where: ErrorContext): ModelError {
    return this.#transport.explain?.(error, where) ?? toModelError(error, where);
  }

  async #client(): Promise<MessagesSdk> {
    // A failed load (a damaged installation, a missing key) must not be remembered as the answer for good.
    this.#loading ??= this.#transport
      .load((kind, message) => modelError(message, { kind }, false, this.#context))
      .catch((error: unknown) => {
        this.#loading = undefined;
        throw error;
      });
    return this.#loading;
  }

  /** Runs one call that answers at once, with abort and error mapping. */
  async #call<Result>(signal: AbortSignal, run: (sdk: MessagesSdk) => Promise<Result>): Promise<Result> {
    signal.throwIfAborted();
    try {
      // The SDKs of the clouds ask for credentials before they look at the signal.
      const result = await abortable(this.#client().then(run), signal);
      this.#answered = true;
      return result;
    } catch (error) {
      throw signal.aborted
        ? abortError(signal)
        : this.#explained(error, { ...this.#context, answered: this.#answered });
    }
  }

  /** Header and field travel together, or the API refuses both. */
  #fitting(request: ModelRequest): ModelRequest {
    const fitted = fitRequest(request, this.#known.letThrough(request.model));
    return this.#transport.modelId === undefined ? fitted : { ...fitted, model: this.#transport.modelId(fitted.model) };
  }
}

function wholeBody(
  request: ModelRequest,
  extra: ClientOptions['extraBody'],
): { body: object; headers: Record<string, string>; fetchOptions: Pick<RequestInit, 'credentials'> } {
  return { body: { ...messageBody(soundRequest(request)), ...extra, stream: true }, headers: {}, fetchOptions: {} };
}

function betaHeader(request: ModelRequest, options: ClientOptions): Record<string, string> {
  if (options.withoutBetas === true) return {};
  const betas = new Set([...(request.betas ?? []), ...(options.betas ?? [])]);
  return betas.size > 0 ? { 'anthropic-beta': [...betas].join(',') } : {};
}

/** Some gateways answer with an error as JSON and a success status: reported as the SDK reports an error in a stream. */
function namedError(watched: WatchedFetch): Error | undefined {
  let body: unknown;
  try {
    body = JSON.parse(watched.json() ?? '');
  } catch {
    return undefined;
  }
  const error = isObject(body) && body['type'] === 'error' ? body['error'] : undefined;
  if (!isObject(error) || typeof error['type'] !== 'string') return undefined;
  return Object.assign(new Error(String(error['message'] ?? '')), {
    type: error['type'],
    error: body,
    headers: watched.response()?.headers,
  });
}

/** The stream ended without message_stop and without an error. */
function cutShort(watched: WatchedFetch, context: ErrorContext): ModelError {
  const type = watched.response()?.headers.get('content-type') ?? '';
  const requestId = watched.response()?.headers.get('request-id') ?? undefined;
  const id = defined({ requestId });
  if (!type.includes('event-stream')) {
    const message = `${context.host} did not answer with a stream of the Messages API but with ${type || 'nothing'}. Check the base URL.`;
    return modelError(message, { kind: 'server', ...id }, false, context);
  }
  return modelError(`${lostSentence(context.host)}.`, { kind: 'dropped', ...id }, true, context);
}

function stalledError(stallMs = 0, watched: WatchedFetch, context: ErrorContext): ModelError {
  const seconds = Math.round(stallMs / 1000);
  const requestId = watched.response()?.headers.get('request-id') ?? undefined;
  const message = `The reply stalled: nothing came from ${context.host} for ${seconds} s. Try again.`;
  return modelError(message, { kind: 'stalled', maxTries: triesOfStalled, ...defined({ requestId }) }, true, context, {
    next: 'Try again.',
  });
}

/** What an aborted call throws: the signal's reason where that says "abort", else an AbortError. */
function abortError(signal: AbortSignal): unknown {
  return isAbort(signal.reason) ? signal.reason : new DOMException('The request was aborted.', 'AbortError');
}
