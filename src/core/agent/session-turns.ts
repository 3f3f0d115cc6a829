// Runs the turns of a session: its loop, the executor of each reply, and what follows from settled calls.
import { type PermissionMode, type PermissionUpdate } from '../../shared/permission';
import { type SessionGoal } from '../features/goal/session-goal';
import { defaultRetryPolicy } from '../model/retry-policy';
import { replyIds } from '../sessions/reply-ids';
import { type PermissionContext } from '../permissions/rules/verdict';
import { type ToolSession } from '../tool/tool';
import { type AutoMode } from '../calls/auto-mode';
import { type BackgroundEnds } from '../features/background/background-ends';
import { runLoop, type TurnEnd } from './loop';
import { type MessageDisplay } from '../features/display/message-display';
import { type Outbox } from '../session/pending-messages';
import { type PastDecisions } from '../calls/past-decisions';
import { type RecordWriter } from '../events/record-writer';
import { type SessionCompaction } from '../features/compaction/session-compaction';
import { createRetryWait } from '../loop/retry-wait';
import { type SessionContext } from '../session/session-context';
import { type SessionFallback } from '../features/fallback/session-fallback';
import { type SessionHooks } from './session-hooks';
import { type SessionOptions } from './session-options';
import { type SessionAgents } from './subagent-runs';
import { type StreamingToolExecutor } from '../calls/streaming-tool-executor';
import { type ExecutedCall } from '../calls/tool-call';
import { type ExecutionServices } from './execute-tool';
import { createTurnExecutor, turnServices } from './turn-executor';
import { writeResult } from '../calls/write-result';

export interface SessionTurnParts {
  options: SessionOptions;
  display: Pick<MessageDisplay, 'emit'>;
  session: ToolSession;
  writer: RecordWriter;
  context: SessionContext;
  hooks: SessionHooks;
  goal: SessionGoal | undefined;
  auto: AutoMode;
  decisions: PastDecisions;
  compaction: SessionCompaction;
  outbox: Outbox;
  fallback: SessionFallback;
  backgroundEnds: BackgroundEnds;
  agents: Pick<SessionAgents, 'resultWritten'> | undefined;
  model: () => string;
  permission: () => PermissionContext;
  applyUpdates: (updates: PermissionUpdate[]) => Promise<void>;
  setMode: (mode: PermissionMode) => void;
}

export interface SessionTurns {
  /** Runs one turn from where the log stands. */
  run(signal: AbortSignal): Promise<TurnEnd>;
  /** For a call that no reply of the model made. */
  services(signal: AbortSignal): ExecutionServices;
  /** Ends the wait before the next try of a request, where there is one. */
  tryNow(): void;
}

export function createSessionTurns(parts: SessionTurnParts): SessionTurns {
  const {
    options,
    session,
    writer,
    context,
    hooks,
    goal,
    auto,
    decisions,
    compaction,
    outbox,
    fallback,
    backgroundEnds,
    agents,
  } = parts;
  const { ports, maxTurns, retry = defaultRetryPolicy } = options;
  const wait = createRetryWait(ports.clock);
  /** Files that calls have touched since the model was last told what belongs to them. */
  let touched: string[] = [];

  const settle = ({ change, newMessages, files = [] }: ExecutedCall): void => {
    outbox.add(newMessages);
    touched.push(...files);
    if (change?.mode !== undefined) parts.setMode(change.mode);
    if (change?.cwd === undefined || change.cwd === session.cwd) return;
    const before = session.cwd;
    session.cwd = change.cwd;
    writer.write({ type: 'system', subtype: 'setting', name: 'cwd', value: change.cwd });
    hooks.cwdChanged(before, change.cwd);
  };
  const deliver = async (signal: AbortSignal): Promise<boolean> => {
    const files = touched;
    touched = [];
    const heard = await outbox.deliver(signal);
    await context.tellOf(files, signal);
    return heard;
  };
  const execution = {
    options,
    session,
    hooks,
    writer,
    auto,
    decisions,
    permission: parts.permission,
    applyUpdates: parts.applyUpdates,
  };
  const executor = (signal: AbortSignal): StreamingToolExecutor =>
    createTurnExecutor(
      {
        ...execution,
        ended: (call, result) => {
          writeResult(call, result, options.records, writer);
          backgroundEnds.resultWritten(call.id);
          agents?.resultWritten(call.id);
        },
        settled: settle,
      },
      signal,
    );

  const withinBudget = (
    steps: ReturnType<SessionCompaction['steps']>,
    signal: AbortSignal,
  ): ReturnType<SessionCompaction['steps']> => ({
    ...steps,
    request: async (raise) =>
      (await options.budget?.check({ model: parts.model(), records: options.records }, signal)) ?? steps.request(raise),
  });

  return {
    services: (signal) => turnServices(execution, signal),
    tryNow: wait.tryNow,
    run: (signal) =>
      runLoop(
        {
          model: ports.model,
          clock: ports.clock,
          writer,
          emit: parts.display.emit,
          retry,
          wait,
          fallback,
          ...withinBudget(compaction.steps(signal), signal),
          takenReplies: () => replyIds(options.records),
          ...(options.silenceMs === undefined ? {} : { silenceMs: options.silenceMs }),
          executor: () => executor(signal),
          nudge: outbox.nudge,
          deliverQueued: () => deliver(signal),
          afterTools: hooks.afterTools,
          beforeEnd: async (end, stopped) => {
            const after = await hooks.beforeEnd(end, stopped);
            return after === undefined || goal === undefined ? after : goal.beforeEnd(after, stopped);
          },
          ...(maxTurns === undefined ? {} : { maxTurns }),
        },
        signal,
      ).finally(() => fallback.turnOver()),
  };
}
