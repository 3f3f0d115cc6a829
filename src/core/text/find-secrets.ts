// Finds many secrets in a text in one pass, in whatever form they are printed.
import { lineBreak, literalForms, longestEscape, mayBegin, plainWord, quotedEnd, shortestForm } from './secret-forms';

/** A place in a text, and what stands for it. */
export interface FoundSecret {
  start: number;
  end: number;
  mark: string;
}

export interface SecretFinder {
  /** In order, without overlaps. */
  find(text: string): FoundSecret[];
  /** A secret whose beginning or end an edge of the text cuts off. */
  findCut(text: string): FoundSecret[];
}

interface Secret {
  value: string;
  mark: string;
}

/** Something that gives a secret away, found by the text that it has in any case. */
interface Trace {
  key: string;
  mark: string;
  /** The secret's characters, how many of them are before the key, and how long quoting can make those. */
  quoted?: { characters: readonly string[]; before: number; longest: number };
}

export function createSecretFinder(secrets: readonly Secret[]): SecretFinder {
  // Longest first, so that of two secrets at one place the longer one is found.
  const sorted = secrets.toSorted((a, b) => b.value.length - a.value.length);
  const literal = sorted.flatMap(({ value, mark }) => formsOf(value).map((key): Trace => ({ key, mark })));
  literal.sort((a, b) => b.key.length - a.key.length);
  const traces = byBeginning([...literal, ...sorted.flatMap(quotedTrace)]);
  const findIn = (text: string): FoundSecret[] => {
    const found: FoundSecret[] = [];
    const looks = { left: mostLooks };
    for (let at = 0; at + 3 <= text.length; at++) {
      const key = keyAt(text, at);
      if (traces.filter[key % filterSize] !== 1) continue;
      const from = found.at(-1)?.end ?? 0;
      const here = firstOf(traces.byKey.get(key) ?? [], (trace) => placeOf(trace, text, { at, from, looks }));
      if (here === undefined) continue;
      found.push(here);
      at = here.end - 1;
    }
    return found;
  };
  return {
    find: (text) => (literal.length === 0 ? [] : unwrapped(text, findIn)),
    findCut: (text) => (literal.length === 0 ? [] : unwrapped(text, (short) => cutIn(short, literal))),
  };
}

/** In any quoting: only where a word of it stays the same in each. */
function quotedTrace({ value, mark }: Secret): Trace[] {
  const plain = plainWord(value);
  if (plain === undefined || /^[\w-]+$/.test(value)) return [];
  const characters = [...value];
  const prefix = value.slice(0, plain.before);
  const longest = [...prefix].reduce((sum, character) => sum + (character <= '\x7f' ? 1 : 2) * longestEscape, 0);
  return [{ key: plain.word, mark, quoted: { characters, before: prefix.length, longest } }];
}

/** If a word of a secret is in a text so often that looking around it takes too long, the word alone is hidden. */
const mostLooks = 1_000_000;

function placeOf(
  { key, mark, quoted }: Trace,
  text: string,
  { at, from, looks }: { at: number; from: number; looks: { left: number } },
): FoundSecret | undefined {
  if (!text.startsWith(key, at)) return undefined;
  if (quoted === undefined) return { start: at, end: at + key.length, mark };
  const { characters, before, longest } = quoted;
  const first = Math.max(from, at - longest);
  // The characters before may be written as they are, or much longer.
  const last = /[\\%&'+]/.test(text.slice(first, at)) ? first : Math.max(first, at - before);
  for (let start = at - before; start >= last; start--) {
    if (looks.left-- <= 0) return { start: at, end: at + key.length, mark };
    if (!mayBegin(text, start, characters[0] ?? '')) continue;
    looks.left -= 10;
    const end = quotedEnd(text, start, characters);
    if (end !== undefined && end > at) return { start, end, mark };
  }
  return undefined;
}

const filterSize = 1 << 16;

/** Most places of a text are passed over by the filter alone. */
function byBeginning(traces: readonly Trace[]): { filter: Uint8Array; byKey: Map<number, Trace[]> } {
  const byKey = new Map<number, Trace[]>();
  const filter = new Uint8Array(filterSize);
  for (const trace of traces) {
    const key = keyAt(trace.key, 0);
    filter[key % filterSize] = 1;
    const known = byKey.get(key);
    if (known === undefined) byKey.set(key, [trace]);
    else known.push(trace);
  }
  return { filter, byKey };
}

function keyAt(text: string, at: number): number {
  return (text.charCodeAt(at) * 31 + text.charCodeAt(at + 1)) * 31 + text.charCodeAt(at + 2);
}

/** Forms are costly, and the same secrets come again; few are known at a time. */
const known = new Map<string, string[]>();
const mostKnown = 500;

function formsOf(value: string): string[] {
  const present = known.get(value);
  if (present !== undefined) return present;
  if (known.size >= mostKnown) known.clear();
  const forms = literalForms(value);
  known.set(value, forms);
  return forms;
}

/** Looks in the text without its line breaks, and gives the places in the text itself. */
function unwrapped(text: string, find: (text: string) => FoundSecret[]): FoundSecret[] {
  // Where the text goes on behind a break: the place in the shortened text, and how much was left out until there.
  const breaks: { at: number; left: number }[] = [];
  let left = 0;
  const short = text.replace(lineBreak, (found: string, offset: number) => {
    breaks.push({ at: offset - left, left: left + found.length });
    left += found.length;
    return '';
  });
  if (breaks.length === 0) return find(text);
  const leftBefore = (place: number): number => {
    let low = 0;
    let high = breaks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((breaks[middle]?.at ?? 0) <= place) low = middle + 1;
      else high = middle;
    }
    return breaks[low - 1]?.left ?? 0;
  };
  return find(short).map(({ start, end, mark }) => ({
    // A break in front of the first character is not its own, nor one behind the last.
    start: start + leftBefore(start),
    end: end + leftBefore(end - 1),
    mark,
  }));
}

function cutIn(text: string, forms: readonly Trace[]): FoundSecret[] {
  const head = longestOf(forms, ({ key }) => headLength(text, key));
  const tail = longestOf(forms, ({ key }) => tailLength(text, key));
  const first = head === undefined ? [] : [{ start: 0, end: head.length, mark: head.mark }];
  if (tail === undefined || text.length - tail.length < (head?.length ?? 0)) return first;
  return [...first, { start: text.length - tail.length, end: text.length, mark: tail.mark }];
}

function longestOf(
  forms: readonly Trace[],
  lengthIn: (form: Trace) => number,
): { length: number; mark: string } | undefined {
  let best: { length: number; mark: string } | undefined;
  for (const form of forms) {
    const length = lengthIn(form);
    if (length > (best?.length ?? 0)) best = { length, mark: form.mark };
  }
  return best;
}

/** Characters of a secret at an edge that give it away: half of a short one. */
function shortestPart(form: string): number {
  return Math.min(shortestForm, Math.ceil(form.length / 2));
}

/** How much of the form's end the text begins with. */
function headLength(text: string, form: string): number {
  const part = form.slice(-shortestPart(form));
  const window = text.slice(0, form.length - 1);
  for (let at = window.lastIndexOf(part); at >= 0; at = at === 0 ? -1 : window.lastIndexOf(part, at - 1)) {
    const length = at + part.length;
    if (form.endsWith(text.slice(0, length))) return length;
  }
  return 0;
}

/** How much of the form's beginning the text ends with. */
function tailLength(text: string, form: string): number {
  const part = form.slice(0, shortestPart(form));
  const window = text.slice(Math.max(0, text.length - form.length + 1));
  for (let at = window.indexOf(part); at >= 0; at = window.indexOf(part, at + 1)) {
    if (form.startsWith(window.slice(at))) return window.length - at;
  }
  return 0;
}

function firstOf<Item, Found>(items: readonly Item[], look: (item: Item) => Found | undefined): Found | undefined {
  for (const item of items) {
    const found = look(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
