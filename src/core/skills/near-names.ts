// Names close to one that nobody knows, for a sentence that helps.
import { editDistance } from '../text/edit-distance';

/** The nearest first, at most three. */
export function nearNames(name: string, known: readonly string[]): string[] {
  const wanted = name.toLowerCase();
  return known
    .map((one) => ({
      one,
      distance:
        one.toLowerCase().startsWith(wanted) || wanted.startsWith(one.toLowerCase())
          ? 0.5
          : editDistance(one.toLowerCase(), wanted),
    }))
    .filter(({ one, distance }) => distance <= Math.max(2, one.length / 3))
    .sort((a, b) => a.distance - b.distance || (a.one < b.one ? -1 : 1))
    .slice(0, 3)
    .map(({ one }) => one);
}
