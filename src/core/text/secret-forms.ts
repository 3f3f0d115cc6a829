// The forms in which programs print a secret: quoted and escaped in any way that keeps its letters, in base64, in hexadecimal.

/** Shorter pieces of a form would blot out ordinary text. */
export const shortestForm = 8;

/** A part of a secret of several lines that is hidden by itself. */
const shortestLine = 16;

/** Forms are compared without line breaks: programs wrap long ones. */
export const lineBreak = /\r?\n|\r/g;

/** Texts that stand for a secret as they are, each once: the secret itself, its lines, what encodes it. */
export function literalForms(secret: string): string[] {
  const lines = secret
    .split(/\r?\n|\\n/)
    .map((line) => line.trim())
    .filter((line, _index, all) => all.length > 1 && line.length >= shortestLine && !line.startsWith('-----'));
  const json = JSON.stringify(secret).slice(1, -1);
  const percent = percentText(secret);
  const forms = [secret, json, percent, ...lines, ...encodedForms(secret)].map((form) => form.replace(lineBreak, ''));
  return [...new Set(forms)].filter(({ length }) => length >= Math.min(shortestForm, secret.length));
}

/** Empty for half a character, which none of the encodings has. */
function percentText(secret: string): string {
  try {
    return encodeURIComponent(secret);
  } catch {
    return '';
  }
}

function encodedForms(secret: string): string[] {
  const bytes = new TextEncoder().encode(secret);
  const hex = Array.from(bytes, hexOf).join('');
  const base64 = [0, 1, 2].map((before) => base64Inside(bytes, before)).filter(({ length }) => length >= shortestForm);
  const all = [base64Of(bytes), ...base64];
  return [...all, ...all.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')), hex, hex.toUpperCase()];
}

/** What base64 of a longer text contains of it, where so many bytes more than whole threes come before: its edges mix with the rest. */
function base64Inside(bytes: Uint8Array, before: number): string {
  const padded = new Uint8Array(before + bytes.length);
  padded.set(bytes, before);
  const first = Math.ceil((before * 8) / 6);
  return base64Of(padded).slice(first, Math.floor((padded.length * 8) / 6));
}

function base64Of(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

function hexOf(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}

/** A word of the secret that quoting leaves as it is, and how many characters are before it; undefined if there is none. */
export function plainWord(secret: string): { word: string; before: number } | undefined {
  const found = /[A-Za-z0-9]{5,}/.exec(secret) ?? /[A-Za-z0-9]{3,}/.exec(secret);
  return found === null ? undefined : { word: found[0], before: found.index };
}

/** The longest that a character of ASCII becomes, as a quote does in JSON in JSON; another one becomes twice as long. */
export const longestEscape = 8;

/** False for most places, at little cost: neither the character is there nor something that may encode it. */
export function mayBegin(text: string, start: number, character: string): boolean {
  const sign = text[start] ?? '';
  return (
    character.startsWith(sign) || sign === '\\' || sign === '%' || sign === '&' || (sign === '+' && character === ' ')
  );
}

/** Where the text at this place is the secret, however it is quoted: the end; else undefined. */
export function quotedEnd(text: string, start: number, secret: readonly string[]): number | undefined {
  // A sign may stand for itself or for the beginning of what it is encoded as: all ways are followed.
  let ends = new Set([start]);
  for (const character of secret) {
    const next = new Set<number>();
    for (const at of ends) for (const end of afterCharacter(text, at, character)) next.add(end);
    if (next.size === 0) return undefined;
    ends = next;
  }
  return Math.max(...ends);
}

/** Behind the character in the text, in each way in which it may be written there. */
function afterCharacter(text: string, start: number, character: string): number[] {
  let at = start;
  while (text[at] === '\\') at++;
  if (character === '\\' && at > start) return Array.from({ length: at - start }, (_, index) => start + index + 1);
  const ends = afterEncoded(text, start, character);
  if (text.startsWith(character, at)) ends.push(at + character.length);
  if (character === ' ' && text[at] === '+') ends.push(at + 1);
  if (text[at - 1] === '\\') ends.push(...afterEscape(text, at, character));
  // Programs wrap and join lines, so a break may be missing.
  if ((character === '\n' || character === '\r') && ends.length === 0) ends.push(start);
  if (character === "'") {
    quoteInQuotes.lastIndex = start;
    if (quoteInQuotes.test(text)) ends.push(quoteInQuotes.lastIndex);
  }
  return ends;
}

/** `'\''`, `'"'"'` and `''`: a single quote inside of single quotes. */
const quoteInQuotes = /'\\+''|'"'"'|''/y;

const letters: Readonly<Record<string, string>> = { '\n': 'n', '\r': 'r', '\t': 't' };

/** Behind backslashes: `n`, `u00e4`, `u{e4}`, `xc3\xa4`, `303\244`. */
function afterEscape(text: string, start: number, character: string): number[] {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  const units = Array.from({ length: character.length }, (_, index) =>
    character.charCodeAt(index).toString(16).padStart(4, '0'),
  );
  const bytes = [...new TextEncoder().encode(character)];
  const letter = letters[character];
  const ways = [
    ...(letter === undefined ? [] : [[letter]]),
    units.map((unit) => `u${unit}`),
    [`u{${code}}`],
    [`U${code.padStart(8, '0')}`],
    bytes.map((byte) => `x${hexOf(byte)}`),
    // Of a character up to U+00FF.
    [`x${code.padStart(2, '0')}`],
    bytes.map((byte) => byte.toString(8).padStart(3, '0')),
  ];
  return ways.flatMap((parts) => afterParts(text, start, parts) ?? []);
}

/** The parts, with backslashes between them, in any case. */
function afterParts(text: string, start: number, parts: readonly string[]): number | undefined {
  let at = start;
  for (const [index, part] of parts.entries()) {
    if (index > 0) {
      if (text[at] !== '\\') return undefined;
      while (text[at] === '\\') at++;
    }
    if (text.slice(at, at + part.length).toLowerCase() !== part.toLowerCase()) return undefined;
    at += part.length;
  }
  return at;
}

/** `%C3%A4`, also encoded twice, `&amp;`, `&#39;`, `&#x27;`. */
function afterEncoded(text: string, at: number, character: string): number[] {
  if (text[at] === '%') {
    const bytes = [...new TextEncoder().encode(character)];
    return ['%', '%25'].flatMap((sign) => {
      const encoded = bytes.map((byte) => `${sign}${hexOf(byte)}`).join('');
      return text.slice(at, at + encoded.length).toLowerCase() === encoded ? [at + encoded.length] : [];
    });
  }
  if (text[at] !== '&') return [];
  const entity = /^&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/i.exec(text.slice(at, at + 10));
  if (entity === null) return [];
  const [whole, hex, decimal, name = ''] = entity;
  const code = hex !== undefined ? Number.parseInt(hex, 16) : Number(decimal);
  const meant = decimal === undefined && hex === undefined ? entities[name.toLowerCase()] : codeText(code);
  return meant === character ? [at + whole.length] : [];
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function codeText(code: number): string | undefined {
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}
