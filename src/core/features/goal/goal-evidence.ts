// The record of the last turn as the check of a goal reads it: what the agent said and called, and what came back.
import { cutMiddle } from '../../../shared/cut-text';
import { type SessionRecord } from '../../ports/record';

const maxChars = 30_000;
const inputChars = 400;
const resultChars = 1_200;
const textChars = 6_000;

/** From the user's last message on; the newest parts where it is too long. */
export function goalEvidence(records: readonly SessionRecord[]): string {
  const from = records.findLastIndex(
    (record) =>
      record.type === 'user' &&
      record.isMeta !== true &&
      record.toolState === undefined &&
      record.sourceToolAssistantUUID === undefined,
  );
  const lines = records.slice(Math.max(0, from)).flatMap(linesOf);
  let left = maxChars;
  const kept: string[] = [];
  for (const line of lines.reverse()) {
    if ((left -= line.length) < 0) break;
    kept.unshift(line);
  }
  return kept.join('\n\n');
}

function linesOf(record: SessionRecord): string[] {
  if (record.type === 'assistant') {
    return record.message.content.flatMap((block) => {
      if (block.type === 'text') return [`The agent said: ${cutMiddle(block.text, textChars)}`];
      return block.type === 'tool_use'
        ? [`It called ${block.name} with ${cutMiddle(JSON.stringify(block.input), inputChars)}`]
        : [];
    });
  }
  if (record.type !== 'user' || typeof record.message.content === 'string') return [];
  return record.message.content.flatMap((block) => {
    if (block.type !== 'tool_result') return [];
    const text =
      typeof block.content === 'string'
        ? block.content
        : block.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
    return [`${block.is_error === true ? 'It failed' : 'It returned'}: ${cutMiddle(text, resultChars)}`];
  });
}
