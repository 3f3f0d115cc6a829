// What the API itself may do against a conversation that grows too long: clear old results and thinking, or compact it.
import { compactionBeta, editingBeta, holdsCompaction } from '../model/betas';
import { type ContextManagement } from '../wire/context-edits';
import { type ContextEdit, type Message, type ModelRequest } from '../wire/wire';
import { compactionPoint, isPastClearing, tokensOf } from './limits';
import { apiBlock, summaryHeading } from '../sessions/compacted-log';
import { type SessionRecord } from '../ports/record';
import { defaultMaxOutputTokens } from './build-request';
import { type ModelClient } from '../ports/model';

/** The API takes no smaller trigger for a compaction. */
const leastCompactionTrigger = 50_000;
/** Results of the newest calls stay: what the work stands on now. */
const keptCalls = 8;
const keptThinkingTurns = 8;
/** A clearing invalidates the cache after it: it must be worth that. */
const leastCleared = 10_000;

/** Their results are what later replies go by: the plan, the user's words, loaded tools and skills. */
const keptTools = [
  'AskUserQuestion',
  'EnterPlanMode',
  'ExitPlanMode',
  'Skill',
  'TaskCreate',
  'TaskList',
  'TaskUpdate',
  'TodoWrite',
  'ToolSearch',
  'tool_search_tool_bm25',
];

export interface ContextOptions {
  /** Asked before each request; without it, conversations are compacted near the model's own limit. */
  autoCompact?: () => { enabled?: boolean | undefined; window?: number | undefined };
  /** What the API may do against a conversation that grows long; asked before each request. */
  contextManagement?: () => ContextManagement;
  maxOutputTokens?: number;
  ports: { model: ModelClient };
}

/** What holds for this model now: `default` where its API does not offer what the user chose. */
export function managementFor(
  { ports, contextManagement, autoCompact, maxOutputTokens }: ContextOptions,
  model: string,
): { mode: ContextManagement; limit: number } {
  const can = ports.model.capabilities(model);
  const settings = autoCompact?.();
  const window = Math.min(settings?.window ?? can.contextWindow, can.contextWindow);
  const limit = Math.floor(
    compactionPoint(window, Math.min(maxOutputTokens ?? defaultMaxOutputTokens, can.maxOutputTokens)),
  );
  const wanted = contextManagement?.() ?? 'default';
  const offered =
    wanted === 'clear'
      ? can.contextEditing
      : wanted === 'compact' && can.apiCompaction && limit >= leastCompactionTrigger && settings?.enabled !== false;
  return { mode: offered ? wanted : 'default', limit };
}

export interface ManagedContext {
  records: readonly SessionRecord[];
  mode: ContextManagement;
  /** The tokens at which Deft would compact. */
  limit: number;
  /** False for a request that must be answered, whatever its length. */
  mayCompact: boolean;
}

/** The request with what the API is asked to do about its length; the same one where that is nothing. */
export function manageContext(
  request: ModelRequest,
  { records, mode, limit, mayCompact }: ManagedContext,
): ModelRequest {
  const edits =
    mode === 'clear' ? clearing(request, records, limit) : mode === 'compact' && mayCompact ? [compacting(limit)] : [];
  const betas = [
    ...(edits.length > 0 && mode === 'clear' ? [editingBeta] : []),
    ...((edits.length > 0 && mode === 'compact') || holdsCompaction(request.messages) ? [compactionBeta] : []),
  ];
  if (betas.length === 0) return request;
  return {
    ...request,
    betas: [...(request.betas ?? []), ...betas],
    ...(edits.length > 0 ? { context_management: { edits } } : {}),
  };
}

/** The API's own summary in place of its text, for the API that wrote it. Messages that begin with another compaction stay as they are. */
export function withApiBlock(
  messages: Message[],
  records: readonly SessionRecord[],
  mode: ContextManagement,
): Message[] {
  const block = mode === 'compact' ? apiBlock(records) : undefined;
  const [first, ...rest] = messages;
  if (block === undefined || first?.role !== 'user') return messages;
  let beginning = beginnings.get(first);
  if (beginning === undefined) {
    const content = first.content.filter((one) => one.type !== 'text' || !one.text.startsWith(summaryHeading));
    beginning = [
      { role: 'assistant', content: [block] },
      { role: 'user', content },
    ];
    beginnings.set(first, beginning);
  }
  return [...beginning, ...rest];
}

/** By the message that they stand for: the same objects in every request. */
const beginnings = new WeakMap<Message, Message[]>();

/** Which results the next request may be without: the last call whose result may go. Undefined where none will. */
export function mayBeCleared(
  { messages, tools }: Pick<ModelRequest, 'messages' | 'tools'>,
  records: readonly SessionRecord[],
  limit: number,
): string | undefined {
  if (!isClearing(records, limit * 0.9)) return undefined;
  const kept = keptOf(tools);
  // Whether those that keep their results count among the newest, nothing says: then fewer of the others stay.
  let newest = 0;
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at];
    if (message?.role !== 'assistant') continue;
    const found = message.content.findLast(
      (block) => block.type === 'tool_use' && ++newest > keptCalls && !kept.includes(block.name),
    );
    if (found?.type === 'tool_use') return found.id;
  }
  return undefined;
}

function keptOf(tools: ModelRequest['tools']): string[] {
  return keptTools.filter((name) => tools.some((tool) => tool.name === name));
}

/** Thinking first, as the API wants it. Until results are cleared all of it stays, which keeps the cache. */
function clearing({ thinking, tools }: ModelRequest, records: readonly SessionRecord[], limit: number): ContextEdit[] {
  const results: ContextEdit = {
    type: 'clear_tool_uses_20250919',
    trigger: { type: 'input_tokens', value: triggerOf(limit) },
    keep: { type: 'tool_uses', value: keptCalls },
    clear_at_least: { type: 'input_tokens', value: Math.max(leastCleared, Math.floor(limit / 10)) },
    ...(keptOf(tools).length === 0 ? {} : { exclude_tools: keptOf(tools) }),
  };
  const thinks = thinking !== undefined && thinking.type !== 'disabled';
  const keep = isClearing(records, limit)
    ? { type: 'thinking_turns' as const, value: keptThinkingTurns }
    : ('all' as const);
  return [...(thinks ? [{ type: 'clear_thinking_20251015' as const, keep }] : []), results];
}

function compacting(limit: number): ContextEdit {
  // It pauses, so that the user's own words, tasks and files follow its summary before the work continues.
  return { type: 'compact_20260112', trigger: { type: 'input_tokens', value: limit }, pause_after_compaction: true };
}

/** Long before Deft would compact. */
function triggerOf(limit: number): number {
  return Math.floor(limit / 2);
}

/** Once begun, it continues until a compaction: the API judges by the whole history, which does not grow shorter. */
function isClearing(records: readonly SessionRecord[], limit: number): boolean {
  return isPastClearing(records) || (tokensOf(records) ?? 0) >= triggerOf(limit);
}
