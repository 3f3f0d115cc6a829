// The note with which a turn without a prompt begins: the model continues where the log ends.
import { type SessionRecord } from '../ports/record';
import { reminder } from '../text/system-reminder';

export const goOnText = 'Continue the task from where it stopped.';

const written = reminder(goOnText);

export function isGoOn(record: SessionRecord): boolean {
  if (record.type !== 'user' || record.isMeta !== true) return false;
  const { content } = record.message;
  return typeof content === 'string'
    ? content === written
    : content.some((block) => block.type === 'text' && block.text === written);
}
