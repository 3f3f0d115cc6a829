// Waits that end: a bench that hangs says nothing.
import type { MessagesApi } from '../../support/messages-api/server';
import type { RecordedRequest } from '../../support/messages-api/recorded-requests';

/** The n-th request, counted from 1; rejects after a minute, or after so many milliseconds. */
export async function requestNumber(api: MessagesApi, n: number, limit = 60_000): Promise<RecordedRequest> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const error = new Error(`Request ${n} did not come within ${limit / 1000} s; there were ${api.requests.length}.`);
    timer = setTimeout(() => reject(error), limit);
  });
  try {
    return await Promise.race([api.waitForRequest(n), late]);
  } finally {
    clearTimeout(timer);
  }
}
