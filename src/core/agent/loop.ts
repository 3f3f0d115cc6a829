// The turn loop: request, reply, tools, results, until the model has nothing more to call.
import { happenedOf, messageOf } from '../text/errors';
import { type ModelRequest } from '../wire/wire';
import { noFailures, oneMore } from '../model/retry-policy';
import { isOffline } from '../model/offline-policy';
import { type ModelClient } from '../ports/model';
import { type TurnEndReason } from '../ports/record';
import { hostClosedCode } from '../sessions/turn-end-notice';
import { afterReply, declinedSentence, maxContinuations, type NextStep } from '../loop/after-reply';
import { HostClosed } from '../loop/host-closed';
import { refusesFile } from '../loop/refused-file';
import { causeOf, type SessionFallback } from '../features/fallback/session-fallback';
import { replyAndTools } from './reply-and-tools';
import { type StreamingToolExecutor } from '../calls/streaming-tool-executor';
import { type ExecutedCall } from '../calls/tool-call';
import { type ReplyOutcome, type StreamServices } from '../loop/stream-reply';
import {
  type Away,
  failedWith,
  triedSentence,
  untilAnswered,
  waitForConnection,
  waitForRetry,
  type WaitServices,
} from '../loop/wait-for-model';

export interface LoopServices extends WaitServices, Pick<StreamServices, 'takenReplies' | 'silenceMs'> {
  model: ModelClient;
  /** Another model, where the person has agreed to one. */
  fallback: Pick<SessionFallback, 'take' | 'offer'>;
  /** The next request from the log, compacted first where it grows too long; `raise` counts how often the output limit was doubled. */
  request: (raise: number) => Promise<ModelRequest | TurnEnd>;
  /** Where the conversation was too long for the model: `again` once there is room, otherwise the end of the turn. */
  makeRoom: (reply: ReplyOutcome, request: ModelRequest, signal: AbortSignal) => Promise<'again' | TurnEnd | undefined>;
  /** A new executor for one reply; it records results itself. */
  executor: () => StreamingToolExecutor;
  /** Text of Deft's own for the model: a user record that is not the person's. */
  nudge: (text: string) => void;
  /** Delivers what waits: steering messages, reminders. True where the person has said something. */
  deliverQueued: () => Promise<boolean>;
  /** All calls of a reply have ended; what it returns ends the turn. */
  afterTools: (results: readonly ExecutedCall[], signal: AbortSignal) => Promise<TurnEnd | undefined>;
  /** The turn is about to end; undefined where it goes on, the model having been told why. */
  beforeEnd: (end: TurnEnd, signal: AbortSignal) => Promise<TurnEnd | undefined>;
  maxTurns?: number;
}

export interface TurnEnd {
  reason: TurnEndReason;
  message?: string;
  /** The code of the error that ended it. */
  code?: string;
  /** Who was asked when it failed. */
  provider?: ModelClient['provider'];
  /** A model that may be asked instead, if the person wants it. */
  offer?: string;
}

/** Resolves when the turn has ended, whatever happened; the log then folds into a history that the API accepts. */
export const runLoop = (services: LoopServices, signal: AbortSignal): Promise<TurnEnd> =>
  untilAnswered(services.emit, (emit) => requests({ ...services, emit }, signal));

async function requests(services: LoopServices, signal: AbortSignal): Promise<TurnEnd> {
  let failures = noFailures;
  let continuations = 0;
  let raise = 0;
  let turns = 0;
  /** The API goes on with its own tool then, and takes results alone: what else there is to say waits for the request after that. */
  let resultsOnly = false;
  let away: Away | undefined;
  for (;;) {
    if (services.maxTurns !== undefined && turns >= services.maxTurns) {
      return { reason: 'max_turns', message: `Stopped after ${services.maxTurns} turns.` };
    }
    const executor = services.executor();
    const request = await services.request(raise);
    if ('reason' in request) return request;
    const { reply, results } = await replyAndTools(request, executor, services, signal);
    if (signal.aborted) return interrupted(services, signal);
    if (results.some((result) => result.endsTurn)) return { reason: 'denied' };
    if (reply.kind === 'aborted') return interrupted(services, signal);
    const stopped = await services.afterTools(results, signal);
    if (stopped !== undefined) return stopped;
    const room = await services.makeRoom(reply, request, signal);
    if (room === 'again') continue;
    if (room !== undefined) return room;

    if (reply.kind === 'complete' || reply.kept) resultsOnly = false;
    let next: NextStep;
    if (reply.kind === 'broken' && !reply.kept && refusesFile(reply.error, request)) {
      // Every later request would fail as well. The next one holds none of these images and PDF files, so this does not repeat.
      services.writer.write({ type: 'system', subtype: 'images_dropped', message: messageOf(reply.error) });
      next = { kind: 'continue' };
    } else if (reply.kind === 'broken' && isOffline(reply.error)) {
      away ??= { since: services.clock.now(), looks: 0 };
      const waited = await waitForConnection(messageOf(reply.error), away, services, signal);
      if (waited !== true)
        return signal.aborted
          ? interrupted(services, signal)
          : failedWith(reply.error, waited, services.model.provider);
      // Nothing was sent: the same conversation, with what was typed meanwhile.
      if (!resultsOnly && (await services.deliverQueued())) continuations = 0;
      continue;
    } else if (reply.kind === 'broken') {
      away = undefined;
      // What was finished before the break counts as progress.
      failures = oneMore(failures, reply.error, reply.kept);
      if (reply.calls > 0) continuations = 0;
      else if (reply.kept && ++continuations >= maxContinuations)
        return failedWith(reply.error, messageOf(reply.error), services.model.provider);
      const waited = await waitForRetry(reply.error, failures, services, signal);
      if (waited !== true) {
        if (signal.aborted) return interrupted(services, signal);
        const cause = causeOf(reply.error);
        if (
          cause === undefined ||
          !services.fallback.take(cause, `${happenedOf(reply.error)}${triedSentence(reply.error, failures.all)}`)
        )
          return {
            ...failedWith(reply.error, waited, services.model.provider),
            ...(cause === undefined ? {} : services.fallback.offer()),
          };
        failures = noFailures;
      }
      next = reply.kept && reply.calls === 0 ? { kind: 'continue', nudge: brokenNudge } : { kind: 'continue' };
    } else {
      turns++;
      failures = noFailures;
      away = undefined;
      continuations = reply.calls > 0 ? 0 : continuations + 1;
      next = afterReply(reply, continuations);
      if (next.kind === 'end' && next.reason === 'refusal') {
        services.writer.write({
          type: 'system',
          subtype: 'reply_refused',
          messageId: reply.messageId,
          ...(reply.stopDetails === undefined ? {} : { details: reply.stopDetails }),
        });
        next = services.fallback.take('refusal', declinedSentence(reply.stopDetails))
          ? { kind: 'continue' }
          : { ...next, ...services.fallback.offer() };
      }
      resultsOnly = reply.openServerCall && reply.calls > 0 && next.kind === 'continue';
      if (resultsOnly && next.kind === 'continue' && next.raiseLimit === true) raise++;
    }
    if (resultsOnly) continue;
    const heard = await services.deliverQueued();
    if (heard) continuations = 0;
    if (next.kind === 'end' && !(heard && next.reason === 'completed')) {
      const { kind: _, ...wanted } = next;
      const end = await services.beforeEnd(wanted, signal);
      if (end !== undefined) return end;
      continuations = 0;
    }
    if (next.kind === 'continue') {
      if (next.raiseLimit === true) raise++;
      if (next.nudge !== undefined) services.nudge(next.nudge);
    }
  }
}

const brokenNudge = 'The connection broke in the middle of your reply. Go on exactly where it stopped.';

function interrupted(services: LoopServices, signal: AbortSignal): TurnEnd {
  if (signal.reason instanceof HostClosed) {
    services.nudge('The window was closed or reloaded in the middle of this turn. What was finished stays.');
    return { reason: 'interrupted', code: hostClosedCode };
  }
  services.nudge('The person interrupted this turn. What was finished stays; wait for what they say next.');
  return { reason: 'interrupted' };
}
