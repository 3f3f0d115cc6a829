// What counts as a hit of the words that are looked for: the host counts them and the page marks them alike.
import { escapedPattern } from './escaped-pattern';

/** In any case, over the end of a line too; undefined for no words. */
export function findPattern(words: string): RegExp | undefined {
  if (words.trim() === '') return undefined;
  const parts = words.split(/\s+/).map(escapedPattern);
  return new RegExp(parts.join('\\s+'), 'giu');
}

export function countHits(text: string, pattern: RegExp): number {
  pattern.lastIndex = 0;
  let hits = 0;
  while (pattern.test(text)) hits++;
  return hits;
}
