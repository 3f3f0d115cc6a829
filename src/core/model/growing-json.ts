// Reads the texts of a JSON object while it is written: each piece is looked at once, and what is no JSON ends the reading.

export interface GrowingPiece {
  /** A field of the object itself, whose value is a text. */
  field: string;
  /** What has come of the text since the piece before. */
  text: string;
  /** The text is whole. */
  whole: boolean;
}

export interface GrowingJson {
  accept(json: string): GrowingPiece[];
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

/** Only the texts of these fields are given out; whatever else the object holds is passed over. */
export function createGrowingJson(fields: ReadonlySet<string>): GrowingJson {
  let place: Place = 'before';
  let field = '';
  /** Of an escape that a piece ended in; of the first half of a character. */
  let escape = '';
  let half = '';
  /** Inside a value that is passed over: how deep, and whether in a text. */
  let depth = 0;
  let quoted = false;
  let pieces: GrowingPiece[] = [];

  const give = (text: string, whole: boolean): void => {
    let given = half + text;
    half = '';
    const last = given.charCodeAt(given.length - 1);
    if (!whole && last >= 0xd800 && last <= 0xdbff) {
      half = given.slice(-1);
      given = given.slice(0, -1);
    }
    const before = pieces.at(-1);
    if (before?.field === field && !before.whole) {
      before.text += given;
      before.whole = whole;
    } else if (given !== '' || whole) pieces.push({ field, text: given, whole });
  };

  /** From `at` up to the text's end or the piece's; returns where it goes on. */
  const readText = (json: string, at: number, put: (text: string, whole: boolean) => void): number => {
    let from = at;
    while (from < json.length) {
      if (escape !== '') {
        const unicode = escape.startsWith('\\u');
        escape += json.charAt(from++);
        if (escape.length === 2 && escape !== '\\u') {
          const plain = escapes[escape.charAt(1)];
          if (plain === undefined) return fail(json);
          escape = '';
          put(plain, false);
        } else if (unicode && escape.length === 6) {
          const code = escape.slice(2);
          if (!/^[0-9a-fA-F]{4}$/.test(code)) return fail(json);
          escape = '';
          put(String.fromCharCode(Number.parseInt(code, 16)), false);
        }
        continue;
      }
      const end = nextMark(json, from);
      if (end > from) put(json.slice(from, end), false);
      if (end === json.length) return end;
      if (json.charAt(end) === '"') {
        put('', true);
        place = place === 'name' ? 'colon' : 'next';
        return end + 1;
      }
      escape = '\\';
      from = end + 1;
    }
    return from;
  };

  const fail = (json: string): number => {
    place = 'over';
    return json.length;
  };

  /** A number, a word, a list, an object, a text that nobody asked for. */
  const passOver = (json: string, at: number): number => {
    for (let from = at; from < json.length; from++) {
      const sign = json.charAt(from);
      if (quoted) {
        if (escape !== '') escape = '';
        else if (sign === '\\') escape = sign;
        else if (sign === '"') quoted = false;
        if (!quoted && depth === 0) {
          place = 'next';
          return from + 1;
        }
      } else if (sign === '"') quoted = true;
      else if (sign === '{' || sign === '[') depth++;
      else if (depth > 0 && (sign === '}' || sign === ']')) {
        if (--depth > 0) continue;
        place = 'next';
        return from + 1;
      } else if (depth === 0 && (sign === ',' || sign === '}')) {
        place = 'next';
        return from;
      }
    }
    return json.length;
  };

  /** The signs between names and values. */
  const step = (json: string, at: number): number => {
    const sign = json.charAt(at);
    if (sign === ' ' || sign === '\n' || sign === '\r' || sign === '\t') return at + 1;
    if (place === 'before' && sign === '{') place = 'field';
    else if (place === 'field' && sign === '"') {
      place = 'name';
      field = '';
    } else if (place === 'colon' && sign === ':') place = 'value';
    else if (place === 'value' && sign === '"' && fields.has(field)) place = 'text';
    else if (place === 'value') {
      place = 'other';
      return at;
    } else if (place === 'next' && sign === ',') place = 'field';
    else return fail(json);
    return at + 1;
  };

  return {
    accept(json) {
      pieces = [];
      for (let at = 0; at < json.length && place !== 'over';) {
        if (place === 'name') at = readText(json, at, (text) => void (field += text));
        else if (place === 'text') at = readText(json, at, give);
        else if (place === 'other') at = passOver(json, at);
        else at = step(json, at);
      }
      return pieces;
    },
  };
}

/** The next quotation mark or backslash, or the end. */
function nextMark(json: string, from: number): number {
  const mark = /["\\]/g;
  mark.lastIndex = from;
  return mark.exec(json)?.index ?? json.length;
}
