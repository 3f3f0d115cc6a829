// When and how long to wait before a request is sent again.
import { ModelError } from '../errors';

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

/** Longer waits than this are not worth a silent wait: the person is told instead. */
const longestServerDelayMs = 120_000;

/** Tries in a row that such an error is worth. */
export function triesFor(error: unknown, { maxAttempts }: RetryPolicy): number {
  return Math.min(maxAttempts, (error instanceof ModelError ? error.details.maxTries : undefined) ?? maxAttempts);
}

/** Milliseconds to wait after the `attempt`-th try in a row failed (1-based); undefined where another try is no use. */
export function retryDelay(error: unknown, attempt: number, policy: RetryPolicy): number | undefined {
  if (!(error instanceof ModelError) || !error.retryable || attempt >= triesFor(error, policy)) return undefined;
  const { retryAfterMs } = error.details;
  if (retryAfterMs !== undefined) return retryAfterMs <= longestServerDelayMs ? retryAfterMs : undefined;
  const exponential = Math.min(policy.baseDelayMs * 2 ** (attempt - 1), policy.maxDelayMs);
  // A quarter of jitter keeps many clients from coming back in step.
  return Math.round(exponential * (1 - policy.random() * 0.25));
}
