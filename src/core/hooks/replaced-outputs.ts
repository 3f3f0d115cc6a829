// Several hooks replace the output of one call: each saw the original, so what each has changed is put together.
import { isObject } from '../../shared/plain-object';
import { isSameJson } from '../text/same-json';

export type JoinedOutput = { value: unknown } | { conflict: string };

/** Undefined where none changes anything: a hook that returns what it was shown takes nothing back that another has changed. */
export function joinReplacements(shown: unknown, given: readonly unknown[]): JoinedOutput | undefined {
  const changed = given.filter((value) => !isSameJson(value, shown));
  if (changed.length === 0) return undefined;
  try {
    return { value: changed.slice(1).reduce((joined, value) => merged(shown, joined, value, ''), changed[0]) };
  } catch (error) {
    if (error instanceof Conflict) return { conflict: error.message };
    throw error;
  }
}

class Conflict extends Error {}

function merged(base: unknown, one: unknown, other: unknown, place: string): unknown {
  if (isSameJson(other, base) || isSameJson(one, other)) return one;
  if (isSameJson(one, base)) return other;
  // Left out by the one, changed by the other.
  if (one === undefined || other === undefined) return one ?? other;
  const joined = mergedParts(base, one, other, place);
  if (joined !== undefined) return joined;
  throw new Conflict(place === '' ? 'the whole output' : `\`${place}\``);
}

/** Undefined where the parts do not correspond. */
function mergedParts(base: unknown, one: unknown, other: unknown, place: string): unknown {
  if (isObject(base) && isObject(one) && isObject(other)) {
    const names = new Set([...Object.keys(one), ...Object.keys(other)]);
    const inside = (name: string): string => (place === '' ? name : `${place}.${name}`);
    return Object.fromEntries(
      [...names]
        .map((name): [string, unknown] => [name, merged(base[name], one[name], other[name], inside(name))])
        .filter(([, value]) => value !== undefined),
    );
  }
  if (Array.isArray(base) && Array.isArray(one) && Array.isArray(other))
    return one.length === base.length && other.length === base.length
      ? base.map((item: unknown, index) => merged(item, one[index], other[index], `${place}[${index}]`))
      : undefined;
  if (typeof base !== 'string' || typeof one !== 'string' || typeof other !== 'string') return undefined;
  return mergedText(base, one, other, /(\r?\n)/) ?? mergedText(base, one, other, words);
}

/** Piece by piece, where all three have as many; undefined where both have changed the same piece. */
function mergedText(base: string, one: string, other: string, separator: RegExp): string | undefined {
  const pieces = base.split(separator);
  const own = one.split(separator);
  const others = other.split(separator);
  if (own.length !== pieces.length || others.length !== pieces.length) return undefined;
  const joined = pieces.map((piece, index): string | undefined => {
    const [first = '', second = ''] = [own[index], others[index]];
    if (second === piece || first === second) return first;
    return first === piece ? second : mergedWords(piece, first, second, separator);
  });
  return joined.some((piece) => piece === undefined) ? undefined : joined.join('');
}

/** A line that both have changed, word by word. */
function mergedWords(base: string, one: string, other: string, separator: RegExp): string | undefined {
  return separator.source === words.source ? undefined : mergedText(base, one, other, words);
}

const words = /(\s+)/;
