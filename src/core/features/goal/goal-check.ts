// The check of a goal: the small model reads the record of the last turn, what the agent said and called, and what came back.
import { cutMiddle } from '../../../shared/cut-text';
import { askVerdict } from '../../hooks/prompt-hook';
import { type SmallModel } from '../../model/small-model';
import { type SessionRecord } from '../../ports/record';
import { messageOf } from '../../text/errors';
import instructions from './goal-check.md';

const maxChars = 30_000;
const inputChars = 400;
const resultChars = 1_200;
const textChars = 6_000;

/** Never rejects: `failed` says why nothing was found out. */
export async function checkGoal(
  condition: string,
  records: readonly SessionRecord[],
  smallModel: Pick<SmallModel, 'ask'>,
  signal: AbortSignal,
): Promise<{ ok: boolean; reason: string } | { failed: string }> {
  const text = `<goal>\n${condition}\n</goal>\n\n<record>\n${goalEvidence(records)}\n</record>`;
  try {
    const found = await askVerdict(
      smallModel,
      {
        max_tokens: 1_000,
        system: [{ type: 'text', text: instructions.trim() }],
        tools: [],
        messages: [{ role: 'user', content: [{ type: 'text', text }] }],
      },
      signal,
    );
    if (found.kind === 'verdict') return { ok: found.ok, reason: found.reason };
    return { failed: found.kind === 'failed' ? found.message : 'The small model did not answer.' };
  } catch (error) {
    return { failed: messageOf(error) };
  }
}

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
