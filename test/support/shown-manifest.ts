// package.json as VS Code shows it: each %key% replaced by its text, in English or in another language.
import { readFileSync } from 'node:fs';

/** Texts by their keys, of one language. */
export type Texts = Readonly<Record<string, string>>;

export function textsOf(language?: string): Texts {
  return JSON.parse(readFileSync(`package.nls${language === undefined ? '' : `.${language}`}.json`, 'utf8')) as Texts;
}

export function shownManifest<Manifest>(): Manifest {
  const texts = textsOf();
  return JSON.parse(readFileSync('package.json', 'utf8'), (_field, value: unknown) => {
    const key = keyOf(value);
    if (key === undefined) return value;
    const text = texts[key];
    if (text === undefined) throw new Error(`package.nls.json lacks ${key}.`);
    return text;
  }) as Manifest;
}

/** The key that a value of package.json stands for. */
export function keyOf(value: unknown): string | undefined {
  return typeof value === 'string' ? /^%(.+)%$/.exec(value)?.[1] : undefined;
}
