// The JSON lines of --output-format json and stream-json, named and shaped as the public SDK documentation has them.
import { defined } from '../shared/defined';
import { type TurnEnd } from '../core/loop/after-reply';
import { type SessionEvent } from '../core/events/session-event';
import { type ModelErrorDetails } from '../core/text/errors';
import { modelFacts } from '../core/model/models';
import { type McpServerStatus } from '../core/ports/mcp';
import { type AgentBranch } from '../core/ports/worktrees';
import { type Usage } from '../core/wire/wire';
import { type KnownRecord, type SessionRecord } from '../core/ports/record';
import { protocolVersion, serverStates } from './control/public-words';
import { type Heartbeat } from './tool-heartbeat';
import { type TurnSummary } from './turn-summary';
import { ledgerFields } from '../core/ledger/ledger-fields';
import { type Ledger } from '../shared/ledger';

export type JsonMessage = { type: string; session_id: string } & Record<string, unknown>;

export interface RunFacts {
  cwd: string;
  tools: string[];
  model: string;
  permissionMode: string;
  apiKeySource: string;
  /** What "/name" may begin a prompt with. */
  commands: string[];
  version: string;
  mcpServers: readonly McpServerStatus[];
  /** As it holds when the run begins. */
  outputStyle: string;
  agents: string[];
  skills: string[];
  plugins: { name: string; path: string }[];
}

export function initMessage(sessionId: string, uuid: string, facts: RunFacts): JsonMessage {
  const { cwd, tools, model, permissionMode, apiKeySource, commands, version, mcpServers, outputStyle } = facts;
  const { agents, skills, plugins } = facts;
  return {
    type: 'system',
    subtype: 'init',
    cwd,
    session_id: sessionId,
    tools,
    mcp_servers: mcpServers.map(({ entry, state }) => ({ name: entry.name, status: serverStates[state.kind] })),
    model,
    permissionMode,
    slash_commands: commands,
    apiKeySource,
    output_style: outputStyle === 'Default' ? 'default' : outputStyle,
    agents,
    skills,
    plugins,
    claude_code_version: protocolVersion,
    capabilities: ['mcp_read_resource_v1', 'reload_plugins_refuse_if_busy_v1'],
    deft_version: version,
    uuid,
  };
}

/** The conversation was cleared, and another session goes on. `message` is the ID of what the user said for that. */
export function resetMessage(
  { before, now }: { before: string; now: string },
  uuid: string,
  at: Date,
  message: string | undefined,
): JsonMessage {
  return {
    type: 'conversation_reset',
    new_conversation_id: now,
    trigger: 'clear',
    ...(message === undefined ? {} : { user_message_uuid: message }),
    timestamp: at.toISOString(),
    session_id: before,
    uuid,
  };
}

/** What the user said, once it is in the log: its uuid is what `rewind_files` takes. Undefined for other records. */
export function replayedMessage(record: SessionRecord): JsonMessage | undefined {
  if ('raw' in record || record.type !== 'user' || record.toolState !== undefined) return undefined;
  if (record.isMeta === true || record.isCompactSummary === true) return undefined;
  const { sessionId, uuid, display } = record;
  const message = display === undefined ? record.message : { role: 'user', content: display.text };
  return { type: 'user', message, parent_tool_use_id: null, session_id: sessionId, uuid, isReplay: true };
}

/** Undefined for records that are not a message: prompts, Deft's own texts and facts. `parent` is the call whose agent wrote it. */
export function recordMessage(
  record: SessionRecord,
  failure: ModelErrorDetails | undefined,
  startUsage: Usage | undefined,
  parent: string | null = null,
): JsonMessage | undefined {
  if ('raw' in record) return undefined;
  const envelope = { parent_tool_use_id: parent, session_id: record.sessionId, uuid: record.uuid };
  if (record.type === 'assistant') {
    const { id, model, content, stop_reason } = record.message;
    return {
      type: 'assistant',
      message: {
        id,
        type: 'message',
        role: 'assistant',
        model,
        content,
        stop_reason,
        stop_sequence: null,
        usage: record.message.usage ?? startUsage ?? null,
      },
      ...envelope,
    };
  }
  if (record.type === 'user' && record.toolState !== undefined) {
    return { type: 'user', message: record.message, ...envelope, tool_use_result: record.toolUseResult };
  }
  if (record.type === 'system' && record.subtype === 'compact_boundary') {
    const { trigger, preTokens } = record.compactMetadata;
    const metadata = { trigger: trigger === 'manual' ? 'manual' : 'auto', pre_tokens: preTokens };
    return {
      type: 'system',
      subtype: 'compact_boundary',
      compact_metadata: metadata,
      session_id: record.sessionId,
      uuid: record.uuid,
    };
  }
  if (record.type === 'system' && (record.subtype === 'offline' || record.subtype === 'model_fallback')) {
    const { subtype, sessionId, uuid } = record;
    const facts =
      subtype === 'offline'
        ? { message: record.message }
        : { from_model: record.from, to_model: record.to, reason: record.cause, message: record.message };
    return { type: 'system', subtype, ...facts, session_id: sessionId, uuid };
  }
  return record.type === 'system' && record.subtype === 'api_retry' ? retryMessage(record, failure) : undefined;
}

export function toolProgressMessage(
  sessionId: string,
  uuid: string,
  { toolUseId, toolName, elapsedMs }: Heartbeat,
): JsonMessage {
  return {
    type: 'tool_progress',
    tool_use_id: toolUseId,
    tool_name: toolName,
    parent_tool_use_id: null,
    elapsed_time_seconds: Math.round(elapsedMs / 1000),
    session_id: sessionId,
    uuid,
  };
}

/** A hook begins, or has ended; undefined for what lies between. */
export function hookMessage(
  sessionId: string,
  uuid: string,
  step: Extract<SessionEvent, { type: 'hook_step' }>,
): JsonMessage | undefined {
  const { id, event, name, status, result } = step;
  const facts = { hook_id: id, hook_name: name, hook_event: event, session_id: sessionId, uuid };
  if (status === 'background') return undefined;
  if (status === 'started') return { type: 'system', subtype: 'hook_started', ...facts };
  const ended = result?.kind === 'ended' ? result : undefined;
  const output =
    ended?.stdout ?? (result?.kind === 'body' ? result.text : result?.kind === 'failed' ? result.message : '');
  return {
    type: 'system',
    subtype: 'hook_response',
    ...facts,
    output,
    stdout: ended?.stdout ?? '',
    stderr: ended?.stderr ?? '',
    ...defined({ exit_code: ended?.exitCode }),
    outcome: status === 'cancelled' || status === 'timeout' ? 'cancelled' : status === 'failed' ? 'error' : 'success',
  };
}

/** For standard error. */
export function hookSentence({ hookName, level, message }: Extract<KnownRecord, { subtype: 'hook_notice' }>): string {
  return level === 'warning' ? `The hook ${hookName} had a problem: ${message}` : `Hook ${hookName}: ${message}`;
}

/** A record's attempt is the one to come; the message counts retries. */
function retryMessage(
  record: Extract<KnownRecord, { subtype: 'api_retry' }>,
  failure: ModelErrorDetails | undefined,
): JsonMessage {
  return {
    type: 'system',
    subtype: 'api_retry',
    attempt: record.attempt - 1,
    max_retries: record.maxAttempts - 1,
    retry_delay_ms: record.delayMs,
    error_status: failure?.status ?? null,
    error: failure === undefined ? 'unknown' : errorNames[failure.kind],
    message: record.message,
    session_id: record.sessionId,
    uuid: record.uuid,
  };
}

const errorNames: Record<ModelErrorDetails['kind'], string> = {
  invalid_request: 'invalid_request',
  authentication: 'authentication_failed',
  billing: 'billing_error',
  permission: 'authentication_failed',
  not_found: 'invalid_request',
  too_large: 'invalid_request',
  rate_limit: 'rate_limit',
  spend_limit: 'billing_error',
  overloaded: 'server_error',
  server: 'server_error',
  timeout: 'server_error',
  network: 'unknown',
  offline: 'unknown',
  stalled: 'unknown',
  dropped: 'unknown',
};

export interface TurnOutcome {
  end: TurnEnd;
  summary: TurnSummary;
  durationMs: number;
  apiDurationMs: number;
  /** Why the session could not be saved. */
  saveFailure: string | undefined;
  /** No prompt began it: agents in the background had reported. */
  ofTasks?: boolean;
  /** What its agents have left in the repository. */
  worktrees?: readonly AgentBranch[];
  /** Left out where no turn ran. */
  ledger?: Ledger;
}

export function resultMessage(sessionId: string, uuid: string, outcome: TurnOutcome): JsonMessage {
  const { end, summary, durationMs, apiDurationMs, worktrees } = outcome;
  const problems = turnProblems(outcome);
  const failed = problems.length > 0;
  return {
    type: 'result',
    subtype: !failed ? 'success' : (endSubtypes[end.code ?? end.reason] ?? 'error_during_execution'),
    is_error: failed,
    duration_ms: durationMs,
    duration_api_ms: apiDurationMs,
    num_turns: summary.replies,
    result: summary.text,
    ...(failed ? { errors: problems } : {}),
    stop_reason: summary.stopReason,
    terminal_reason: end.reason,
    ...(summary.answer === undefined ? {} : { structured_output: summary.answer }),
    session_id: sessionId,
    // Null rather than a wrong number where the model's prices are not known.
    total_cost_usd: summary.dollars ?? null,
    usage: summary.usage,
    modelUsage: Object.fromEntries([...summary.byModel].map(([model, used]) => [model, modelUsage(model, used)])),
    permission_denials: summary.denials,
    ...(outcome.ofTasks === true ? { origin: { kind: 'task-notification' } } : {}),
    ...(worktrees === undefined ? {} : { worktrees_left: worktrees }),
    ...ledgerFields(outcome.ledger),
    uuid,
  };
}

/** By the code of the end, else by its reason. */
const endSubtypes: Readonly<Record<string, string>> = {
  'structured-output': 'error_max_structured_output_retries',
  max_turns: 'error_max_turns',
  budget: 'error_max_budget_usd',
};

/** Sentences; empty where the turn is a success. */
export function turnProblems({ end, saveFailure }: Pick<TurnOutcome, 'end' | 'saveFailure'>): string[] {
  const own =
    end.reason === 'completed'
      ? []
      : [end.message ?? endSentences[end.reason] ?? `The turn ended early (${end.reason}).`];
  return saveFailure === undefined ? own : [...own, saveFailure];
}

const endSentences: Partial<Record<TurnEnd['reason'], string>> = {
  interrupted: 'The run was interrupted.',
  denied: 'A call was denied and the turn ended.',
};

function modelUsage(
  model: string,
  { usage, dollars, contextWindow }: { usage: Usage; dollars: number | undefined; contextWindow?: number },
): Record<string, unknown> {
  const searches: Usage & { server_tool_use?: { web_search_requests?: number } } = usage;
  return {
    inputTokens: usage.input_tokens,
    outputTokens: usage.output_tokens,
    cacheReadInputTokens: usage.cache_read_input_tokens,
    cacheCreationInputTokens: usage.cache_creation_input_tokens,
    webSearchRequests: searches.server_tool_use?.web_search_requests ?? 0,
    costUSD: dollars ?? null,
    contextWindow: contextWindow ?? modelFacts(model).contextWindow,
    maxOutputTokens: modelFacts(model).maxOutputTokens,
  };
}
