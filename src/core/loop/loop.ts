// The turn loop: request, reply, tools, results, until the model has nothing more to call.
import { type ModelRequest } from '../wire/wire';
import { type ModelClient } from '../ports/model';
import { hostClosedCode } from '../sessions/turn-end-notice';
import { type NextStep, type TurnEnd } from './after-reply';
import { HostClosed } from './host-closed';

import { type EndingServices, newTurn, nextStep, type TurnState } from './reply-endings';
import { type StreamingToolExecutor } from '../calls/streaming-tool-executor';
import { type ExecutedCall, type ToolCall } from '../calls/tool-call';
import { type ReplyOutcome, type StreamServices, streamReply } from './stream-reply';
import { endingWaits } from './wait-for-model';

export interface LoopServices extends EndingServices, Pick<StreamServices, 'takenReplies' | 'silenceMs'> {
  model: ModelClient;
  /** The next request from the log, compacted first where it grows too long; `raise` counts how often the output limit was doubled. */
  request: (raise: number) => Promise<ModelRequest | TurnEnd>;
  /** Where the conversation was too long for the model: `again` once there is room, otherwise the end of the turn. */
  makeRoom: (reply: ReplyOutcome, request: ModelRequest, signal: AbortSignal) => Promise<'again' | TurnEnd | undefined>;
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
    services.nudge('The window was closed or reloaded in the middle of this turn. Finished work is kept.');
    return { reason: 'interrupted', code: hostClosedCode };
  }
  services.nudge('The user interrupted this turn. Finished work is kept; wait for their next message.');
  return { reason: 'interrupted' };
}

/** One reply and the calls in it, which run while it still streams. Ends the stream where the user stops, and where a result ends the turn. */
async function replyAndTools(
  request: ModelRequest,
  executor: StreamingToolExecutor,
  services: Omit<StreamServices, 'callReady'>,
  signal: AbortSignal,
): Promise<{ reply: ReplyOutcome; results: ExecutedCall[] }> {
  const stream = new AbortController();
  const stop = (): void => {
    executor.stop('the user interrupted the turn.');
    stream.abort(signal.reason);
  };
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  // What is whole of the reply stays, as where the user stops.
  executor.turnOver.addEventListener('abort', () => stream.abort(), { once: true });
  try {
    const callReady = (call: ToolCall): void => executor.add(call);
    const reply = await streamReply(request, { ...services, callReady }, stream.signal);
    return { reply, results: await executor.finish() };
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
