// The executor of one turn's calls: what each call may reach, and what is written down before and after it.
import { type PermissionUpdate } from '../../shared/permission';
import { type PermissionContext } from '../permissions/rules/verdict';
import { type ToolSession } from '../tool/tool';
import { type AutoMode } from '../calls/auto-mode';
import { createCallGuard } from '../calls/call-checkpoint';
import { executeTool, type ExecutionServices } from './execute-tool';
import { ownCommands } from '../calls/own-commands';
import { type PastDecisions } from '../calls/past-decisions';
import { type RecordWriter } from '../events/record-writer';
import { type SessionHooks } from './session-hooks';
import { type SessionOptions } from './session-options';
import { StreamingToolExecutor } from '../calls/streaming-tool-executor';
import { type ExecutedCall, type ToolCall } from '../calls/tool-call';

export interface TurnExecutorParts {
  options: SessionOptions;
  session: ToolSession;
  hooks: SessionHooks;
  writer: RecordWriter;
  auto: AutoMode;
  decisions: PastDecisions;
  permission: () => PermissionContext;
  applyUpdates: (updates: PermissionUpdate[]) => Promise<void>;
  /** In the order in which calls end. */
  ended: (call: ToolCall, result: ExecutedCall) => void;
  /** In call order. */
  settled: (result: ExecutedCall) => void;
}

/** What a call gets that runs in the turn. */
export function turnServices(
  parts: Omit<TurnExecutorParts, 'ended' | 'settled'>,
  questionSignal: AbortSignal,
): ExecutionServices {
  const { options, session, hooks, writer, auto, decisions } = parts;
  const { registry, ports, emit } = options;
  return {
    questionSignal,
    registry,
    ports: {
      ...ports,
      terminal: hooks.terminal(ownCommands(ports.terminal, options.records)),
      approver: hooks.approver,
    },
    hooks: hooks.tools,
    emit,
    session,
    permission: parts.permission,
    applyUpdates: parts.applyUpdates,
    auto,
    secrets: options.secrets,
    guard: options.checkpoints === undefined ? undefined : createCallGuard(options.checkpoints, ports.terminal),
    weighed: decisions.weighed,
    decided: decisions.decided,
    started: async (call: ToolCall, changesSomething: boolean) => {
      writer.write({ type: 'system', subtype: 'tool_started', toolUseId: call.id });
      // After a crash the model must not be told that a call which did run was not run.
      if (changesSomething) await writer.sync();
    },
  };
}

export function createTurnExecutor(parts: TurnExecutorParts, signal: AbortSignal): StreamingToolExecutor {
  const { registry, maxConcurrentTools } = parts.options;
  const questions = new AbortController();
  const services = turnServices(parts, AbortSignal.any([signal, questions.signal]));
  return new StreamingToolExecutor({
    registry,
    ...(maxConcurrentTools === undefined ? {} : { maxConcurrent: maxConcurrentTools }),
    execute: (call) => executeTool(call, services, signal),
    ended: (call, result) => {
      // A rejection without a reason ends the turn: nothing else is asked in it.
      if (result.endsTurn) questions.abort(abortError());
      parts.ended(call, result);
    },
    settled: (_call, result) => parts.settled(result),
    fault: ({ name }, error) => parts.options.ports.log.error(`Telling of a result of ${name} failed`, error),
  });
}

function abortError(): Error {
  return Object.assign(new Error('The turn is over.'), { name: 'AbortError' });
}
