// Turns what the SDK throws into ModelError: kind, retry advice, and a sentence for the user, without secrets.
import { defined } from '../shared/defined';
import { ModelError, type ModelErrorDetails, type ModelErrorKind } from '../core/text/errors';
import { cutMiddle, shortened } from '../shared/cut-text';
import { terminalText } from '../shared/terminal-text';
import { type ProviderId } from '../core/wire/model-capabilities';
import { causes, connectionFailure } from './connection-error';
import { apiSentence } from './error-sentences';
import { liftsAt, retryAfter } from './rate-limit-headers';
import { type Redact } from './redact';
import { isObject } from '../shared/plain-object';

/** Characters of what a server says that go into a sentence for the user, and of its failure that are kept with it. */
const maxSaid = 1000;
const maxCause = 10_000;

export interface ErrorContext {
  /** Host of the API, for sentences. */
  readonly host: string;
  readonly provider?: ProviderId;
  /** What names the address, where the user may have mistyped it. */
  readonly addressFrom?: string | undefined;
  readonly redact: Redact;
  /** True once the response's headers arrived: a lost connection then is a dropped stream. */
  readonly connected: boolean;
  /** The host has answered an earlier request. */
  readonly answered?: boolean;
  /** Milliseconds since the epoch, for `retry-after` dates. */
  readonly now: () => number;
}

/** Maps an error thrown by the SDK, or by fetch below it. Abort errors are the caller's business. */
export function toModelError(error: unknown, context: ErrorContext): ModelError {
  if (error instanceof ModelError) return error;
  const api = apiFailure(error);
  if (api !== undefined) return fromApi(api, error, context);
  const { message, details, retryable, next } = connectionFailure(causes(error), {
    ...context,
    answered: context.answered === true,
  });
  return modelError(message, details, retryable, context, { cause: error, next });
}

/** A ModelError whose text and cause are free of secrets. */
export function modelError(
  message: string,
  details: ModelErrorDetails,
  retryable: boolean,
  context: Pick<ErrorContext, 'redact'>,
  /** `next`: the end of the message, which says what to do next. */
  { cause, next = '' }: { cause?: unknown; next?: string | undefined } = {},
): ModelError {
  const options = { retryable, next, ...(cause === undefined ? {} : { cause: harmless(cause, context.redact) }) };
  return new ModelError(context.redact(message), details, options);
}

interface ApiFailure {
  /** Undefined for an error event in the middle of a stream. */
  readonly status: number | undefined;
  readonly type: string | undefined;
  /** The API's own word for what exactly is wrong. */
  readonly code: string | undefined;
  /** The API's own sentence, or what a proxy sent instead. */
  readonly message: string | undefined;
  readonly isJson: boolean;
  readonly headers: Headers | undefined;
}

// Recognised by shape, not by class: the SDK is loaded lazily, and other vendors' packages contain their own copy of it.
function apiFailure(error: unknown): ApiFailure | undefined {
  if (!(error instanceof Error)) return undefined;
  const { status, type, headers, error: body } = error as Error & Record<string, unknown>;
  if (typeof status !== 'number' && typeof type !== 'string' && !isObject(body)) return undefined;
  const inner = isObject(body) && isObject(body['error']) ? body['error'] : {};
  const details = isObject(inner['details']) ? inner['details'] : {};
  const text = typeof inner['message'] === 'string' ? inner['message'] : undefined;
  return {
    status: typeof status === 'number' ? status : undefined,
    type: typeof type === 'string' ? type : undefined,
    code: typeof details['error_code'] === 'string' ? details['error_code'] : undefined,
    message: text ?? (isObject(body) ? otherWords(body) : pageText(error.message)),
    isJson: isObject(body),
    headers: headers instanceof Headers ? headers : undefined,
  };
}

/** Local servers and gateways say it in forms of their own. */
function otherWords(body: Readonly<Record<string, unknown>>): string | undefined {
  return [body['error'], body['message'], body['detail']].find(
    (one) => typeof one === 'string' && one.trim() !== '',
  ) as string | undefined;
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
  405: 'not_found',
  407: 'network',
  408: 'timeout',
  409: 'server',
  413: 'too_large',
  429: 'rate_limit',
  503: 'overloaded',
  504: 'timeout',
  522: 'timeout',
  524: 'timeout',
  529: 'overloaded',
};

function fromApi(failure: ApiFailure, error: unknown, context: ErrorContext): ModelError {
  const { status, headers } = failure;
  const now = context.now();
  const retryAfterMs = headers && status !== undefined ? retryAfter(headers, now) : undefined;
  const kind = kindOf(failure, retryAfterMs, context.provider);
  const requestId = headers?.get('request-id') ?? undefined;
  const lifts =
    kind === 'rate_limit' && headers
      ? (liftsAt(headers, now) ??
        (retryAfterMs !== undefined && retryAfterMs >= 60_000 ? now + retryAfterMs : undefined))
      : undefined;
  const details: ModelErrorDetails = {
    kind,
    ...defined({ status, retryAfterMs, liftsAt: lifts }),
    ...(kind === 'not_found' ? { missing: isAboutModel(failure) ? ('model' as const) : ('address' as const) } : {}),
    ...defined({ requestId }),
  };
  const said =
    saidBriefly(failure.message, context.redact) ?? (status === undefined ? undefined : `HTTP status ${status}`);
  const { message, next } = apiSentence(details, said, {
    host: context.host,
    now,
    byProxy: failure.type === undefined,
  });
  return modelError(message, details, isRetryable(failure, kind), context, { cause: error, next });
}

/** A gateway may answer with megabytes, or with what a terminal obeys. Redacted first: half of a key is no secret that one would know. */
function saidBriefly(message: string | undefined, redact: Redact): string | undefined {
  return message === undefined ? undefined : shortened(terminalText(redact(message)), maxSaid);
}

/** A page does not come from the API: then the address is wrong. */
function isAboutModel({ type, isJson, message = '' }: ApiFailure): boolean {
  return (type !== undefined || isJson) && /\bmodel\b/i.test(message);
}

function kindOf(
  { status, type, code, message = '' }: ApiFailure,
  retryAfterMs: number | undefined,
  provider: ProviderId | undefined,
): ModelErrorKind {
  const kind = (type === undefined ? undefined : kindByType[type]) ?? kindOfStatus(status);
  if (code === 'enforced_spend_limit_reached') return 'spend_limit';
  // A reached spend cap is a 429 that no waiting cures; the vendor's API marks it by leaving retry-after out. Of what is no answer of that API one cannot know.
  if (
    provider === 'anthropic' &&
    kind === 'rate_limit' &&
    status !== undefined &&
    retryAfterMs === undefined &&
    type !== undefined
  )
    return 'spend_limit';
  if (kind !== 'invalid_request') return kind;
  if (/prompt is too long|input length and `max_tokens` exceed/i.test(message)) return 'too_large';
  if (/reached your specified (workspace )?API usage limits/i.test(message)) return 'spend_limit';
  // Some gateways have no other word for a model that they do not know.
  if (/^model: |\b(unknown|invalid) model\b|\bmodel\b.{0,80}\b(not found|does not exist)\b/i.test(message))
    return 'not_found';
  return /credit balance is too low/i.test(message) ? 'billing' : kind;
}

function kindOfStatus(status: number | undefined): ModelErrorKind {
  if (status === undefined || status >= 500) return kindByStatus[status ?? 0] ?? 'server';
  return kindByStatus[status] ?? (status < 400 ? 'not_found' : 'invalid_request');
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

/** A copy of an error that carries no request, headers or secrets. */
function harmless(cause: unknown, redact: Redact): Error {
  const [first] = causes(cause);
  const copy = new Error(shortened(redact(String(first?.['message'] ?? cause)), maxCause));
  copy.name = String(first?.['name'] ?? 'Error');
  const stack = cause instanceof Error ? cause.stack : undefined;
  if (stack !== undefined) copy.stack = cutMiddle(redact(stack), maxCause);
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
