// Waits until a request may be sent again: for the model to recover, or for a connection. The user sees both, and may end them.
import { DeftError, happenedOf, ModelError, messageOf } from '../text/errors';
import { type ProviderId } from '../wire/model-capabilities';
import { offlineGap } from '../model/offline-policy';
import { type Failures, retryDelay, type RetryPolicy, triesFor } from '../model/retry-policy';
import { type Clock } from '../ports/clock';
import { addressCode, noModelCode } from '../sessions/turn-end-notice';
import { type RecordWriter } from '../events/record-writer';
import { type RetryWait } from './retry-wait';
import { type Emit } from '../events/session-event';

export interface WaitServices {
  clock: Clock;
  writer: RecordWriter;
  emit: Emit;
  retry: RetryPolicy;
  wait: Pick<RetryWait, 'pause' | 'watch'>;
}

/** Since when there has been no connection, and how often the turn has looked. */
export interface Away {
  since: number;
  looks: number;
}

/** Emits once that waiting is over: at the start of an answer, or when the turn ends (`over`). Between tries the user sees the same card. */
export function endingWaits(emit: Emit): { emit: Emit; over: () => void } {
  let waits = false;
  const over = (): void => {
    if (waits) emit({ type: 'retry_over' });
    waits = false;
  };
  return {
    emit(event) {
      if (event.type === 'retry_waiting' || event.type === 'offline_waiting') waits = true;
      else if (event.type === 'block_started') over();
      emit(event);
    },
    over,
  };
}

/** True when it is time to look again; otherwise the sentence with which the turn ends. */
export async function waitForConnection(
  message: string,
  away: Away,
  services: WaitServices,
  signal: AbortSignal,
): Promise<true | string> {
  const { clock, writer, emit, wait } = services;
  if (away.looks === 0) writer.write({ type: 'system', subtype: 'offline', message });
  const gap = offlineGap(++away.looks, clock.now() - away.since);
  if (gap === undefined)
    return `${message} Deft has retried for ${Math.round((clock.now() - away.since) / 60_000)} minutes. Finished work is kept: try again when you are online.`;
  emit({ type: 'offline_waiting', message, until: clock.now() + gap });
  try {
    await wait.watch(gap, signal);
    return true;
  } catch {
    return message;
  } finally {
    emit({ type: 'trying_again' });
  }
}

/** True when the request may be sent again; otherwise the sentence that explains to the user why not. */
export async function waitForRetry(
  error: unknown,
  { all: failures, alike }: Failures,
  services: WaitServices,
  signal: AbortSignal,
): Promise<true | string> {
  const delayMs = retryDelay(error, failures, services.retry, alike);
  if (delayMs === undefined) return `${messageOf(error)}${triedSentence(error, failures)}`;
  const message = happenedOf(error);
  const attempt = failures + 1;
  // Out of the tries that are left.
  const maxAttempts = Math.min(services.retry.maxAttempts, triesFor(error, services.retry) + failures - alike);
  services.writer.write({ type: 'system', subtype: 'api_retry', attempt, maxAttempts, delayMs, message });
  services.emit({
    type: 'retry_waiting',
    attempt,
    maxAttempts,
    delayMs,
    message,
    until: services.clock.now() + delayMs,
  });
  try {
    await services.wait.pause(delayMs, signal);
    return true;
  } catch {
    return message;
  } finally {
    services.emit({ type: 'trying_again' });
  }
}

/** After the sentence of an error: empty where one try was enough to know. */
export function triedSentence(error: unknown, failures: number): string {
  return error instanceof ModelError && error.retryable && failures > 1 ? ` Deft tried ${failures} times.` : '';
}

/** How a turn ends that such an error ended. */
export function failedWith(
  error: unknown,
  message: string,
  provider: ProviderId,
): { reason: 'error'; message: string; code?: string; provider?: ProviderId } {
  if (!(error instanceof DeftError)) return { reason: 'error', message };
  const missing = error instanceof ModelError ? error.details.missing : undefined;
  const code = missing === 'address' ? addressCode : missing === 'any-model' ? noModelCode : error.code;
  return { reason: 'error', message, code, ...(error instanceof ModelError ? { provider } : {}) };
}
