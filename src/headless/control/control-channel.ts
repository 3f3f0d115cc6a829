// Both directions of the control protocol: answers what the program asks, and asks it what the run must know.
import { DeftError, messageOf } from '../../core/text/errors';
import {
  cancelMessage,
  type ControlAnswer,
  type ControlLine,
  type ControlRequest,
  errorMessage,
  requestMessage,
  successMessage,
} from './control-messages';

/** What is done about a request of the program; a string is the sentence that refuses it. */
export type RequestHandler = (request: ControlRequest) => Promise<Readonly<Record<string, unknown>> | string>;

/** Thrown where the public protocol has a code for why a request is refused: programs compare it. */
export class RefusedRequest extends DeftError {}

export interface ControlChannel {
  /** Rejects only on abort; the program is then notified that nobody waits any more. */
  ask(request: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<ControlAnswer>;
  take(line: ControlLine): void;
  /** The input has ended: whatever waits is answered `closed`, and so is what is asked from now on. */
  close(): void;
}

export interface ControlChannelOptions {
  /** One message, one line. */
  send(message: object): void;
  handle: RequestHandler;
  warn(message: string): void;
  uuid(): string;
}

export function createControlChannel({ send, handle, warn, uuid }: ControlChannelOptions): ControlChannel {
  const waiting = new Map<string, (answer: ControlAnswer) => void>();
  let closed = false;

  const answer = async (request: ControlRequest): Promise<void> => {
    const done = await handle(request).catch((error: unknown) =>
      error instanceof RefusedRequest ? error : messageOf(error),
    );
    if (done instanceof RefusedRequest) send(errorMessage(request.id, done.message, done.code));
    else send(typeof done === 'string' ? errorMessage(request.id, done) : successMessage(request.id, done));
  };

  return {
    async ask(request, signal) {
      signal.throwIfAborted();
      if (closed) return { kind: 'closed' };
      const id = uuid();
      return new Promise<ControlAnswer>((resolve, reject) => {
        const abort = (): void => {
          waiting.delete(id);
          send(cancelMessage(id));
          reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
        };
        signal.addEventListener('abort', abort, { once: true });
        waiting.set(id, (given) => {
          waiting.delete(id);
          signal.removeEventListener('abort', abort);
          resolve(given);
        });
        send(requestMessage(id, request));
      });
    },
    take(line) {
      if (line.kind === 'request') void answer(line);
      // An answer to what nobody waits for any more crossed its cancellation.
      else if (line.kind === 'answer') waiting.get(line.id)?.(line.answer);
      else if (line.kind === 'malformed' && line.id !== undefined) send(errorMessage(line.id, line.why));
      else if (line.kind === 'malformed') warn(`A line of standard input was ignored. ${line.why}`);
    },
    close() {
      closed = true;
      for (const settle of [...waiting.values()]) settle({ kind: 'closed' });
    },
  };
}
