// Where in a text the symbol is that a call names by a line and a name: models count columns badly.
import { type TextPlace } from '../../ports/refactorings';

export type FoundSymbol = { place: TextPlace } | { problem: string };

const maxNamed = 5;

/** `lineContent` is a whole line without its indentation, or a part of one line. */
export function findSymbol(text: string, lineContent: string, symbol: string): FoundSymbol {
  const wanted = lineContent.trim();
  if (/[\r\n]/.test(wanted)) return { problem: 'lineContent is several lines: give one line, or a part of one.' };
  const lines = text.split(/\r\n|\r|\n/);
  const parts = lines.flatMap((line, index) =>
    occurrences(line, wanted).map((character) => ({ line: index, character, whole: line.trim() === wanted })),
  );
  const whole = parts.filter((part) => part.whole);
  const places = (whole.length > 0 ? whole : parts).flatMap((part) =>
    findNames(wanted, symbol).map((offset) => ({ line: part.line, character: part.character + offset })),
  );
  const [only, ...others] = places;
  if (only === undefined)
    return {
      problem:
        parts.length === 0
          ? 'lineContent was not found in the file. Copy one of its lines exactly.'
          : `lineContent is in the file, but "${symbol}" is not a name in it.`,
    };
  if (others.length === 0) return { place: only };
  const named = [...new Set(places.map(({ line }) => line + 1))];
  const shown = named.slice(0, maxNamed).join(', ') + (named.length > maxNamed ? ', …' : '');
  return {
    problem:
      named.length === 1
        ? `"${symbol}" occurs ${places.length} times in lineContent (line ${shown}). Give only the part of the line around the one that you mean.`
        : `lineContent fits lines ${shown}. Give a line in which "${symbol}" occurs and that is there once.`,
  };
}

function occurrences(line: string, wanted: string): number[] {
  const found: number[] = [];
  for (let at = line.indexOf(wanted); at >= 0 && wanted !== ''; at = line.indexOf(wanted, at + 1)) found.push(at);
  return found;
}

/** As a whole name, not as a part of a longer one. */
export function findNames(text: string, symbol: string): number[] {
  return occurrences(text, symbol).filter(
    (at) => !isNamePart(text.slice(0, at).at(-1)) && !isNamePart(text.slice(at + symbol.length).at(0)),
  );
}

function isNamePart(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_$]/u.test(character);
}
