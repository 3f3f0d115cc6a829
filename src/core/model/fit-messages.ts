// The messages of a request as the model's provider takes them: marks, images, documents, references, blocks of the API's own tools.
import { defined } from '../../shared/defined';
import { type ModelCapabilities } from '../wire/model-capabilities';
import { neutralText } from '../text/system-reminder';
import { mapped, withContent } from './mapped-message';
import { searchInWords } from './server-search';
import { textOnlyError } from './text-only-error';
import { referenceInWords } from './tool-references';
import {
  type AssistantBlock,
  type CacheControl,
  type Message,
  type OpaqueBlock,
  type TextBlock,
  type ToolResultBlock,
  type ToolResultContent,
  type UserBlock,
} from '../wire/wire';

/** By the message: a long history is looked through once, and what was changed is the same object in each request. */
const fitted = new WeakMap<Message, { can: ModelCapabilities; message: Message }>();

/** The same list where every message stays as it is. */
export function fitMessages(messages: Message[], can: ModelCapabilities): Message[] {
  const made = messages.map((message) => {
    const known = fitted.get(message);
    if (known?.can === can) return known.message;
    const fresh = fitMessage(message, can);
    fitted.set(message, { can, message: fresh });
    if (fresh !== message) fitted.set(fresh, { can, message: fresh });
    return fresh;
  });
  return made.every((message, index) => message === messages[index]) ? messages : made;
}

/** Without the mark where none is taken, without its hour where that is not. */
export function fitCacheControl<Marked extends { cache_control?: CacheControl }>(
  block: Marked,
  can: ModelCapabilities,
): Marked {
  const { cache_control: mark, ...rest } = block;
  if (mark === undefined || (can.caching && (mark.ttl === undefined || can.longCaching))) return block;
  return (can.caching ? { ...rest, cache_control: { type: mark.type } } : rest) as Marked;
}

function fitMessage(message: Message, can: ModelCapabilities): Message {
  if (message.role === 'user')
    return withContent(
      message,
      mapped(message.content, (block) => [fitUserBlock(block, can)]),
    );
  const results = new Map(
    message.content.flatMap((block) =>
      'tool_use_id' in block && typeof block['tool_use_id'] === 'string'
        ? [[block['tool_use_id'], block] as const]
        : [],
    ),
  );
  const content = mapped(message.content, (block) => fitAssistantBlock(block, can, results));
  // A message needs content, and one that the API wrote stays where it was: roles take turns.
  return withContent(
    message,
    content.length === 0 ? [{ type: 'text', text: 'This model cannot be shown any part of this reply.' }] : content,
  );
}

function fitUserBlock(block: UserBlock, can: ModelCapabilities): UserBlock {
  switch (block.type) {
    case 'tool_result': {
      // Logs of earlier versions and of other programs have failures with images.
      const marked = fitCacheControl(textOnlyError(block), can);
      if (typeof marked.content === 'string') return marked;
      return withContent(
        marked,
        mapped(marked.content, (one) => [fitContent(one, can)]),
      );
    }
    default:
      return fitShown(block, can);
  }
}

function fitContent(block: ToolResultContent, can: ModelCapabilities): ToolResultContent {
  if (block.type !== 'tool_reference') return fitShown(block, can);
  return can.toolReferences ? block : referenceInWords(block);
}

function fitShown(
  block: Exclude<UserBlock, ToolResultBlock>,
  can: ModelCapabilities,
): Exclude<UserBlock, ToolResultBlock> {
  if (block.type === 'image' && !can.images)
    return replaced(block, 'There was an image here; this model does not accept images.', can);
  if (block.type === 'document' && !can.pdf)
    return replaced(
      block,
      `There was a PDF here${block.title === undefined ? '' : ` (${block.title})`}; this model does not accept PDFs.`,
      can,
    );
  if (block.type !== 'text' && block.source.type === 'url' && !can.fileAddresses)
    return replaced(
      block,
      `There was ${block.type === 'image' ? 'an image' : 'a PDF'} here by its URL, ${block.source.url}; this provider does not fetch URLs.`,
      can,
    );
  return fitCacheControl(block, can);
}

function replaced(
  { cache_control: mark }: { cache_control?: CacheControl },
  text: string,
  can: ModelCapabilities,
): TextBlock {
  return fitCacheControl({ type: 'text', text, ...defined({ cache_control: mark }) }, can);
}

function fitAssistantBlock(
  block: AssistantBlock,
  can: ModelCapabilities,
  results: ReadonlyMap<string, AssistantBlock>,
): AssistantBlock[] {
  switch (block.type) {
    case 'text': {
      const marked = fitCacheControl(block, can);
      const { citations, ...rest } = marked;
      if (citations === undefined || citations === null) return [marked];
      // What a search found goes with the search.
      const kept = can.citations ? mapped(citations, (one) => (can.webSearch || !isOfSearch(one) ? [one] : [])) : [];
      return [kept === citations ? marked : { ...rest, ...(kept.length === 0 ? {} : { citations: kept }) }];
    }
    case 'tool_use':
      return [fitCacheControl(block, can)];
    case 'thinking':
    case 'redacted_thinking':
      return can.thinking === 'none' ? [] : [block];
    default:
      return fitServerBlock(block, can, results);
  }
}

function isOfSearch(citation: unknown): boolean {
  const { type } = (typeof citation === 'object' && citation !== null ? citation : {}) as { type?: unknown };
  return type === 'web_search_result_location';
}

/** A call and its result go together: where the API's own tool is off, both go, and what was found stays as text. */
function fitServerBlock(
  block: OpaqueBlock,
  can: ModelCapabilities,
  results: ReadonlyMap<string, AssistantBlock>,
): AssistantBlock[] {
  switch (block.type) {
    case 'server_tool_use': {
      const result = typeof block['id'] === 'string' ? results.get(block['id']) : undefined;
      const kind = result?.type ?? `${String(block['name'])}_tool_result`;
      return takesServerResult(kind, can) ? [block] : [];
    }
    case 'web_search_tool_result':
    case 'web_fetch_tool_result':
      return takesServerResult(block.type, can) ? [block] : foundText(block);
    case 'tool_search_tool_result':
      return takesServerResult(block.type, can) ? [block] : searchInWords(block);
    case 'compaction': {
      if (can.apiCompaction) return [block];
      const { content } = block;
      return typeof content === 'string' && content !== ''
        ? [{ type: 'text', text: neutralText(`Summary of what came before:\n${content}`) }]
        : [];
    }
    case 'fallback':
    case 'opaque':
      return can.betas ? [block] : [];
    default:
      // A kind that Deft does not know: of a newer API, or a gateway's own. Whoever sent it gets it back as it was.
      return [block];
  }
}

/** Results of a kind that Deft does not know come from whoever answers: they go back as they came, with their calls. */
function takesServerResult(kind: string, can: ModelCapabilities): boolean {
  if (kind.startsWith('web_')) return can.webSearch;
  return !kind.startsWith('tool_search') || can.toolSearch;
}

/** Titles and addresses; the pages themselves are readable to the API alone. */
function foundText({ content }: OpaqueBlock): TextBlock[] {
  const found = (Array.isArray(content) ? content : [content]).flatMap((one: unknown) => {
    const { title, url } = (typeof one === 'object' && one !== null ? one : {}) as { title?: unknown; url?: unknown };
    return typeof url === 'string' ? [`- ${typeof title === 'string' ? `${title}: ` : ''}${url}`] : [];
  });
  return found.length === 0 ? [] : [{ type: 'text', text: neutralText(`A web search found:\n${found.join('\n')}`) }];
}
