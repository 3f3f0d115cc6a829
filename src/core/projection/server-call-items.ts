// Calls of tools that the API runs itself, as quiet lines of the chat: what was looked for, what came of it.
import { type ChatEvent, type ChatItem } from '../../shared/chat';
import { shortened } from '../../shared/cut-text';
import { type ToolSentence } from '../../shared/tool-view';
import { visibleText } from '../../shared/visible-text';
import { foundTools, isToolSearch, searchProblem } from '../model/server-search';
import { type AssistantBlock } from '../wire/wire';
import { markdownLink } from '../text/web-address';

export interface ServerCallItems {
  /** For a block that begins, or for its record; nothing for other blocks. */
  block(block: AssistantBlock): ChatEvent[];
  /** Nothing more comes of the calls that are open. */
  over(): ChatEvent[];
}

export function createServerCallItems(): ServerCallItems {
  const open = new Set<string>();
  return {
    block(block) {
      const { id, tool_use_id: answered } = block as { id?: unknown; tool_use_id?: unknown };
      if (block.type === 'server_tool_use' && typeof id === 'string') {
        open.add(id);
        return [{ type: 'item', item: newItem(id, block) }];
      }
      if (!block.type.endsWith('_tool_result') || typeof answered !== 'string' || !open.delete(answered)) return [];
      return [{ type: 'tool', id: answered, change: resultOf(block) }];
    },
    over() {
      const left = [...open];
      open.clear();
      return left.map((id) => ({ type: 'tool', id, change: { state: 'stopped' } }));
    },
  };
}

function newItem(id: string, block: AssistantBlock): ChatItem {
  return {
    kind: 'tool',
    id,
    name: isToolSearch(block) ? 'ToolSearch' : String(block['name' as never]),
    sentence: sentenceOf(block),
    state: 'running',
    readOnly: true,
    detail: '',
  };
}

function sentenceOf(block: AssistantBlock): ToolSentence {
  const { name, input } = block as { name?: unknown; input?: { query?: unknown; pattern?: unknown } };
  const wanted = [input?.query, input?.pattern].find((value) => typeof value === 'string');
  const what =
    typeof wanted === 'string' && wanted.trim() !== ''
      ? visibleText(shortened(wanted.replace(/\s+/g, ' ').trim(), 80))
      : undefined;
  if (isToolSearch(block)) return both('Looking for tools', 'Looked for tools', what === undefined ? '' : `: ${what}`);
  if (name === 'web_search')
    return both('Searching the web', 'Searched the web', what === undefined ? '' : ` for "${what}"`);
  return both('Using', 'Used', ` ${visibleText(String(name))}`);
}

function both(now: string, past: string, rest: string): ToolSentence {
  return { now: `${now}${rest}`, past: `${past}${rest}` };
}

function resultOf(block: AssistantBlock): Partial<Omit<Extract<ChatItem, { kind: 'tool' }>, 'kind' | 'id'>> {
  const problem = searchProblem(block) ?? errorOf(block);
  if (problem !== undefined) return { state: 'failed', message: problem };
  if (block.type === 'tool_search_tool_result') {
    const names = foundTools(block);
    return {
      state: 'done',
      detail: names.length === 0 ? 'none found' : `${names.length} found`,
      view: { kind: 'markdown', text: names.map((name) => `- \`${name}\``).join('\n') },
    };
  }
  if (block.type !== 'web_search_tool_result' || !Array.isArray(block['content'])) return { state: 'done' };
  const links = (block['content'] as ({ title?: unknown; url?: unknown } | null)[]).flatMap((page) =>
    typeof page?.url === 'string' ? [`- ${markdownLink(String(page.title ?? page.url), page.url)}`] : [],
  );
  return {
    state: 'done',
    detail: `${links.length} ${links.length === 1 ? 'link' : 'links'}`,
    view: { kind: 'markdown', about: 'web', text: links.join('\n') },
  };
}

/** Every server tool reports its errors in the same way. */
function errorOf(block: AssistantBlock): string | undefined {
  const { content } = block as { content?: { error_code?: unknown } | null };
  return typeof content?.error_code === 'string' ? `The API could not do this: ${content.error_code}.` : undefined;
}
