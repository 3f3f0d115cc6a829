// What the user wrote, word for word: it never goes through a model.
import { cutMiddle } from '../../../shared/cut-text';
import { type SessionRecord, type UserRecord } from '../../ports/record';
import { charsOf } from '../../model/estimate-tokens';

/** All messages together; what is longer is cut, the oldest ones first. */
export const ownWordsTokens = 20_000;
/** What is left of a message at least. */
const leastChars = 300;

/** Every message up to the record with the uuid `before`, oldest first; undefined if there is none. */
export function ownWords(
  records: readonly SessionRecord[],
  before: string | undefined,
  logPath: string,
): string | undefined {
  const messages: string[] = [];
  for (const record of records) {
    if ('uuid' in record && record.uuid === before) break;
    const text = record.type === 'user' ? ownText(record) : undefined;
    if (text !== undefined) messages.push(text);
  }
  if (messages.length === 0) return undefined;
  const { texts, omitted } = fitted(messages, logPath);
  const first = messages.length - texts.length + 1;
  const note = omitted === 0 ? [] : [`[${omitted} older messages are not shown here; they are in ${logPath}]`];
  return [...note, ...texts.map((text, index) => `## Message ${first + index}\n\n${text}`)].join('\n\n');
}

/** Undefined for results and for what Deft itself wrote. */
function ownText(record: UserRecord): string | undefined {
  if (record.isMeta === true || record.isCompactSummary === true || record.toolState !== undefined) return undefined;
  const {
    message: { content },
    display,
  } = record;
  const blocks = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
  if (blocks.some(({ type }) => type === 'tool_result')) return undefined;
  const text = display?.text ?? blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  const images = display?.images ?? blocks.filter(({ type }) => type === 'image').length;
  const along = [
    ...(display?.attachments ?? []),
    ...(images > 0 ? [images === 1 ? 'an image' : `${images} images`] : []),
  ];
  const whole = along.length === 0 ? text : `${text}\n(attached: ${along.join(', ')})`;
  return whole.trim() === '' ? undefined : whole;
}

/** Each keeps a little; what is left of the budget goes to the newest ones. */
function fitted(messages: readonly string[], logPath: string): { texts: string[]; omitted: number } {
  const budget = charsOf(ownWordsTokens);
  const shown = messages.slice(-Math.floor(budget / leastChars));
  let left = budget - shown.reduce((sum, text) => sum + Math.min(text.length, leastChars), 0);
  const texts: string[] = [];
  for (const text of [...shown].reverse()) {
    const more = Math.min(left, Math.max(0, text.length - leastChars));
    left -= more;
    texts.unshift(
      cutMiddle(
        text,
        Math.min(text.length, leastChars + more),
        (omitted) => `\n[… ${omitted} characters omitted; the whole message is in ${logPath} …]\n`,
      ),
    );
  }
  return { texts, omitted: messages.length - shown.length };
}
