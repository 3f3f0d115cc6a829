// The turn loop: request, reply, tools, results, until the model has nothing more to call.
import { type ModelRequest } from '../wire/wire';
import { type ModelClient } from '../ports/model';
import { hostClosedAskingCode, hostClosedCode } from '../sessions/turn-end-notice';
import { type NextStep, type TurnEnd } from './after-reply';
import { HostClosed } from './host-closed';
import { type EndingServices, newTurn, nextStep, type TurnState } from './reply-endings';
import { type StreamingToolExecutor } from '../calls/streaming-tool-executor';
import { type ExecutedCall, type ToolCall } from '../calls/tool-call';
import { replyAndTools, untilStopped } from './reply-and-tools';
import { type ReplyOutcome, type StreamServices } from './stream-reply';
import { endingWaits } from './wait-for-model';

export interface LoopServices extends EndingServices, Pick<StreamServices, 'takenReplies' | 'silenceMs'> {
  model: ModelClient;
  /** The next request from the log, compacted first where it grows too long; `raise` counts how often the output limit was doubled. */
  request: (raise: number) => Promise<ModelRequest | TurnEnd>;
  /** Where the conversation was too long for the model: `again` once there is room, otherwise the end of the turn. */
  makeRoom: (reply: ReplyOutcome, request: ModelRequest, signal: AbortSignal) => Promise<'again' | TurnEnd | undefined>;
  /** What the log ends in: calls that waited for the user as their host went away. */
  waitingCalls: () => readonly ToolCall[];
  /** A new executor for one reply; it records results itself. */
  executor: () => StreamingToolExecutor;
  /** Text of Deft's own for the model: a user record that is not the user's. */
  nudge: (text: string) => void;
  /** Delivers what waits: steering messages, reminders. True where the user has said something. */
  deliverQueued: () => Promise<boolean>;
  /** All calls of a reply have ended; what it returns ends the turn. */
  afterTools: (results: readonly ExecutedCall[], signal: AbortSignal) => Promise<TurnEnd | undefined>;
  /** The turn is about to end; undefined where it continues, the model having been sent the reason. */
  beforeEnd: (end: TurnEnd, signal: AbortSignal) => Promise<TurnEnd | undefined>;
  maxTurns?: number;
}

/** Resolves when the turn has ended, whatever happened; the log then folds into a history that the API accepts. */
export async function runLoop(services: LoopServices, signal: AbortSignal): Promise<TurnEnd> {
  const { emit, over } = endingWaits(services.emit);
  try {
    return await requests({ ...services, emit }, signal);
  } finally {
    over();
  }
}

async function requests(services: LoopServices, signal: AbortSignal): Promise<TurnEnd> {
  const state = newTurn();
  const waiting = services.waitingCalls();
  const ended = waiting.length === 0 ? undefined : await callsAgain(waiting, state, services, signal);
  if (ended !== undefined) return ended;
  for (;;) {
    if (services.maxTurns !== undefined && state.turns >= services.maxTurns)
      return { reason: 'max_turns', message: `Stopped after ${services.maxTurns} turns.` };
    const executor = services.executor();
    const request = await services.request(state.raise);
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

    const next = await nextStep(reply, request, state, services, signal);
    if (next.kind === 'interrupted') return interrupted(services, signal);
    if (next.kind === 'failed') return endOf(next);
    const end = await goOn(next, state, services, signal);
    if (end !== undefined) return end;
  }
}

/** The reply is in the log and paid for: its calls are judged and asked anew, and the model is sent their results. */
async function callsAgain(
  calls: readonly ToolCall[],
  state: TurnState,
  services: LoopServices,
  signal: AbortSignal,
): Promise<TurnEnd | undefined> {
  const executor = services.executor();
  const results = await untilStopped(executor, signal, async () => {
    calls.forEach((call) => executor.add(call));
    return executor.finish();
  });
  if (signal.aborted) return interrupted(services, signal);
  if (results.some((result) => result.endsTurn)) return { reason: 'denied' };
  const stopped = await services.afterTools(results, signal);
  return stopped ?? goOn({ kind: 'continue' }, state, services, signal);
}

/** Delivers what waits, then prepares the next request; or the end of the turn, where nothing keeps it going. */
async function goOn(
  next: Extract<NextStep, { kind: 'continue' | 'end' }>,
  state: TurnState,
  services: LoopServices,
  signal: AbortSignal,
): Promise<TurnEnd | undefined> {
  if (next.kind === 'continue' && next.raiseLimit === true) state.raise++;
  if (state.resultsOnly) return undefined;
  const heard = await services.deliverQueued();
  if (heard) state.continuations = 0;
  if (next.kind === 'continue') {
    if (next.nudge !== undefined) services.nudge(next.nudge);
    return undefined;
  }
  if (heard && next.reason === 'completed') return undefined;
  const end = await services.beforeEnd(endOf(next), signal);
  if (end === undefined) state.continuations = 0;
  return end;
}

function endOf({ kind: _, ...end }: TurnEnd & { kind: string }): TurnEnd {
  return end;
}

function interrupted(services: LoopServices, signal: AbortSignal): TurnEnd {
  if (signal.reason instanceof HostClosed) {
    if (services.waitingCalls().length > 0) return { reason: 'interrupted', code: hostClosedAskingCode };
    services.nudge('This turn was cut short: its chat was left, closed or reloaded. Finished work is kept.');
    return { reason: 'interrupted', code: hostClosedCode };
  }
  services.nudge('The user interrupted this turn. Finished work is kept; wait for their next message.');
  return { reason: 'interrupted' };
}
