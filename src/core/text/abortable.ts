// Waiting that can be given up while what is waited for goes on.

/** Rejects with the signal's reason as soon as it fires: what waits for something that others wait for too can be given up alone. */
export function abortable<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  if (signal.aborted) {
    // Nobody waits for it any more, so its failure is nobody's.
    promise.catch(() => undefined);
    return Promise.reject(signal.reason as Error);
  }
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
