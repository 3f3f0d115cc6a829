// Text from outside, where JSON may hold half of a surrogate pair: no valid text can, and the API refuses each request that contains it.

/** The sign for what cannot be read, in the place of each half. */
export function soundText(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}

/** The same in every text of a value that came from JSON, names too. */
export function soundDeep(value: unknown): unknown {
  if (typeof value === 'string') return soundText(value);
  if (Array.isArray(value)) return value.map(soundDeep);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [soundText(name), soundDeep(one)]));
}
