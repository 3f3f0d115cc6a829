// Turns what the SDK throws into ModelError: kind, retry advice, and a sentence for the person, without secrets.
import { ModelError, type ModelErrorDetails, type ModelErrorKind } from '../core/errors';
import { shortened } from '../shared/cut-text';
import { type Redact } from './redact';

export interface ErrorContext {
  /** Host of the API, for sentences. */
  readonly host: string;
  readonly redact: Redact;
  /** True once the response's headers arrived: a lost connection then is a dropped stream. */
  readonly connected: boolean;
  /** Milliseconds since the epoch, for `retry-after` dates. */
  readonly now: () => number;
}

/** Maps an error thrown by the SDK, or by fetch below it. Abort errors are the caller's business. */
export function toModelError(error: unknown, context: ErrorContext): ModelError {
  if (error instanceof ModelError) return error;
  const api = apiFailure(error);
  return api ? fromApi(api, error, context) : fromConnection(error, context);
}

/** A ModelError whose text and cause are free of secrets. */
export function modelError(
  message: string,
  details: ModelErrorDetails,
  retryable: boolean,
  context: Pick<ErrorContext, 'redact'>,
  cause?: unknown,
): ModelError {
  const options = cause === undefined ? { retryable } : { retryable, cause: harmless(cause, context.redact) };
  return new ModelError(context.redact(message), details, options);
}

interface ApiFailure {
  /** Undefined for an error event in the middle of a stream. */
  readonly status: number | undefined;
  readonly type: string | undefined;
  /** The API's own sentence, or what a proxy sent instead. */
  readonly message: string | undefined;
  readonly headers: Headers | undefined;
}

// Read by shape, not by class: the SDK is loaded lazily, and other vendors' packages bring their own copy of it.
function apiFailure(error: unknown): ApiFailure | undefined {
  if (!(error instanceof Error)) return undefined;
  const { status, type, headers, error: body } = error as Error & Record<string, unknown>;
  if (typeof status !== 'number' && typeof type !== 'string' && !isObject(body)) return undefined;
  const inner = isObject(body) && isObject(body['error']) ? body['error'] : {};
  const text = typeof inner['message'] === 'string' ? inner['message'] : undefined;
  return {
    status: typeof status === 'number' ? status : undefined,
    type: typeof type === 'string' ? type : undefined,
    message: text ?? (isObject(body) ? undefined : pageText(error.message)),
    headers: headers instanceof Headers ? headers : undefined,
  };
}

const kindByType: Readonly<Record<string, ModelErrorKind>> = {
  invalid_request_error: 'invalid_request',
  authentication_error: 'authentication',
  billing_error: 'billing',
  permission_error: 'permission',
  not_found_error: 'not_found',
  request_too_large: 'too_large',
  rate_limit_error: 'rate_limit',
  timeout_error: 'timeout',
  overloaded_error: 'overloaded',
  api_error: 'server',
};

const kindByStatus: Readonly<Record<number, ModelErrorKind>> = {
  400: 'invalid_request',
  401: 'authentication',
  402: 'billing',
  403: 'permission',
  404: 'not_found',
  407: 'network',
  408: 'timeout',
  413: 'too_large',
  422: 'invalid_request',
  429: 'rate_limit',
  503: 'overloaded',
  504: 'timeout',
  529: 'overloaded',
};

function fromApi(failure: ApiFailure, error: unknown, context: ErrorContext): ModelError {
  const { status, headers } = failure;
  const retryAfterMs = headers && status !== undefined ? retryAfter(headers, context.now()) : undefined;
  const kind = kindOf(failure, retryAfterMs);
  const requestId = headers?.get('request-id') ?? undefined;
  const details: ModelErrorDetails = {
    kind,
    ...(status === undefined ? {} : { status }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(requestId === undefined ? {} : { requestId }),
  };
  const opening = sentences[kind].replace('{host}', context.host);
  const said = failure.message ?? (status === undefined ? undefined : `HTTP status ${status}`);
  return modelError(
    said === undefined ? `${opening}.` : `${opening}: ${said}`,
    details,
    isRetryable(failure, kind),
    context,
    error,
  );
}

function kindOf({ status, type, message }: ApiFailure, retryAfterMs: number | undefined): ModelErrorKind {
  const byType = type === undefined ? undefined : kindByType[type];
  const byStatus =
    status === undefined ? undefined : (kindByStatus[status] ?? (status >= 400 && status < 500 ? undefined : 'server'));
  const kind = byType ?? byStatus ?? (status === 409 || status === undefined ? 'server' : 'invalid_request');
  // A reached spend cap is a 429 that no waiting cures; the API marks it by leaving retry-after out.
  if (kind === 'rate_limit' && status !== undefined && retryAfterMs === undefined) return 'spend_limit';
  if (kind !== 'invalid_request' || message === undefined) return kind;
  if (/prompt is too long|input length and `max_tokens` exceed/i.test(message)) return 'too_large';
  return /credit balance is too low/i.test(message) ? 'billing' : kind;
}

function isRetryable({ status, headers }: ApiFailure, kind: ModelErrorKind): boolean {
  if (kind === 'spend_limit') return false;
  const advice = headers?.get('x-should-retry');
  if (advice === 'true') return true;
  if (advice === 'false') return false;
  if (status === 409) return true;
  if (status === 501) return false;
  return kind === 'rate_limit' || kind === 'overloaded' || kind === 'server' || kind === 'timeout';
}

const sentences: Readonly<Record<ModelErrorKind, string>> = {
  invalid_request: 'The model refused the request',
  authentication: 'The API key was not accepted',
  billing: 'The account cannot pay for this request',
  permission: 'The API key may not do this',
  not_found: 'The model or address does not exist',
  too_large: 'The request is too large for the model',
  rate_limit: 'The rate limit is reached',
  spend_limit: 'The limit of the account is reached, and waiting does not lift it',
  overloaded: 'The model is overloaded',
  server: 'The model API failed',
  timeout: 'The model API took too long to answer',
  network: 'No connection to {host}',
  stalled: 'The reply stalled',
  dropped: 'The connection to {host} was lost in the middle of the reply',
};

/** `retry-after-ms`, else `retry-after` in seconds or as a date; never negative. */
function retryAfter(headers: Headers, now: number): number | undefined {
  const milliseconds = Number.parseFloat(headers.get('retry-after-ms') ?? '');
  if (Number.isFinite(milliseconds)) return Math.max(0, milliseconds);
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function fromConnection(error: unknown, context: ErrorContext): ModelError {
  const chain = causes(error);
  const code = chain.map((link) => link['code']).find((value) => typeof value === 'string');
  const host = context.host;
  const say = (kind: ModelErrorKind, message: string, retryable = true): ModelError =>
    modelError(message, { kind }, retryable, context, error);
  if (chain.some((link) => link['name'] === 'APIConnectionTimeoutError') || code === 'UND_ERR_HEADERS_TIMEOUT') {
    return say('timeout', `${host} did not answer in time.`);
  }
  // Half an event at a clean end is a lost connection too: its JSON does not parse.
  if (context.connected)
    return say('dropped', `${sentences.dropped.replace('{host}', host)}${code ? ` (${code})` : ''}.`);
  if (code === 'ERR_INVALID_URL') return say('network', `"${host}" is not an address of a model API.`, false);
  if (code !== undefined && /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS/.test(code)) {
    return say('network', `The certificate of ${host} is not trusted (${code}).`, false);
  }
  if (code !== undefined) return say('network', `No connection to ${host}: ${reasons[code] ?? code}.`);
  const text = String(chain.at(-1)?.['message'] ?? error);
  // Unsendable headers and the like fail the same way each time.
  return say(
    'network',
    `The request to ${host} could not be sent: ${text}`,
    /^(fetch failed|terminated|other side closed)$/i.test(text),
  );
}

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the host name is not known (ENOTFOUND)',
  EAI_AGAIN: 'host names cannot be looked up (EAI_AGAIN)',
  ECONNREFUSED: 'nothing answers there (ECONNREFUSED)',
  ECONNRESET: 'the connection was reset (ECONNRESET)',
  ETIMEDOUT: 'it timed out (ETIMEDOUT)',
  UND_ERR_CONNECT_TIMEOUT: 'it timed out (UND_ERR_CONNECT_TIMEOUT)',
  UND_ERR_SOCKET: 'the connection was closed (UND_ERR_SOCKET)',
  ENETUNREACH: 'the network cannot be reached (ENETUNREACH)',
  EHOSTUNREACH: 'the host cannot be reached (EHOSTUNREACH)',
};

function causes(error: unknown): Record<string, unknown>[] {
  const chain: Record<string, unknown>[] = [];
  let link = error;
  while (isObject(link) && chain.length < 8) {
    // `name` and `message` of errors are inherited or hidden: read them by name.
    chain.push({ name: link['name'], message: link['message'], code: link['code'] });
    link =
      Array.isArray(link['errors']) && link['errors'].length > 0 ? (link['errors'] as unknown[])[0] : link['cause'];
  }
  return chain;
}

/** A copy of an error that carries no request, headers or secrets. */
function harmless(cause: unknown, redact: Redact): Error {
  const [first] = causes(cause);
  const copy = new Error(redact(String(first?.['message'] ?? cause)));
  copy.name = String(first?.['name'] ?? 'Error');
  const stack = cause instanceof Error ? cause.stack : undefined;
  if (stack !== undefined) copy.stack = redact(stack);
  return copy;
}

/** What a proxy's page says, without its markup, cut to a line. */
function pageText(message: string): string | undefined {
  const text = message
    .replace(/<(style|script)[\s\S]*?<\/\1>/gi, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return text === '' ? undefined : shortened(text, 200);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
