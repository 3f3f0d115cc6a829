// Finds the places that a text names, so that each can be a link.
import { escapedPattern } from '../../src/shared/escaped-pattern';
import { type ReportView } from '../../src/shared/tool-view';

type Place = ReportView['places'][number];

interface TextPart {
  text: string;
  place?: Place;
}

/** The whole text in order. A place counts only where it stands by itself: "a.js:1" is neither in "lib/a.js:1" nor in "a.js:12". */
export function splitAtPlaces(text: string, places: readonly Place[]): TextPart[] {
  const byText = new Map(places.map((place) => [place.shown, place]));
  if (byText.size === 0) return [{ text }];
  const shown = [...byText.keys()].sort((one, other) => other.length - one.length).map(escapedPattern);
  const parts: TextPart[] = [];
  let from = 0;
  for (const { 0: found, index } of text.matchAll(new RegExp(`(?<![\\w./\\\\-])(?:${shown.join('|')})(?!\\w)`, 'g'))) {
    const place = byText.get(found);
    if (place === undefined) continue;
    if (index > from) parts.push({ text: text.slice(from, index) });
    parts.push({ text: found, place });
    from = index + found.length;
  }
  if (from < text.length) parts.push({ text: text.slice(from) });
  return parts;
}
