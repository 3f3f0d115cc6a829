// The one error type of Deft. Expected failures are returned data; these are thrown where a call cannot go on.

/** Who can do something about it: the user, the model, or only a developer of Deft. */
export type Audience = 'user' | 'model' | 'developer';

export interface DeftErrorOptions {
  audience?: Audience;
  retryable?: boolean;
  cause?: unknown;
}

/** `code` is stable and kebab-case; `message` is a sentence for the audience. */
export class DeftError extends Error {
  readonly audience: Audience;
  readonly retryable: boolean;

  constructor(
    readonly code: string,
    message: string,
    options: DeftErrorOptions = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'DeftError';
    this.audience = options.audience ?? 'developer';
    this.retryable = options.retryable ?? false;
  }
}

export type ModelErrorKind =
  | 'invalid_request'
  | 'authentication'
  | 'billing'
  | 'permission'
  | 'not_found'
  | 'too_large'
  | 'rate_limit'
  | 'spend_limit'
  | 'overloaded'
  | 'server'
  | 'timeout'
  | 'network'
  /** This machine has no way to the host: nothing was sent, and nothing is wrong but that. */
  | 'offline'
  | 'stalled'
  | 'dropped';

export interface ModelErrorDetails {
  kind: ModelErrorKind;
  /** HTTP status, where there was a response. */
  status?: number;
  /** From `retry-after`, in milliseconds. */
  retryAfterMs?: number;
  /** When the limit that was reached is lifted, in milliseconds since the epoch. */
  liftsAt?: number;
  /** With `not_found`: what is not there; `any-model` where the provider has none at all. */
  missing?: 'model' | 'address' | 'any-model';
  /** So many tries in a row are enough. */
  maxTries?: number;
  requestId?: string;
}

/** A request to a model that failed, before or in the middle of its stream. Never holds a key. */
export class ModelError extends DeftError {
  /** The end of the message, which says what to do about it: empty where all of it says what happened. */
  readonly next: string;

  constructor(
    message: string,
    readonly details: ModelErrorDetails,
    { next = '', ...options }: { retryable: boolean; cause?: unknown; next?: string },
  ) {
    super(`model-${details.kind}`, message, { audience: 'user', ...options });
    this.name = 'ModelError';
    this.next = next;
  }
}

/** A sentence for a failure after which Deft continues by itself: what happened, and not what the user could do. */
export function happenedOf(error: unknown): string {
  const message = messageOf(error);
  const next = error instanceof ModelError ? error.next : '';
  return next !== '' && message.endsWith(` ${next}`) ? message.slice(0, -next.length - 1) : message;
}

/** The thrown value of an aborted signal, whatever the host calls it. */
export function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || error.name === 'APIUserAbortError');
}

/** A sentence for any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
