// Names close to one that nobody knows, for a sentence that helps.
import { editDistance } from './edit-distance';

/**
 * The nearest first, at most three. One rule for tools, their parameters, skills and servers: a name that begins the other
 * one is near, since names are cut short and lengthened more often than they are misspelled; otherwise a third of a name's
 * characters may differ. At a half, short names are near to nearly every other, and a wrong guess is worse than the list of
 * all names that stands in its place.
 */
export function nearNames(name: string, known: readonly string[]): string[] {
  const wanted = name.toLowerCase();
  if (wanted === '') return [];
  return known
    .map((one) => ({ one, distance: distanceOf(one.toLowerCase(), wanted) }))
    .filter(({ one, distance }) => distance <= Math.max(2, one.length / 3))
    .sort((a, b) => a.distance - b.distance || (a.one < b.one ? -1 : 1))
    .slice(0, 3)
    .map(({ one }) => one);
}

function distanceOf(one: string, wanted: string): number {
  return one.startsWith(wanted) || wanted.startsWith(one) ? 0.5 : editDistance(one, wanted);
}
