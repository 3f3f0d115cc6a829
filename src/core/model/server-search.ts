// The API's own search over deferred tools: its definition, what its results say, and how they read where it is not taken.
import { madeOnce, mapped, withContent } from './mapped-message';
import { type AssistantBlock, type TextBlock, type ToolSearchDefinition } from '../wire/wire';

/** Plain words go in: what a model writes by itself. */
export const toolSearchDefinition: ToolSearchDefinition = {
  type: 'tool_search_tool_bm25_20251119',
  name: 'tool_search_tool_bm25',
};

/** For either kind: a log may hold both. */
export function isToolSearch(block: AssistantBlock): boolean {
  return (
    block.type === 'server_tool_use' &&
    typeof block['name'] === 'string' &&
    block['name'].startsWith('tool_search_tool')
  );
}

/** The names that a result of the search loads; none for every other block. */
export function foundTools(block: AssistantBlock): string[] {
  if (block.type !== 'tool_search_tool_result') return [];
  const { tool_references: references } = (block['content'] ?? {}) as { tool_references?: unknown };
  if (!Array.isArray(references)) return [];
  return references.flatMap((reference: { tool_name?: unknown } | null) =>
    typeof reference?.tool_name === 'string' ? [reference.tool_name] : [],
  );
}

/** A sentence for the user where the search went wrong; undefined for any other block. */
export function searchProblem(block: AssistantBlock): string | undefined {
  if (block.type !== 'tool_search_tool_result') return undefined;
  const { error_code: code } = (block['content'] ?? {}) as { error_code?: unknown };
  if (typeof code !== 'string') return undefined;
  const why = Object.hasOwn(problems, code) ? problems[code] : undefined;
  return why ?? `The tool search failed (${code}).`;
}

const badQuery = 'The tool search did not understand the query. The model can search again with other words.';
const problems: Readonly<Record<string, string>> = {
  too_many_requests: 'The tool search is receiving too many requests. The model can search again later.',
  invalid_pattern: badQuery,
  pattern_too_long: badQuery,
  invalid_tool_input: badQuery,
  unavailable: 'The tool search is currently unavailable. ENABLE_TOOL_SEARCH=false sends all tools without a search.',
  execution_time_exceeded: 'The tool search took too long. The model can search again with fewer words.',
};

/** What a result loaded, in words: for who is not sent the search itself. None for every other block. */
export function searchInWords(block: AssistantBlock): TextBlock[] {
  if (block.type !== 'tool_search_tool_result') return [];
  const names = foundTools(block);
  return [
    {
      type: 'text',
      text:
        names.length === 0
          ? 'I looked for tools and found none.'
          : `I looked for tools and loaded: ${names.join(', ')}`,
    },
  ];
}

/** For a session that does without such a search: its results become words, as the guard (fit-messages.ts) would make them. What they loaded has to be sent like any other tool. */
export const withoutServerSearch = madeOnce((message) => {
  if (message.role !== 'assistant') return message;
  const content = mapped(message.content, (block) =>
    isToolSearch(block) ? [] : block.type === 'tool_search_tool_result' ? searchInWords(block) : [block],
  );
  // A search that has no result yet was all of it.
  return withContent(
    message,
    content.length === 0 && message.content.length > 0 ? [{ type: 'text', text: 'I looked for tools.' }] : content,
  );
});
