// One function for each way a reply can end: each says what follows and keeps the count of what went wrong.
import { defined } from '../../shared/defined';
import { happenedOf, messageOf } from '../text/errors';
import { type ModelRequest } from '../wire/wire';
import { isOffline } from '../model/offline-policy';
import { type Failures, noFailures, oneMore } from '../model/retry-policy';
import { type ModelClient } from '../ports/model';
import { afterReply, declinedSentence, maxContinuations, type NextStep } from './after-reply';
import { causeOf, type FallbackCause } from './fallback-cause';
import { refusesFile } from './refused-file';
import { type ReplyOutcome } from './stream-reply';
import {
  type Away,
  failedWith,
  triedSentence,
  waitForConnection,
  waitForRetry,
  type WaitServices,
} from './wait-for-model';

/** What a turn remembers from one request to the next. */
export interface TurnState {
  /** Replies that ended by themselves. */
  turns: number;
  /** Replies in a row without a tool call. */
  continuations: number;
  /** How often the output limit was doubled. */
  raise: number;
  failures: Failures;
  /** Since when there has been no connection. */
  away: Away | undefined;
  /** The API continues its own tool in the next request, which may carry nothing but results: everything else waits. */
  resultsOnly: boolean;
}

export const newTurn = (): TurnState => ({
  turns: 0,
  continuations: 0,
  raise: 0,
  failures: noFailures,
  away: undefined,
  resultsOnly: false,
});

export interface EndingServices extends WaitServices {
  model: Pick<ModelClient, 'provider'>;
  /** Another model, where the user has agreed to one. */
  fallback: {
    take(cause: FallbackCause, message: string): boolean;
    offer(): { offer?: string };
  };
}

type Complete = Extract<ReplyOutcome, { kind: 'complete' }>;
type Broken = Extract<ReplyOutcome, { kind: 'broken' }>;

export async function nextStep(
  reply: Complete | Broken,
  request: ModelRequest,
  state: TurnState,
  services: EndingServices,
  signal: AbortSignal,
): Promise<NextStep> {
  if (reply.kind === 'complete') return afterComplete(reply, state, services);
  if (reply.kept) state.resultsOnly = false;
  else if (refusesFile(reply.error, request)) return afterRefusedFile(reply, services);
  return isOffline(reply.error)
    ? afterOffline(reply, state, services, signal)
    : afterBreak(reply, state, services, signal);
}

/** Every later request would fail as well. The next one holds none of these images and PDF files, so this does not repeat. */
function afterRefusedFile({ error }: Broken, { writer }: EndingServices): NextStep {
  writer.write({ type: 'system', subtype: 'images_dropped', message: messageOf(error) });
  return { kind: 'continue' };
}

/** Nothing was sent: the same conversation is sent again, with what was typed meanwhile. */
async function afterOffline(
  { error }: Broken,
  state: TurnState,
  services: EndingServices,
  signal: AbortSignal,
): Promise<NextStep> {
  state.away ??= { since: services.clock.now(), looks: 0 };
  const waited = await waitForConnection(messageOf(error), state.away, services, signal);
  if (waited === true) return { kind: 'continue' };
  return signal.aborted ? { kind: 'interrupted' } : stopped(error, waited, services);
}

async function afterBreak(
  { error, kept, calls }: Broken,
  state: TurnState,
  services: EndingServices,
  signal: AbortSignal,
): Promise<NextStep> {
  state.away = undefined;
  // What was finished before the break counts as progress.
  state.failures = oneMore(state.failures, error, kept);
  if (calls > 0) state.continuations = 0;
  else if (kept && ++state.continuations >= maxContinuations) return stopped(error, messageOf(error), services);
  const waited = await waitForRetry(error, state.failures, services, signal);
  if (waited !== true) {
    if (signal.aborted) return { kind: 'interrupted' };
    const cause = causeOf(error);
    if (cause === undefined) return stopped(error, waited, services);
    const why = `${happenedOf(error)}${triedSentence(error, state.failures.all)}`;
    if (!services.fallback.take(cause, why))
      return { ...stopped(error, waited, services), ...services.fallback.offer() };
    state.failures = noFailures;
  }
  return kept && calls === 0 ? { kind: 'continue', nudge: brokenNudge } : { kind: 'continue' };
}

const brokenNudge = 'The connection broke in the middle of your reply. Continue exactly where it stopped.';

function afterComplete(reply: Complete, state: TurnState, services: EndingServices): NextStep {
  state.turns++;
  state.failures = noFailures;
  state.away = undefined;
  state.continuations = reply.calls > 0 ? 0 : state.continuations + 1;
  const wanted = afterReply(reply, state.continuations);
  const next = wanted.kind === 'end' && wanted.reason === 'refusal' ? afterRefusal(reply, wanted, services) : wanted;
  state.resultsOnly = reply.openServerCall && reply.calls > 0 && next.kind === 'continue';
  return next;
}

function afterRefusal(
  { messageId, stopDetails }: Complete,
  end: Extract<NextStep, { kind: 'end' }>,
  { writer, fallback }: EndingServices,
): NextStep {
  writer.write({ type: 'system', subtype: 'reply_refused', messageId, ...defined({ details: stopDetails }) });
  return fallback.take('refusal', declinedSentence(stopDetails))
    ? { kind: 'continue' }
    : { ...end, ...fallback.offer() };
}

function stopped(error: unknown, message: string, { model }: EndingServices): Extract<NextStep, { kind: 'failed' }> {
  return { kind: 'failed', ...failedWith(error, message, model.provider) };
}
