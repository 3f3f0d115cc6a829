// Where the parts of a JSON text stand, so that one of them can be replaced without touching the rest. The text must be valid JSON.

export interface JsonRange {
  start: number;
  end: number;
}

export interface JsonMember {
  key: string;
  keyStart: number;
  value: JsonRange;
}

/** The members of the object that starts at `at`. */
export function memberRanges(text: string, at: number): JsonMember[] {
  const members: JsonMember[] = [];
  let next = skipSpace(text, at + 1);
  while (next < text.length && text[next] !== '}') {
    const keyEnd = stringEnd(text, next);
    const start = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const end = valueEnd(text, start);
    members.push({ key: JSON.parse(text.slice(next, keyEnd)) as string, keyStart: next, value: { start, end } });
    next = afterComma(text, end);
  }
  return members;
}

/** The items of the array that starts at `at`. */
export function itemRanges(text: string, at: number): JsonRange[] {
  const items: JsonRange[] = [];
  let start = skipSpace(text, at + 1);
  while (start < text.length && text[start] !== ']') {
    const end = valueEnd(text, start);
    items.push({ start, end });
    start = afterComma(text, end);
  }
  return items;
}

/** The value that the whole text is. */
export function rootRange(text: string): JsonRange {
  return { start: skipSpace(text, 0), end: text.trimEnd().length };
}

/** If a key is repeated, its last value counts, as in JSON.parse. */
export function memberValue(text: string, at: number, key: string): JsonRange | undefined {
  return memberRanges(text, at).findLast((member) => member.key === key)?.value;
}

function afterComma(text: string, end: number): number {
  const next = skipSpace(text, end);
  return text[next] === ',' ? skipSpace(text, next + 1) : next;
}

function skipSpace(text: string, at: number): number {
  let next = at;
  while (next < text.length && ' \t\r\n'.includes(text.charAt(next))) next++;
  return next;
}

function valueEnd(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return stringEnd(text, start);
  let at = start;
  if (first !== '{' && first !== '[') {
    while (at < text.length && !',]} \t\r\n'.includes(text.charAt(at))) at++;
    return at;
  }
  for (let depth = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') at = stringEnd(text, at) - 1;
    else if (character === '{' || character === '[') depth++;
    else if ((character === '}' || character === ']') && --depth === 0) return at + 1;
  }
  return at;
}

function stringEnd(text: string, start: number): number {
  for (let at = start + 1; ; at++) {
    at = text.indexOf('"', at);
    if (at === -1) return text.length;
    let backslashes = 0;
    while (text[at - 1 - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return at + 1;
  }
}
