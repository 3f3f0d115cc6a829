// A session that can start agents: their definitions given, their transcripts in memory, the model playing scripts by who asks.
import { type ProviderId } from '../../src/core/wire/model-capabilities';
import { type ModelRequest } from '../../src/core/wire/wire';
import { type SessionLog } from '../../src/core/ports/session-store';
import { type SessionRecord } from '../../src/core/ports/record';
import { decodeRecord, encodeRecord } from '../../src/core/sessions/session-codec';
import { type AgentHost } from '../../src/core/features/subagents/agent-host';
import { type AgentDefinition } from '../../src/core/subagents/agent-definition';
import { builtInAgents } from '../../src/core/subagents/built-in-agents';
import { agentTool } from '../../src/core/tools/agents/agent';
import { sendMessageTool } from '../../src/core/tools/agents/send-message';
import { taskOutputTool } from '../../src/core/tools/background/task-output';
import { taskStopTool } from '../../src/core/tools/background/task-stop';
import { type AnyTool } from '../../src/core/tool/tool';
import { askingTool, safeTool } from './fake-tools';
import { type ScriptedReply } from './messages-api/script';
import { createScriptedModel } from './scripted-model';
import { createHarness, type Harness, type HarnessOptions } from './session-harness';

export interface AgentHarness extends Harness {
  readonly model: ReturnType<typeof createScriptedModel>;
  /** Lines of each agent's transcript, by its id. */
  readonly transcripts: ReadonlyMap<string, string[]>;
  readonly agentIds: () => string[];
}

export interface AgentHarnessOptions extends Omit<HarnessOptions, 'model'> {
  /** Replies of the conversation, in order, or as its requests want them. */
  main: readonly ScriptedReply[] | ((request: ModelRequest) => ScriptedReply);
  /** By the first words of the task: replies of that agent, in order. */
  agents?: Readonly<Record<string, readonly (ScriptedReply | ((request: ModelRequest) => ScriptedReply))[]>>;
  definitions?: readonly AgentDefinition[];
  environment?: Readonly<Record<string, string>>;
  host?: Partial<AgentHost>;
  transcripts?: Map<string, string[]>;
  /** Whose API the model stands for; default: one that little is known of. */
  provider?: ProviderId;
  /** Gets the records with which an agent continues. */
  reopened?: (records: SessionRecord[]) => void;
}

export function definition(name: string, more: Partial<AgentDefinition> = {}): AgentDefinition {
  return { name, description: `Use ${name}.`, prompt: `You are ${name}.`, source: 'user', ...more };
}

export const agentTools: readonly AnyTool[] = [
  agentTool,
  sendMessageTool,
  taskStopTool,
  taskOutputTool,
  safeTool('Read'),
  askingTool('Bash'),
  askingTool('Edit', { access: 'WorkspaceWrite' }),
];

export function createAgentHarness({
  main,
  agents = {},
  definitions = [],
  environment = {},
  host: more = {},
  transcripts = new Map(),
  reopened,
  provider,
  ...options
}: AgentHarnessOptions): AgentHarness {
  const at = new Map<string, number>();
  const model = createScriptedModel(
    (request) => {
      const task = taskOf(request);
      const key = Object.keys(agents).find((start) => task.startsWith(start)) ?? '';
      if (key === '' && typeof main === 'function') return main(request);
      const script = key === '' && typeof main !== 'function' ? main : (agents[key] ?? []);
      const index = at.get(key) ?? 0;
      at.set(key, index + 1);
      const reply = script[index];
      if (reply === undefined) throw new Error(`No reply ${index + 1} in the script of ${JSON.stringify(key)}.`);
      return typeof reply === 'function' ? reply(request) : reply;
    },
    provider === undefined ? {} : { provider },
  );
  const logOf = (id: string): SessionLog => ({
    id: `agent-${id}`,
    path: `/sessions/session-1/subagents/agent-${id}.jsonl`,
    append: (records: SessionRecord[]) =>
      void transcripts.set(id, [...(transcripts.get(id) ?? []), ...records.map(encodeRecord)]),
    sync: async () => undefined,
    close: async () => undefined,
  });
  const host: AgentHost = {
    list: async () => ({ agents: [...definitions, ...builtInAgents], problems: [] }),
    createLog: async (id) => logOf(id),
    openLog: async (id) => {
      const lines = transcripts.get(id);
      if (lines === undefined) return undefined;
      const records = lines.flatMap((line) => decodeRecord(line) ?? []);
      reopened?.(records);
      return { log: logOf(id), records };
    },
    environment: () => environment,
    ...more,
  };
  const harness = createHarness({
    tools: agentTools,
    ...options,
    model,
    session: { ...options.session, agents: host },
  });
  return Object.assign(harness, { model, transcripts, agentIds: () => [...transcripts.keys()] });
}

/** The first text of the conversation that is not a reminder. */
function taskOf({ messages }: ModelRequest): string {
  const [first] = messages;
  const blocks =
    typeof first?.content === 'string' ? [{ type: 'text' as const, text: first.content }] : (first?.content ?? []);
  return (
    blocks.flatMap((block) =>
      block.type === 'text' && !block.text.startsWith('<system-reminder>') ? [block.text] : [],
    )[0] ?? ''
  );
}
