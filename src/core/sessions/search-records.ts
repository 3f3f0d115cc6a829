// Looks for words in what a session says: prompts, answers, calls and their results, never in ids or pictures.
import { headOf } from '../../shared/cut-text';
import { type SessionRecord } from '../ports/record';

const maxLineChars = 200;
const charsBefore = 24;

/** `wanted` in lower case. The line that holds it, cut around it; undefined where no text of the record does. */
export function matchingLine(record: SessionRecord, wanted: string): string | undefined {
  for (const text of textsOf(record)) {
    const at = text.toLowerCase().indexOf(wanted);
    if (at >= 0) return lineAround(text, at);
  }
  return undefined;
}

function textsOf(record: SessionRecord): string[] {
  if ('raw' in record) return [];
  switch (record.type) {
    case 'user': {
      if (record.isMeta === true) return [];
      const { content } = record.message;
      const texts =
        typeof content === 'string'
          ? [content]
          : content.flatMap((block) =>
              block.type === 'text' ? [block.text] : block.type === 'tool_result' ? resultTexts(block.content) : [],
            );
      return record.display === undefined ? texts : [record.display.text, ...texts];
    }
    case 'assistant':
      return record.message.content.flatMap((block) =>
        block.type === 'text' ? [block.text] : block.type === 'tool_use' ? stringsOf(block.input) : [],
      );
    case 'custom-title':
    case 'ai-title':
      return [record.title];
    default:
      return [];
  }
}

function resultTexts(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  return Array.isArray(content)
    ? content.flatMap((part: { type: string; text?: unknown }) =>
        part.type === 'text' && typeof part.text === 'string' ? [part.text] : [],
      )
    : [];
}

function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsOf) : [];
}

function lineAround(text: string, at: number): string {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  const end = text.indexOf('\n', at);
  const line = text.slice(start, end < 0 ? undefined : end);
  const from = Math.max(0, at - start - charsBefore);
  const shown = line.slice(from).replace(/\s+/g, ' ').trim();
  return `${from > 0 ? '…' : ''}${shown.length > maxLineChars ? `${headOf(shown, maxLineChars - 1)}…` : shown}`;
}
