// What the user reads of things that are taken over: an entry without its secrets before, and a sentence after it.
import { shownHeader, shownVariable, withoutPassword } from '../mcp/shown-values';
import { type ImportItem } from './import-item';
import { isObject } from '../../shared/plain-object';

/** As the file will have it, but for values that may be secrets. */
export function shownEntry(entry: Readonly<Record<string, unknown>>): string {
  const values = (key: string, shown: (name: string, value: string) => string): Record<string, unknown> => {
    const given = entry[key];
    return isObject(given)
      ? { [key]: Object.fromEntries(Object.entries(given).map(([name, value]) => [name, shown(name, String(value))])) }
      : {};
  };
  const url = typeof entry['url'] === 'string' ? { url: withoutPassword(entry['url']) } : {};
  return JSON.stringify(
    {
      ...entry,
      ...url,
      ...values('env', shownVariable),
      ...values('headers', (_name, value) => shownHeader(value) ?? '…'),
    },
    undefined,
    2,
  );
}

/** What is to be known of those that were written. */
export function importedWords(items: readonly ImportItem[]): string {
  const waiting = items.filter(({ kind, inside }) => kind === 'server' && inside !== undefined).length;
  return [
    'The files of Codex and Gemini are unchanged.',
    ...(waiting === 0
      ? []
      : [
          waiting === 1
            ? "This project's server is waiting for your approval (/mcp)."
            : "This project's servers are waiting for your approval (/mcp).",
        ]),
  ].join(' ');
}
