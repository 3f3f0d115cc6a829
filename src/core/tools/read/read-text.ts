// What the model reads of a text file: numbered lines and the reminders after them.
import { numberLines } from '../../edits/number-lines';
import { inlineReminder } from '../../text/system-reminder';
import { DATA_REMINDER } from '../../sessions/read-state';
import { MAX_TOKENS, type ReadPage, type ShownPage } from './read-page';
import { type Words, words } from '../../text/words';

const MAX_CUT_NAMED = 10;

const UNSAVED_REMINDER =
  'This is the text in the editor, which has unsaved changes; the file on disk differs, and commands see the disk.';

export function pageContent(page: ShownPage): string {
  return page.alone ? `${page.start}\t${page.lines.join('')}` : numberLines(page.lines, page.start);
}

/** Sentences about the page, in the order in which they are shown. */
export function pageReminders(path: string, page: ShownPage, unsaved: boolean, ofData: boolean): Words[] {
  const end = page.start + page.lines.length - 1;
  const reminders: Words[] = [];
  if (page.partial) {
    const shown = `PARTIAL view: lines ${page.start}–${end} of ${page.total} of ${path}.`;
    reminders.push(words`${shown} Continue with offset ${end + 1}{{Grep: , or find the lines that matter with Grep}}.`);
  }
  if (page.cut.length > 0)
    reminders.push(
      words`Truncated because of their length: ${linesNamed(page.cut)}.{{Grep:  Use Grep with -o to see parts of them.}}`,
    );
  if (page.odd.length > 0)
    reminders.push(`Control characters are escaped as \\x0c and the like: ${linesNamed(page.odd)}.`);
  if (unsaved) reminders.push(UNSAVED_REMINDER);
  if (ofData) reminders.push(DATA_REMINDER);
  return reminders;
}

function linesNamed(numbers: readonly number[]): string {
  const named = numbers.slice(0, MAX_CUT_NAMED).join(', ') + (numbers.length > MAX_CUT_NAMED ? ', …' : '');
  return `${numbers.length > 1 ? 'lines' : 'line'} ${named}`;
}

export function withReminders(content: string, reminders: string[]): string {
  return [...(content === '' ? [] : [content]), ...reminders.map(inlineReminder)].join('\n\n');
}

export function emptyWarning(path: string): string {
  return `Warning: ${path} exists, but it is empty.`;
}

export function pastEndWarning(path: string, offset: number, total: number): string {
  const lines = total === 1 ? '1 line' : `${total} lines`;
  const missing = `${path} has ${lines}, so there is nothing at offset ${offset}.`;
  return `Warning: ${missing} Read it with an offset from 1 to ${total}.`;
}

export function tooLongMessage(path: string, page: Extract<ReadPage, { outcome: 'too_long' }>): Words {
  const size = `This range of ${path} is about ${page.tokens} tokens`;
  return words`${size}, more than the ${MAX_TOKENS} that one call may return. Ask for ${page.fitting} lines or fewer{{Grep: , or find the lines that matter with Grep}}.`;
}

export function unchangedText(path: string, parts: 'lines' | 'cells' = 'lines'): string {
  return inlineReminder(`${path} is unchanged since you last read these ${parts}: use what you read then.`);
}

export const nothingLeftWarning = 'Warning: a hook has left nothing of these lines.';
