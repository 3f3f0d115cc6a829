// Parses large notebooks cell by cell and decodes their pictures piece by piece: nothing else in the process waits for all of it.
import { type Clock } from '../../ports/clock';
import { type Notebook, notebookOf, parseNotebook } from './notebook';

export interface Slicing {
  ports: { clock: Clock };
  signal: AbortSignal;
}

/** Parsed at once in a few milliseconds. */
const smallCharacters = 500_000;
const sliceMs = 10;
/** Base64 characters; pieces must be whole groups of four. */
const decodedAtOnce = 1_000_000;

/** What `parseNotebook` gives. */
export async function parseNotebookInSlices(text: string, slicing: Slicing): Promise<Notebook | undefined> {
  if (text.length <= smallCharacters) return parseNotebook(text);
  const pause = pauses(slicing);
  const found = await findCells(text, pause);
  if (found === undefined) return parseNotebook(text);
  const { open, close, commas } = found;
  try {
    const root: unknown = JSON.parse(`${text.slice(0, open + 1)}${text.slice(close)}`);
    const cells: unknown[] = [];
    const ends = commas.length === 0 && text.slice(open + 1, close).trim() === '' ? [] : [...commas, close];
    let start = open + 1;
    for (const end of ends) {
      cells.push(JSON.parse(text.slice(start, end)));
      start = end + 1;
      await pause();
    }
    return notebookOf({ ...(root as object), cells });
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Undefined for what is not base64. */
export async function decodeInSlices(data: string, slicing: Slicing): Promise<Uint8Array | undefined> {
  const pause = pauses(slicing);
  const end = data.indexOf('=');
  if (end >= 0 && end < data.length - 2) return undefined;
  const bytes = new Uint8Array(Math.ceil(data.length / 4) * 3);
  let length = 0;
  for (let at = 0; at < data.length; at += decodedAtOnce) {
    const piece = decode(data.slice(at, at + decodedAtOnce));
    if (piece === undefined) return undefined;
    // Not by an iterator over the text: that takes a hundred times as long.
    for (let index = 0; index < piece.length; index++) bytes[length++] = piece.charCodeAt(index);
    await pause();
  }
  return bytes.subarray(0, length);
}

function decode(data: string): string | undefined {
  try {
    return atob(data);
  } catch {
    return undefined;
  }
}

interface CellPlaces {
  /** The list's brackets, and the commas between its cells. */
  open: number;
  close: number;
  commas: number[];
}

/** Undefined if there is no one list `cells` at the top, as in older formats and in what is not JSON. */
async function findCells(text: string, pause: () => Promise<void>): Promise<CellPlaces | undefined> {
  const finder = new CellFinder(text);
  for (let at = 0, steps = 1; at < text.length; at++, steps++) {
    if (steps % 20_000 === 0) await pause();
    switch (text.charCodeAt(at)) {
      case quote: {
        const end = stringEnd(text, at + 1);
        if (end < 0) return undefined;
        finder.string(at, end);
        at = end;
        break;
      }
      case openBracket:
      case openBrace:
        if (!finder.opening(at)) return undefined;
        break;
      case closeBracket:
      case closeBrace:
        finder.closing(at);
        break;
      case comma:
        finder.comma(at);
    }
  }
  return finder.places();
}

/** Keeps count of a notebook's brackets, and notes where its cells are. */
class CellFinder {
  readonly #commas: number[] = [];
  #open: number | undefined;
  #close: number | undefined;
  #depth = 0;
  /** The last key at the top, until its value is over. */
  #key = '';

  constructor(private readonly text: string) {}

  string(at: number, end: number): void {
    if (this.#depth !== 1) return;
    const isKey = end - at < 10 && /^\s*:/.test(this.text.slice(end + 1, end + 20));
    this.#key = isKey ? this.text.slice(at + 1, end) : '';
  }

  /** False where `cells` is not a list, or there is a second one. */
  opening(at: number): boolean {
    this.#depth++;
    if (this.#depth !== 2 || this.#key !== 'cells') return true;
    if (this.#open !== undefined || this.text.charCodeAt(at) !== openBracket) return false;
    this.#open = at;
    return true;
  }

  closing(at: number): void {
    this.#depth--;
    if (this.#depth === 1 && this.#open !== undefined) this.#close ??= at;
  }

  comma(at: number): void {
    if (this.#depth === 1) this.#key = '';
    if (this.#depth === 2 && this.#open !== undefined && this.#close === undefined) this.#commas.push(at);
  }

  places(): CellPlaces | undefined {
    if (this.#open === undefined || this.#close === undefined) return undefined;
    return { open: this.#open, close: this.#close, commas: this.#commas };
  }
}

const [quote, comma, openBracket, closeBracket, openBrace, closeBrace, backslash] = [
  0x22, 0x2c, 0x5b, 0x5d, 0x7b, 0x7d, 0x5c,
] as const;

/** Where the string that begins at `from` has its closing quote. */
function stringEnd(text: string, from: number): number {
  for (let end = text.indexOf('"', from); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (before > from && text.charCodeAt(before - 1) === backslash) before--;
    if ((end - before) % 2 === 0) return end;
  }
  return -1;
}

/** Lets others have their turn where this one has taken long. Rejects when the call is stopped. */
function pauses({ ports: { clock }, signal }: Slicing): () => Promise<void> {
  let started = clock.now();
  return async () => {
    if (clock.now() - started < sliceMs) return;
    await clock.sleep(0, signal);
    started = clock.now();
  };
}
