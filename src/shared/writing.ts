// The end of a text that a call is going to write: as much of it as a card shows, however long it becomes.
import { type Writing } from './chat';

/** More lines than the card is high, and characters for lines of any length. */
const keptLines = 30;
export const keptChars = 4_000;

export const nothingWritten: Writing = { removed: '', added: '', removedLines: 0, addedLines: 0 };

export function grow(writing: Writing, part: 'removed' | 'added', text: string, lines: number): Writing {
  const end = endOf(writing[part] + text);
  return part === 'removed'
    ? { ...writing, removed: end, removedLines: writing.removedLines + lines }
    : { ...writing, added: end, addedLines: writing.addedLines + lines };
}

/** What replaces all that was kept before where it is as long as what is kept. */
export function lastChars(text: string): string {
  return text.length <= keptChars ? text : text.slice(-keptChars);
}

export function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/** As a user counts them: the last one needs no line feed. */
export function linesWritten({ removed, added, removedLines, addedLines }: Writing): number {
  return removedLines + addedLines + open(removed) + open(added);
}

function open(text: string): number {
  return text === '' || text.endsWith('\n') ? 0 : 1;
}

function endOf(text: string): string {
  const short = lastChars(text);
  let from = short.length;
  for (let lines = 0; lines <= keptLines && from !== -1; lines++)
    from = from === 0 ? -1 : short.lastIndexOf('\n', from - 1);
  return from === -1 ? short : short.slice(from + 1);
}
