// Texts with citations in the chat: the pieces that the API cuts them into are one text again, with numbered links after what is cited.
import { escapedMarkdown } from '../text/escaped-markdown';
import { type ChatEvent } from '../../shared/chat';
import { sourceKey, type Source, sourcesOf } from '../model/cited-sources';
import { type AssistantBlock, type TextBlock } from '../wire/wire';

export interface CitedTexts {
  /** Live: a block begins. `goesOn` is true where it continues the text before it; `events` come first in any case. */
  begins(blockId: string, block: AssistantBlock): { goesOn: boolean; events: ChatEvent[] };
  /** The chat's item that a block's text belongs to. */
  itemOf(blockId: string): string;
  said(blockId: string, text: string): void;
  /** Live: the end of a text with citations is reported once it is known that nothing continues it. */
  ends(blockId: string, durationMs: number): ChatEvent[];
  dropped(blockId: string): ChatEvent[] | undefined;
  /** The record of a text that was streamed: its links. */
  recorded(messageId: string, block: TextBlock): ChatEvent[];
  /** Nothing more comes of this reply. */
  over(): ChatEvent[];
  /** From a log: a text, or what it adds to the one before. */
  replayed(messageId: string, itemId: string, block: AssistantBlock): ChatEvent[];
}

export function createCitedTexts(): CitedTexts {
  /** Live: the item that may be continued, what it says so far, and its end that was not reported yet. */
  let open: { messageId: string; itemId: string; text: string; end?: ChatEvent } | undefined;
  /** The block that continues it, and where it began. */
  let later: { blockId: string; from: number } | undefined;
  /** The text block that ended last, until its record is there. */
  let lastText = '';
  let ended: string | undefined;
  let numbers: { messageId: string; of: Map<string, number> } = { messageId: '', of: new Map() };
  /** From a log: the text that the block before belongs to. */
  let before: { messageId: string; itemId: string } | undefined;

  const over = (): ChatEvent[] => {
    const end = open?.end;
    open = later = undefined;
    return end === undefined ? [] : [end];
  };
  const itemOf = (blockId: string): string =>
    open !== undefined && later?.blockId === blockId ? open.itemId : blockId;
  const links = (messageId: string, block: TextBlock): string => {
    if (numbers.messageId !== messageId) numbers = { messageId, of: new Map() };
    const seen = new Set<string>();
    return sourcesOf(block)
      .flatMap((source) => {
        const key = sourceKey(source);
        if (seen.has(key)) return [];
        seen.add(key);
        const number = numbers.of.get(key) ?? numbers.of.size + 1;
        numbers.of.set(key, number);
        return [` ${link(number, source)}`];
      })
      .join('');
  };

  return {
    begins(blockId, block) {
      const messageId = messageOf(blockId);
      ended = undefined;
      if (block.type === 'text') lastText = blockId;
      if (
        block.type === 'text' &&
        Array.isArray(block.citations) &&
        open?.end !== undefined &&
        open.messageId === messageId
      ) {
        delete open.end;
        later = { blockId, from: open.text.length };
        return { goesOn: true, events: [] };
      }
      const events = over();
      if (block.type === 'text' && Array.isArray(block.citations)) open = { messageId, itemId: blockId, text: '' };
      return { goesOn: false, events };
    },
    itemOf,
    said(blockId, text) {
      if (open?.itemId === itemOf(blockId)) open.text += text;
    },
    ends(blockId, durationMs) {
      const id = itemOf(blockId);
      ended = blockId === lastText ? id : undefined;
      const end: ChatEvent = { type: 'block_end', id, durationMs };
      if (open?.itemId !== id) return [end];
      open.end = end;
      return [];
    },
    dropped(blockId) {
      if (open === undefined || later?.blockId !== blockId) return undefined;
      const { itemId, text } = open;
      open.text = text.slice(0, later.from);
      later = undefined;
      const item: ChatEvent = { type: 'item', item: { kind: 'text', id: itemId, text: open.text, streaming: false } };
      open = undefined;
      return [item];
    },
    recorded(messageId, block) {
      const id = ended;
      ended = undefined;
      if (id === undefined || messageOf(id) !== messageId) return [];
      const text = links(messageId, block);
      if (text === '') return [];
      if (open?.itemId === id) open.text += text;
      return [{ type: 'delta', id, text }];
    },
    over,
    replayed(messageId, itemId, block) {
      const goesOn =
        block.type === 'text' && Array.isArray(block.citations) && before?.messageId === messageId ? before : undefined;
      before = block.type === 'text' && Array.isArray(block.citations) ? (goesOn ?? { messageId, itemId }) : undefined;
      if (block.type !== 'text') return [];
      const text = `${block.text}${links(messageId, block)}`;
      return [
        goesOn === undefined
          ? { type: 'item', item: { kind: 'text', id: itemId, text, streaming: false } }
          : { type: 'delta', id: goesOn.itemId, text },
      ];
    },
  };
}

function messageOf(blockId: string): string {
  return blockId.slice(0, blockId.lastIndexOf(':'));
}

/** Markdown. What cannot be opened is named. */
function link(number: number, source: Source): string {
  const { title, url, file, quote } = source;
  const target =
    url !== undefined ? new URL(url).href : file === undefined ? undefined : encodeURI(file.replaceAll('\\', '/'));
  if (target === undefined) return `(${escapedMarkdown(plain(title))})`;
  const said = `Source ${number}: ${title}${quote === '' ? '' : ` – “${quote}”`}`;
  return `[${number}](<${target.replaceAll('<', '%3C').replaceAll('>', '%3E')}> "${plain(said)}")`;
}

/** What may be in the title of a link. */
function plain(text: string): string {
  return text.replace(/\s+/g, ' ').replaceAll('"', '”').replaceAll('\\', '/').replaceAll('&', '＆').slice(0, 300);
}
