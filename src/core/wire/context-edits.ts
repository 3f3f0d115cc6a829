// What the API says it did to a conversation by `context_management`: results and thinking that it cleared, and what a compaction took.
import { defined } from '../../shared/defined';
import { type ContextEdit, type Message, type ModelRequest, type Usage } from './wire';
import { isObject } from '../../shared/plain-object';

/** `default`: Deft compacts; `clear`: the API clears old results and thinking before that; `compact`: the API compacts in Deft's stead. */
export const contextManagements = ['default', 'clear', 'compact'] as const;
export type ContextManagement = (typeof contextManagements)[number];

/** What the API left out of one request, the client's own history staying whole. */
export interface ClearedContext {
  toolUses: number;
  thinkingTurns: number;
  /** Input tokens that it saved. */
  tokens: number;
  /** The last call whose result went: those of all calls before it went too, but for tools that keep theirs. */
  through?: string;
}

/** Undefined where nothing was cleared. */
export function clearedBy(
  { context_management: asked, messages }: Pick<ModelRequest, 'context_management' | 'messages'>,
  answer: unknown,
): ClearedContext | undefined {
  const applied =
    isObject(answer) && Array.isArray(answer['applied_edits']) ? answer['applied_edits'].filter(isObject) : [];
  const sum = (field: string): number => applied.reduce((all, edit) => all + count(edit[field]), 0);
  const cleared = {
    toolUses: sum('cleared_tool_uses'),
    thinkingTurns: sum('cleared_thinking_turns'),
    tokens: sum('cleared_input_tokens'),
  };
  if (cleared.toolUses === 0 && cleared.thinkingTurns === 0) return undefined;
  const edit = asked?.edits.find(
    (one): one is Extract<ContextEdit, { type: 'clear_tool_uses_20250919' }> => one.type === 'clear_tool_uses_20250919',
  );
  const through = clearableCalls(messages, edit?.exclude_tools ?? [])[cleared.toolUses - 1];
  return { ...cleared, ...defined({ through }) };
}

/** The ids of calls whose results may be cleared, oldest first: the order in which the API takes them. */
function clearableCalls(messages: readonly Message[], kept: readonly string[]): string[] {
  return messages.flatMap(({ role, content }) =>
    role === 'user'
      ? []
      : content.flatMap((block) => (block.type === 'tool_use' && !kept.includes(block.name) ? [block.id] : [])),
  );
}

/** Tokens of the compactions within one request, which its own counts leave out, at the speed that it was made at; undefined where there was none. */
export function compactionUsage(iterations: unknown, speed?: Usage['speed']): Usage | undefined {
  const compactions = Array.isArray(iterations)
    ? iterations.filter((one): one is Record<string, unknown> => isObject(one) && one['type'] === 'compaction')
    : [];
  if (compactions.length === 0) return undefined;
  const sumOf = (parts: readonly Record<string, unknown>[], field: string): number =>
    parts.reduce((all, one) => all + count(one[field]), 0);
  const sum = (field: string): number => sumOf(compactions, field);
  const written = compactions.map((one) => one['cache_creation']).filter(isObject);
  return {
    input_tokens: sum('input_tokens'),
    output_tokens: sum('output_tokens'),
    cache_creation_input_tokens: sum('cache_creation_input_tokens'),
    cache_read_input_tokens: sum('cache_read_input_tokens'),
    ...(written.length === 0
      ? {}
      : {
          cache_creation: {
            ephemeral_5m_input_tokens: sumOf(written, 'ephemeral_5m_input_tokens'),
            ephemeral_1h_input_tokens: sumOf(written, 'ephemeral_1h_input_tokens'),
          },
        }),
    ...defined({ speed }),
  };
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
}
