// Who answers the program's requests: they wait while there is nobody, before the session is open and while another one takes its place.
import { type RequestHandler } from './control-channel';

export interface CurrentHandler {
  handle: RequestHandler;
  set(handler: RequestHandler): void;
  /** Requests wait for the next `set`. */
  hold(): void;
}

export function createCurrentHandler(): CurrentHandler {
  let found: (handler: RequestHandler) => void = () => undefined;
  const nobody = (): Promise<RequestHandler> => new Promise((resolve) => (found = resolve));
  let current = nobody();
  return {
    handle: async (request) => (await current)(request),
    set(handler) {
      found(handler);
      current = Promise.resolve(handler);
    },
    hold: () => void (current = nobody()),
  };
}
