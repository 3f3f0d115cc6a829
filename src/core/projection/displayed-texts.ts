// Which text of which message stands where in a chat that is read from its log: hooks may have shown another one.
import { type ChatEvent } from '../../shared/chat';
import { type SystemRecord } from '../ports/record';

export interface DisplayedTexts {
  /** The next text of this message, as it was said. */
  seen(messageId: string, itemId: string): void;
  /** What the record says was shown in its place; nothing where the text was shown live. */
  shown(record: Extract<SystemRecord, { subtype: 'message_display' }>): ChatEvent[];
}

export function createDisplayedTexts(): DisplayedTexts {
  const texts = new Map<string, string[]>();
  return {
    seen: (messageId, itemId) => void texts.set(messageId, [...(texts.get(messageId) ?? []), itemId]),
    shown({ messageId, index, text }) {
      const id = texts.get(messageId)?.[index];
      if (id === undefined) return [];
      return [
        text === '' ? { type: 'remove', id } : { type: 'item', item: { kind: 'text', id, text, streaming: false } },
      ];
    },
  };
}
