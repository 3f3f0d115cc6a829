// Reads the texts of a JSON object while it is written: each piece is looked at once, and what is not JSON ends the reading.

export interface GrowingPiece {
  /** A field of the object itself, whose value is a text. */
  field: string;
  /** What has come of the text since the piece before. */
  text: string;
  /** The text is whole. */
  whole: boolean;
}

type Place = 'before' | 'field' | 'name' | 'colon' | 'value' | 'text' | 'other' | 'next' | 'over';

const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/** Only the texts of these fields are given out; whatever else the object holds is skipped. */
export class GrowingJson {
  readonly #fields: ReadonlySet<string>;
  #place: Place = 'before';
  #field = '';
  /** Part of an escape that a piece ended in, or the first half of a character. */
  #escape = '';
  #half = '';
  /** Inside a value that is skipped: how deep, and whether in a text. */
  #depth = 0;
  #quoted = false;
  #pieces: GrowingPiece[] = [];

  constructor(fields: ReadonlySet<string>) {
    this.#fields = fields;
  }

  accept(json: string): GrowingPiece[] {
    this.#pieces = [];
    for (let at = 0; at < json.length && this.#place !== 'over';) {
      if (this.#place === 'name') at = this.#readText(json, at, (text) => void (this.#field += text));
      else if (this.#place === 'text') at = this.#readText(json, at, (text, whole) => this.#give(text, whole));
      else if (this.#place === 'other') at = this.#passOver(json, at);
      else at = this.#step(json, at);
    }
    return this.#pieces;
  }

  #give(text: string, whole: boolean): void {
    let given = this.#half + text;
    this.#half = '';
    const last = given.charCodeAt(given.length - 1);
    if (!whole && last >= 0xd800 && last <= 0xdbff) {
      this.#half = given.slice(-1);
      given = given.slice(0, -1);
    }
    const before = this.#pieces.at(-1);
    if (before?.field === this.#field && !before.whole) {
      before.text += given;
      before.whole = whole;
    } else if (given !== '' || whole) this.#pieces.push({ field: this.#field, text: given, whole });
  }

  /** From `at` up to the end of the text or of the piece; returns where it continues. */
  #readText(json: string, at: number, put: (text: string, whole: boolean) => void): number {
    let from = at;
    while (from < json.length) {
      if (this.#escape !== '') {
        const unicode = this.#escape.startsWith('\\u');
        this.#escape += json.charAt(from++);
        if (this.#escape.length === 2 && this.#escape !== '\\u') {
          const plain = escapes[this.#escape.charAt(1)];
          if (plain === undefined) return this.#fail(json);
          this.#escape = '';
          put(plain, false);
        } else if (unicode && this.#escape.length === 6) {
          const code = this.#escape.slice(2);
          if (!/^[0-9a-fA-F]{4}$/.test(code)) return this.#fail(json);
          this.#escape = '';
          put(String.fromCharCode(Number.parseInt(code, 16)), false);
        }
        continue;
      }
      const end = nextMark(json, from);
      if (end > from) put(json.slice(from, end), false);
      if (end === json.length) return end;
      if (json.charAt(end) === '"') {
        put('', true);
        this.#place = this.#place === 'name' ? 'colon' : 'next';
        return end + 1;
      }
      this.#escape = '\\';
      from = end + 1;
    }
    return from;
  }

  #fail(json: string): number {
    this.#place = 'over';
    return json.length;
  }

  /** A number, a word, a list, an object, a text that nobody asked for. */
  #passOver(json: string, at: number): number {
    for (let from = at; from < json.length; from++) {
      const sign = json.charAt(from);
      if (this.#quoted) {
        if (this.#escape !== '') this.#escape = '';
        else if (sign === '\\') this.#escape = sign;
        else if (sign === '"') this.#quoted = false;
        if (!this.#quoted && this.#depth === 0) {
          this.#place = 'next';
          return from + 1;
        }
      } else if (sign === '"') this.#quoted = true;
      else if (sign === '{' || sign === '[') this.#depth++;
      else if (this.#depth > 0 && (sign === '}' || sign === ']')) {
        if (--this.#depth > 0) continue;
        this.#place = 'next';
        return from + 1;
      } else if (this.#depth === 0 && (sign === ',' || sign === '}')) {
        this.#place = 'next';
        return from;
      }
    }
    return json.length;
  }

  /** The signs between names and values. */
  #step(json: string, at: number): number {
    const sign = json.charAt(at);
    if (sign === ' ' || sign === '\n' || sign === '\r' || sign === '\t') return at + 1;
    if (this.#place === 'before' && sign === '{') this.#place = 'field';
    else if (this.#place === 'field' && sign === '"') {
      this.#place = 'name';
      this.#field = '';
    } else if (this.#place === 'colon' && sign === ':') this.#place = 'value';
    else if (this.#place === 'value' && sign === '"' && this.#fields.has(this.#field)) this.#place = 'text';
    else if (this.#place === 'value') {
      this.#place = 'other';
      return at;
    } else if (this.#place === 'next' && sign === ',') this.#place = 'field';
    else return this.#fail(json);
    return at + 1;
  }
}

/** The next quotation mark or backslash, or the end. */
function nextMark(json: string, from: number): number {
  const mark = /["\\]/g;
  mark.lastIndex = from;
  return mark.exec(json)?.index ?? json.length;
}
