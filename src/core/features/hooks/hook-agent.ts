// Hooks that ask an agent: a short run that may read and search, and ends with a verdict.
import { type HookHandler } from '../../hooks/hook-entry';
import { type HookResult } from '../../hooks/hook-output';
import { hookQuestion, readVerdict, verdictInstructions, verdictSchema } from '../../hooks/prompt-hook';
import { withAnswerSchema } from '../../model/json-answer';
import { textOf } from '../../model/whole-reply';
import { defaultRetryPolicy } from '../../model/retry-policy';
import { type Usage, type UserBlock } from '../../wire/wire';
import { type PermissionContext } from '../../permissions/rules/verdict';
import { type Approver, type Ports, type SessionLog } from '../../ports';
import { type SessionRecord } from '../../ports/record';
import { replyIds } from '../../sessions/reply-ids';
import { convertToolsForAPI } from '../../tool/convert-tool';
import { createReadState } from '../../sessions/read-state';
import { createToolRegistry, type ToolRegistry } from '../../tools/registry';
import { type ToolSession } from '../../tool/tool';
import { buildRequest } from '../../loop/build-request';
import { type Environment, reminder } from '../../text/environment-reminder';
import { executeTool, type ExecutionServices } from '../../agent/execute-tool';
import { runLoop } from '../../agent/loop';
import { type SessionBudget } from '../budget/session-budget';
import { createRecordWriter } from '../../events/record-writer';
import { createRetryWait } from '../../loop/retry-wait';
import { StreamingToolExecutor } from '../../calls/streaming-tool-executor';

export interface HookAgentServices {
  ports: Ports;
  /** Of the session; the agent gets those of its tools that only look. */
  registry: ToolRegistry;
  session: ToolSession;
  environment: Pick<Environment, 'platform' | 'shell'>;
  permission: () => PermissionContext;
  secrets: () => readonly string[];
  version: string;
  /** Of the conversation. */
  budget?: SessionBudget | undefined;
  /** Tokens of a job beside the conversation. */
  countUsage: (model: string, usage: Usage) => void;
}

const toolNames = ['Read', 'Grep', 'Glob'];
const maxTurns = 20;
const maxOutputTokens = 8_000;

const instructions = `${verdictInstructions}
Before you answer you may look at the files of the workspace with your tools. Look at no more than the question needs.`;

/** Nobody is asked anything: what would need leave is denied. Nothing of it enters the conversation. */
export async function askHookAgent(
  handler: Extract<HookHandler, { type: 'agent' }>,
  input: string,
  services: HookAgentServices,
  signal: AbortSignal,
): Promise<HookResult> {
  const { session, environment } = services;
  const model = handler.model ?? session.smallModel.id;
  const can = services.ports.model.capabilities(model);
  const tools = toolNames.flatMap((name) => services.registry.find(name) ?? []);
  const registry = createToolRegistry(tools);
  const ports: Ports = { ...services.ports, approver: deniesAll };
  const records: SessionRecord[] = [];
  const writer = createRecordWriter({
    log: forgetful,
    records,
    clock: ports.clock,
    uuid: ports.uuid,
    version: services.version,
    cwd: () => session.cwd,
    gitBranch: () => undefined,
    emit: (event) => {
      if (
        event.type === 'record' &&
        event.record.type === 'system' &&
        (event.record.subtype === 'reply_end' || event.record.subtype === 'side_usage')
      )
        services.countUsage(model, event.record.usage);
    },
  });
  const say = (content: UserBlock[]): void =>
    void writer.write({ type: 'user', message: { role: 'user', content }, isMeta: true });
  const definitions = await convertToolsForAPI(tools, {
    prompt: { toolNames, ...environment },
    can,
    strictTools: false,
    warn: (message) => ports.log.warn(message),
  });
  let additions: UserBlock[] = [];
  const execution: ExecutionServices = {
    registry,
    ports,
    session: { ...session, readState: createReadState(), onNews: () => () => undefined },
    hooks: undefined,
    permission: () => ({ ...services.permission(), mode: 'default' }),
    applyUpdates: () => undefined,
    emit: () => undefined,
    questionSignal: signal,
    secrets: services.secrets,
    started: async () => undefined,
  };
  say([{ type: 'text', text: hookQuestion(handler.prompt, input) }]);
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
        (await services.budget?.check({ model, records }, signal)) ??
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
      takenReplies: () => replyIds(records),
      executor: () =>
        new StreamingToolExecutor({
          registry,
          execute: (call) => executeTool(call, execution, signal),
          ended: (_call, { block }) => say([block]),
          settled: (_call, { newMessages }) => void (additions = [...additions, ...newMessages]),
          fault: ({ name }, error) => ports.log.error(`Telling of a result of ${name} failed`, error),
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
  ).finally(() => services.budget?.over(records));
  if (end.reason !== 'completed')
    return signal.aborted
      ? { kind: 'cancelled' }
      : { kind: 'failed', message: end.message ?? `The agent of the hook ended early (${end.reason}).` };
  const last = records.findLast((record) => record.type === 'assistant')?.message.id;
  return readVerdict(
    textOf(
      records.flatMap((record) =>
        record.type === 'assistant' && record.message.id === last ? record.message.content : [],
      ),
    ),
  );
}

const deniesAll: Approver = {
  ask: async () => ({ behavior: 'deny', interrupt: false, unasked: true, message: "a hook's agent may only look." }),
};

/** What an agent of a hook did is gone with it. */
const forgetful: SessionLog = {
  id: 'hook',
  path: '',
  append: () => undefined,
  sync: async () => undefined,
  close: async () => undefined,
};
