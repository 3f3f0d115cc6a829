// A session's title and folder from the first and last lines of its file.
import { writtenText } from '../../core/sessions/prompt-text';
import { type SessionRecord } from '../../core/ports/record';
import { decodeRecord } from '../../core/sessions/session-codec';
import { givenTitle } from '../../core/sessions/given-title';

const maxTitleCharacters = 80;
const untitled = 'Untitled session';

/** `titled`: the title is in the log, not made of the first prompt. A torn first or last line is ignored. */
export function readSummary(head: string, tail: string): { cwd: string; title: string; titled: boolean } {
  const first = head.split('\n').flatMap(recordOf);
  const last = tail.split('\n').flatMap(recordOf);
  const records = [...first, ...last];
  const given = givenTitle(records);
  const title = given === undefined ? undefined : oneLine(given);
  const cwd = first.map((record) => ('raw' in record ? '' : record.cwd)).find((folder) => folder !== '') ?? '';
  return title === undefined
    ? { cwd, title: firstPrompt(records) ?? untitled, titled: false }
    : { cwd, title, titled: true };
}

function firstPrompt(records: SessionRecord[]): string | undefined {
  for (const record of records) {
    if (record.type !== 'user' || record.isMeta || record.isSidechain) continue;
    const text = writtenText(record);
    if (text.trim() !== '') return oneLine(text);
  }
  // Nothing has reached the model: what waits for it, or was kept from it.
  const unsent = records.map(unsentText).find((text) => text.trim() !== '');
  return unsent === undefined ? undefined : oneLine(unsent);
}

function unsentText(record: SessionRecord): string {
  if (record.type === 'queue-operation') return record.display?.text ?? '';
  return record.type === 'system' && record.subtype === 'prompt_blocked' ? record.display.text : '';
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const characters = [...line.slice(0, maxTitleCharacters * 2)];
  return characters.length > maxTitleCharacters ? `${characters.slice(0, maxTitleCharacters - 1).join('')}…` : line;
}

function recordOf(line: string): SessionRecord[] {
  const record = line === '' ? undefined : decodeRecord(line);
  return record ? [record] : [];
}
