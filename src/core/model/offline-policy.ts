// How a turn waits for a connection: growing gaps between looks, and an end to it.
import { ModelError } from '../text/errors';

const longestGapMs = 30_000;
export const longestOfflineMs = 30 * 60_000;

/** Nothing could be sent at all: no failure of the server, and no try is used up. */
export function isOffline(error: unknown): boolean {
  return error instanceof ModelError && error.details.kind === 'offline';
}

/** Milliseconds until the next look; `looks` have found nothing so far, the first one `awayMs` ago. Undefined where it is enough. */
export function offlineGap(looks: number, awayMs: number): number | undefined {
  if (awayMs >= longestOfflineMs) return undefined;
  return Math.min(1_000 * 2 ** (looks - 1), longestGapMs, longestOfflineMs - awayMs);
}
