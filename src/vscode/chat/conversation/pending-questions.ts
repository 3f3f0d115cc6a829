// The questions that wait for the user: the questioner of one chat.
import { type QuestionAnswer, type Questioner } from '../../../core/ports/questions';
import { type QuestionRequest } from '../../../shared/question';

export interface PendingQuestions extends Questioner {
  readonly requests: readonly QuestionRequest[];
  /** False where it was settled already. */
  answer(requestId: string, answer: QuestionAnswer): boolean;
}

interface Pending {
  request: QuestionRequest;
  settle: (answer: QuestionAnswer) => void;
}

/** `changed` is called whenever a question begins or ends to wait. */
export function createPendingQuestions(changed: (asked?: QuestionRequest) => void): PendingQuestions {
  const pending = new Map<string, Pending>();
  return {
    get requests() {
      return [...pending.values()].map(({ request }) => request);
    },
    async askQuestions(request, signal) {
      signal.throwIfAborted();
      try {
        return await new Promise<QuestionAnswer>((resolve, reject) => {
          const abort = (): void => reject(signal.reason as Error);
          signal.addEventListener('abort', abort, { once: true });
          const settle = (answer: QuestionAnswer): void => {
            signal.removeEventListener('abort', abort);
            resolve(answer);
          };
          pending.set(request.id, { request, settle });
          changed(request);
        });
      } finally {
        pending.delete(request.id);
        changed();
      }
    },
    answer(requestId, answer) {
      const found = pending.get(requestId);
      pending.delete(requestId);
      found?.settle(answer);
      return found !== undefined;
    },
  };
}
