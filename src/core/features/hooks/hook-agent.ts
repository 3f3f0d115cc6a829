// Hooks that ask an agent: a short run that may read and search, and ends with a verdict.
import { type HookHandler } from '../../hooks/hook-entry';
import { type HookResult } from '../../ports/hook-handlers';
import { hookQuestion, readVerdict, verdictInstructions, verdictSchema } from '../../hooks/prompt-hook';
import { withAnswerSchema } from '../../model/json-answer';
import { textOf } from '../../model/whole-reply';
import { defaultRetryPolicy } from '../../model/retry-policy';
import { type UserBlock } from '../../wire/wire';
import { type Approver } from '../../ports/approver';
import { type Ports } from '../../ports/ports';
import { type SessionLog } from '../../ports/session-store';
import { type SessionRecord } from '../../ports/record';
import { replyIds } from '../../sessions/reply-ids';
import { convertToolsForAPI } from '../../tool/convert-tool';
import { createReadState } from '../../sessions/read-state';
import { createToolRegistry, type ToolRegistry } from '../../tools/registry';
import { buildRequest } from '../../loop/build-request';
import { neutralText, reminder } from '../../text/system-reminder';
import { executeTool, type ExecutionServices } from '../../calls/execute-tool';
import { runLoop } from '../../loop/loop';
import { type SessionAccess } from '../../feature/session-feature';
import { usableModel } from '../../feature/usable-model';
import { budget } from '../budget/budget-key';
import { createRecordWriter, type RecordWriter } from '../../events/record-writer';
import { createRetryWait } from '../../loop/retry-wait';
import { StreamingToolExecutor } from '../../calls/streaming-tool-executor';

const toolNames = ['Read', 'Grep', 'Glob'];
const maxTurns = 20;
const maxOutputTokens = 8_000;

const instructions = `${verdictInstructions}
Before you answer you may read files in the workspace with your tools. Read no more than the question needs.`;

/** Nothing asks the user: a call that would need permission is denied. Nothing of it enters the conversation. */
export async function askHookAgent(
  handler: Extract<HookHandler, { type: 'agent' }>,
  input: string,
  access: SessionAccess,
  signal: AbortSignal,
): Promise<HookResult> {
  const { session, settings } = access;
  const { platform, shell } = settings.place.environment;
  const shared = access.feature(budget);
  const model = usableModel(handler.model, access, 'A hook') ?? session.smallModel.id;
  const can = access.ports.model.capabilities(model);
  const tools = toolNames.flatMap((name) => access.registry.find(name) ?? []);
  const registry = createToolRegistry(tools);
  const ports: Ports = { ...access.ports, approver: deniesAll };
  const records: SessionRecord[] = [];
  const writer = writerOf(records, model, access);
  const say = (content: UserBlock[]): void =>
    void writer.write({ type: 'user', message: { role: 'user', content }, isMeta: true });
  const definitions = await convertToolsForAPI(tools, {
    prompt: { toolNames, platform, shell },
    can,
    strictTools: settings.requests?.strictTools === true,
    warn: (message) => ports.log.warn(message),
  });
  let additions: UserBlock[] = [];
  const execution = executionOf(registry, ports, access, signal);
  say([{ type: 'text', text: neutralText(hookQuestion(handler.prompt, input)) }]);
  const end = await runLoop(
    {
      model: ports.model,
      clock: ports.clock,
      writer,
      emit: () => undefined,
      retry: defaultRetryPolicy,
      wait: createRetryWait(ports.clock),
      fallback: { take: () => false, offer: () => ({}) },
      request: async () =>
        (await shared?.check({ model, records }, signal)) ??
        withAnswerSchema(
          buildRequest(records, {
            model,
            can,
            provider: ports.model.provider,
            system: [instructions],
            tools: definitions,
            maxOutputTokens,
            sessionId: session.id,
          }),
          verdictSchema,
          can,
        ),
      makeRoom: async () => undefined,
      waitingCalls: () => [],
      takenReplies: () => replyIds(records),
      executor: () =>
        new StreamingToolExecutor({
          registry,
          execute: (call) => executeTool(call, execution, signal),
          ended: (_call, { block }) => say([block]),
          settled: (_call, { newMessages }) => void (additions = [...additions, ...newMessages]),
          fault: ({ name }, error) => ports.log.error(`Reporting a result of ${name} failed`, error),
        }),
      nudge: (text) => say([{ type: 'text', text: reminder(text) }]),
      deliverQueued: async () => {
        if (additions.length > 0) say(additions);
        additions = [];
        return false;
      },
      afterTools: async () => undefined,
      beforeEnd: async (turnEnd) => turnEnd,
      maxTurns,
    },
    signal,
  ).finally(() => shared?.over(records));
  if (end.reason !== 'completed')
    return signal.aborted
      ? { kind: 'cancelled' }
      : { kind: 'failed', message: end.message ?? `The hook's agent ended early (${end.reason}).` };
  return readVerdict(lastReplyText(records));
}

/** Writes to `records` alone; the usage of its requests counts as the session's. */
function writerOf(records: SessionRecord[], model: string, access: SessionAccess): RecordWriter {
  const { session, settings, ports } = access;
  return createRecordWriter({
    log: forgetful,
    records,
    clock: ports.clock,
    uuid: ports.uuid,
    version: settings.version,
    cwd: () => session.cwd,
    gitBranch: () => undefined,
    emit: (event) => {
      if (
        event.type === 'record' &&
        event.record.type === 'system' &&
        (event.record.subtype === 'reply_end' || event.record.subtype === 'side_usage')
      )
        access.countUsage(model, event.record.usage);
    },
  });
}

/** Its calls run by the session's rules in the default mode, without hooks: a hook's agent fires none. */
function executionOf(
  registry: ToolRegistry,
  ports: Ports,
  { session, settings, permission }: SessionAccess,
  signal: AbortSignal,
): ExecutionServices {
  return {
    registry,
    ports,
    session: { ...session, readState: createReadState(), onArrival: () => () => undefined },
    hooks: undefined,
    permission: () => ({ ...permission.now(), mode: 'default' }),
    applyUpdates: () => undefined,
    emit: () => undefined,
    questionSignal: signal,
    secrets: settings.secrets,
    started: async () => undefined,
  };
}

/** The text of the last reply, which may be several records. */
function lastReplyText(records: readonly SessionRecord[]): string {
  const last = records.findLast((record) => record.type === 'assistant')?.message.id;
  return textOf(
    records.flatMap((record) =>
      record.type === 'assistant' && record.message.id === last ? record.message.content : [],
    ),
  );
}

const deniesAll: Approver = {
  ask: async () => ({ behavior: 'deny', interrupt: false, unasked: true, message: "a hook's agent may only read." }),
};

/** What an agent of a hook did is gone with it. */
const forgetful: SessionLog = {
  id: 'hook',
  path: '',
  append: () => undefined,
  sync: async () => undefined,
  close: async () => undefined,
};
