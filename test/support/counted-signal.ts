// A signal that reports how many listen to it: one that lives long must lose each listener again.

export function countedSignal(): { signal: AbortSignal; listeners: () => number } {
  const { signal } = new AbortController();
  let listeners = 0;
  const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
  Object.assign(signal, {
    addEventListener: (...given: Parameters<typeof add>) => (listeners++, add(...given)),
    removeEventListener: (...given: Parameters<typeof remove>) => (listeners--, remove(...given)),
  });
  return { signal, listeners: () => listeners };
}
