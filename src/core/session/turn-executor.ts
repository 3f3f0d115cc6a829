// The executor of one turn's calls: what each call may reach, and what is written down before and after it.
import { defined } from '../../shared/defined';
import { createCallGuard } from '../calls/call-checkpoint';
import { executeTool, type ExecutionServices } from '../calls/execute-tool';
import { ownCommands } from '../calls/own-commands';
import { StreamingToolExecutor } from '../calls/streaming-tool-executor';
import { changedFile } from '../calls/changed-file';
import { type ExecutedCall, type ToolCall } from '../calls/tool-call';
import { writeResult } from '../calls/write-result';
import { HostClosed } from '../loop/host-closed';
import { type SessionCore } from './session-core';

/** What a call gets that runs in the turn. */
export function turnServices(core: SessionCore, questionSignal: AbortSignal): ExecutionServices {
  const { settings, ports, features, writer, permission, session, registry } = core;
  return {
    questionSignal,
    registry,
    ports: features.callPorts({ ...ports, terminal: ownCommands(ports.terminal, settings.records) }),
    hooks: features.callHooks,
    emit: settings.emit,
    session,
    permission: permission.now,
    applyUpdates: permission.applyUpdates,
    auto: permission.auto,
    secrets: settings.secrets,
    guard: settings.checkpoints === undefined ? undefined : createCallGuard(settings.checkpoints, ports.terminal),
    weighed: permission.decisions.weighed,
    decided: permission.decisions.decided,
    started: async (call: ToolCall, changesSomething: boolean) => {
      writer.write({ type: 'system', subtype: 'tool_started', toolUseId: call.id });
      // After a crash the model must not be informed that a call which did run was not run.
      if (changesSomething) await writer.sync();
    },
    asked: (call: ToolCall) => void writer.write({ type: 'system', subtype: 'user_asked', toolUseId: call.id }),
  };
}

/** `settled` gets the results in call order. */
export function createTurnExecutor(
  core: SessionCore,
  settled: (result: ExecutedCall) => void,
  signal: AbortSignal,
): StreamingToolExecutor {
  const { settings, registry, writer, features, ports } = core;
  const questions = new AbortController();
  const begun = new Set<string>();
  const services = turnServices(core, AbortSignal.any([signal, questions.signal]));
  const started: ExecutionServices['started'] = (call, changes) => (
    begun.add(call.id),
    services.started(call, changes)
  );
  // Who closes the window answers nothing: what has not begun stays open in the log, and is run or asked when it is opened again.
  const isLeftOpen = ({ id }: ToolCall, { state }: ExecutedCall): boolean =>
    signal.reason instanceof HostClosed && state === 'stopped' && !begun.has(id);
  const asked = (call: ToolCall): void => (services.asked?.(call), executor.asking(call));
  const answered = (call: ToolCall, allowed: boolean): void => executor.answered(call, allowed);
  const executor = new StreamingToolExecutor({
    registry,
    ...defined({ maxConcurrent: settings.turns?.maxConcurrentTools }),
    ...(settings.turns?.asksAhead === true
      ? { changesOnly: (call: ToolCall) => changedFile(call, registry, core.session.cwd) }
      : {}),
    execute: (call, inTurn) => executeTool(call, { ...services, started, asked, answered, inTurn }, signal),
    ended: (call, result) => {
      // A rejection without a reason ends the turn: nothing else is asked in it.
      if (result.endsTurn) questions.abort(abortError());
      if (isLeftOpen(call, result)) return;
      writeResult(call, result, settings.records, writer);
      features.callWritten(call);
    },
    settled: (_call, result) => settled(result),
    fault: ({ name }, error) => ports.log.error(`Reporting a result of ${name} failed`, error),
  });
  return executor;
}

function abortError(): Error {
  return Object.assign(new Error('The turn has ended.'), { name: 'AbortError' });
}
