// When and how long to wait before a request is sent again.
import { ModelError } from '../text/errors';

export interface RetryPolicy {
  /** Tries in a row without any progress, the first one included. */
  maxAttempts: number;
  baseDelayMs: number;
  maxDelayMs: number;
  /** In [0, 1). */
  random: () => number;
}

export const defaultRetryPolicy: RetryPolicy = {
  maxAttempts: 10,
  baseDelayMs: 500,
  maxDelayMs: 32_000,
  random: Math.random,
};

/** Longer waits than this are not worth a silent wait: the user is notified instead. */
const longestServerDelayMs = 120_000;

/** Tries in a row that such an error is worth. */
export function triesFor(error: unknown, { maxAttempts }: RetryPolicy): number {
  return Math.min(maxAttempts, (error instanceof ModelError ? error.details.maxTries : undefined) ?? maxAttempts);
}

/** Tries in a row that failed, and of these the last ones that failed alike. */
export interface Failures {
  all: number;
  alike: number;
  kind?: string | undefined;
}

export const noFailures: Failures = { all: 0, alike: 0 };

/** `progress`: what came before the failure is kept, so that the count starts over. */
export function oneMore(before: Failures, error: unknown, progress: boolean): Failures {
  const kind = error instanceof ModelError ? error.details.kind : undefined;
  if (progress) return { all: 1, alike: 1, kind };
  return { all: before.all + 1, alike: before.kind === kind ? before.alike + 1 : 1, kind };
}

/**
 * Milliseconds to wait after the `attempt`-th try in a row failed (1-based), the `alike`-th with such an error; undefined
 * where another try is no use. An error that is worth fewer tries has those, whatever failed before it.
 */
export function retryDelay(error: unknown, attempt: number, policy: RetryPolicy, alike = attempt): number | undefined {
  if (
    !(error instanceof ModelError) ||
    !error.retryable ||
    attempt >= policy.maxAttempts ||
    alike >= triesFor(error, policy)
  )
    return undefined;
  const { retryAfterMs } = error.details;
  if (retryAfterMs !== undefined) return retryAfterMs <= longestServerDelayMs ? retryAfterMs : undefined;
  const exponential = Math.min(policy.baseDelayMs * 2 ** (attempt - 1), policy.maxDelayMs);
  // A quarter of jitter keeps many clients from coming back in step.
  return Math.round(exponential * (1 - policy.random() * 0.25));
}
