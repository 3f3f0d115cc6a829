// Runs the turns of a session: its loop, the executor of each reply, and what follows from settled calls.
import { defined } from '../../shared/defined';
import { type ExecutedCall } from '../calls/tool-call';
import { runLoop } from '../loop/loop';
import { type TurnEnd } from '../loop/after-reply';
import { createRetryWait } from '../loop/retry-wait';
import { waitingCalls } from '../loop/waiting-calls';
import { defaultRetryPolicy } from '../model/retry-policy';
import { replyIds } from '../sessions/reply-ids';
import { type SessionCore } from './session-core';
import { createTurnExecutor } from './turn-executor';

export interface TurnRunner {
  /** Runs one turn from where the log stands. */
  run(signal: AbortSignal): Promise<TurnEnd>;
  /** Ends the wait before the next try of a request, where there is one. */
  tryNow(): void;
}

const noOtherModel = { take: () => false, offer: () => ({}) };
const never = new AbortController().signal;

export function createTurnRunner(core: SessionCore): TurnRunner {
  const { settings, ports, session, writer, context, messages, requests, permission, features } = core;
  const { maxTurns, silenceMs, retry = defaultRetryPolicy } = settings.turns ?? {};
  const wait = createRetryWait(ports.clock);
  /** Files that calls have touched since the model was last sent what belongs to them. */
  let touched: string[] = [];

  const settle = ({ change, newMessages, files = [] }: ExecutedCall): void => {
    messages.add(newMessages);
    touched.push(...files);
    if (change?.mode !== undefined) permission.setMode(change.mode);
    if (change?.cwd === undefined || change.cwd === session.cwd) return;
    const before = session.cwd;
    const now = change.cwd;
    session.cwd = now;
    writer.write({ type: 'system', subtype: 'setting', name: 'cwd', value: now });
    void features.event('CwdChanged', () => ({ old_cwd: before, new_cwd: now }), never);
  };
  const deliver = async (signal: AbortSignal): Promise<boolean> => {
    const files = touched;
    touched = [];
    const heard = await messages.deliver(signal);
    await context.injectFor(files, signal);
    return heard;
  };

  return {
    tryNow: wait.tryNow,
    run(signal) {
      const steps = features.aroundRequests(
        {
          request: (raise, mayCompact = false) => requests.next(raise, mayCompact),
          makeRoom: async () => undefined,
        },
        signal,
      );
      return runLoop(
        {
          model: ports.model,
          clock: ports.clock,
          writer,
          emit: features.replyEmit(settings.emit),
          retry,
          wait,
          fallback: features.otherModel ?? noOtherModel,
          request: (raise) => steps.request(raise),
          makeRoom: steps.makeRoom,
          waitingCalls: () => waitingCalls(settings.records),
          takenReplies: () => replyIds(settings.records),
          ...defined({ silenceMs, maxTurns }),
          executor: () => createTurnExecutor(core, settle, signal),
          nudge: messages.nudge,
          deliverQueued: () => deliver(signal),
          afterTools: (results, stopped) => features.afterTools(results, stopped),
          beforeEnd: (end, stopped) => features.beforeEnd(end, stopped),
        },
        signal,
      ).finally(() => features.otherModel?.over());
    },
  };
}
