// What follows a reply: another request, a nudge to the model, or the end of the turn.
import { type ProviderId } from '../wire/model-capabilities';
import { type TurnEndReason } from '../ports/record';
import { type ReplyOutcome } from './stream-reply';

/** How a turn ended. */
export interface TurnEnd {
  reason: TurnEndReason;
  message?: string;
  /** The code of the error that ended it. */
  code?: string;
  /** Who was asked when it failed. */
  provider?: ProviderId;
  /** A model that may be asked instead, if the user wants it. */
  offer?: string;
}

export type NextStep =
  /** `nudge` is sent to the model in a user message. `raiseLimit` doubles the output limit. */
  | { kind: 'continue'; nudge?: string; raiseLimit?: boolean }
  /** The turn ends, unless the user or a feature keeps it going. */
  | ({ kind: 'end' } & TurnEnd)
  /** The model can't be reached: the turn is over. */
  | ({ kind: 'failed' } & TurnEnd)
  /** The user stopped the turn while it waited. */
  | { kind: 'interrupted' };

/** How often in a row a turn continues without any tool call having run in between. */
export const maxContinuations = 10;

export function afterReply(reply: Extract<ReplyOutcome, { kind: 'complete' }>, continuations: number): NextStep {
  const exhausted = continuations >= maxContinuations;
  switch (reply.stopReason) {
    case 'refusal':
      return {
        kind: 'end',
        reason: 'refusal',
        message: `${declinedSentence(reply.stopDetails)} Its partial reply is not sent again. Rephrase the request, rewind to before it, or ask another model.`,
      };
    case 'max_tokens':
      if (reply.calls > 0 && !reply.brokenCall) return { kind: 'continue', raiseLimit: true };
      if (exhausted) return tooMany;
      return reply.brokenCall
        ? {
            kind: 'continue',
            raiseLimit: true,
            nudge:
              'Your reply reached the output limit in the middle of a tool call, so that call was not run. Make it again, in smaller parts if you can.',
          }
        : {
            kind: 'continue',
            raiseLimit: true,
            nudge: 'Your reply reached the output limit. Continue exactly where it stopped.',
          };
    case 'pause_turn':
      // Sent again as it is: the API continues with its own tools.
      return exhausted ? tooMany : { kind: 'continue' };
    case 'compaction':
      return exhausted ? tooMany : { kind: 'continue' };
    case 'tool_use':
    case 'end_turn':
    case 'stop_sequence':
    case null:
    // A reason that Deft does not know yet.
    default:
      if (reply.calls > 0) return { kind: 'continue' };
      if (reply.hasContent) return { kind: 'end', reason: 'completed' };
      return exhausted
        ? tooMany
        : { kind: 'continue', nudge: 'Your last reply was empty. Continue the task, or say that it is done.' };
  }
}

const tooMany: NextStep = {
  kind: 'end',
  reason: 'continuations_exhausted',
  message: `The model stopped ${maxContinuations} times in a row without making progress. Send a message to continue.`,
};

/** Without what to do about it. What it is about is the API's own word: "cyber", "bio". */
export function declinedSentence(details: unknown): string {
  const { explanation, category } = (typeof details === 'object' && details !== null ? details : {}) as {
    explanation?: unknown;
    category?: unknown;
  };
  const about = typeof category === 'string' && category !== '' ? ` (${category.replaceAll('_', ' ')})` : '';
  const why =
    typeof explanation === 'string' && explanation !== ''
      ? ` It says: ${explanation.trim().replace(/([^.!?…])$/, '$1.')}`
      : '';
  return `The model declined to answer${about}.${why}`;
}
