// Why a turn ends that nobody stopped: the window or chat that it runs in goes away.

/** For the signal of a turn; isAbort() holds for it. */
export class HostClosed extends Error {
  override readonly name = 'AbortError';

  constructor() {
    super('The chat is closed.');
  }
}
