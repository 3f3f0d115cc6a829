// Front matter that means the same to everybody: one line a field. The library for YAML is large, and few files need it.

const field = /^([A-Za-z][\w-]*): (?:"([ !#-[\]-~]*)"|([A-Za-z][!-~]*(?: [!-~]+)*))$/;
/** Words that YAML takes for something else than a text. */
const values: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);
const special = /^(?:true|false|null)$/i;

/** Undefined where any line is more than `name: words` or `name: "words"`, for YAML to say what it is. */
export function plainFields(lines: readonly string[]): Record<string, string | boolean> | undefined {
  const fields = new Map<string, string | boolean>();
  for (const line of lines) {
    const [, name, text, words = ''] = field.exec(line) ?? [];
    if (name === undefined || fields.has(name)) return undefined;
    const value = text ?? values.get(words) ?? words;
    if (text === undefined && typeof value === 'string' && (special.test(words) || /:(?: |$)| #/.test(words)))
      return undefined;
    fields.set(name, value);
  }
  return Object.fromEntries(fields);
}
