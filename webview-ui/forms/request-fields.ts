// What the user has filled into a server's form: the first values, what is wrong, and the answer that is sent.
import { type McpFieldValue, type McpRequestField } from '../../src/shared/mcp-view';

/** Numbers as they are typed. */
export type Filled = Readonly<Record<string, string | boolean | readonly string[]>>;

export function firstValues(fields: readonly McpRequestField[]): Filled {
  return Object.fromEntries(fields.map((field) => [field.name, firstValue(field)]));
}

function firstValue({ type, initial }: McpRequestField): string | boolean | readonly string[] {
  if (type === 'boolean') return initial === true;
  if (type === 'choices') return Array.isArray(initial) ? initial : [];
  return initial === undefined || Array.isArray(initial) || typeof initial === 'boolean' ? '' : String(initial);
}

/** A sentence; undefined where the field can be sent. */
export function problemOf(field: McpRequestField, value: Filled[string] | undefined): string | undefined {
  if (field.type === 'boolean') return undefined;
  if (field.type === 'choices') {
    const count = Array.isArray(value) ? value.length : 0;
    if (count === 0) return field.required ? 'Choose at least one.' : undefined;
    return outside(field, count, (limit) => `Choose ${limit}.`);
  }
  const text = typeof value === 'string' ? value.trim() : '';
  if (text === '')
    return field.required ? (field.type === 'choice' ? 'Choose one.' : 'This field is required.') : undefined;
  if (field.type === 'number' && !isNumber(text)) return 'Write a number.';
  if (field.type === 'integer' && !/^[+-]?\d{1,15}$/.test(text)) return 'Write a whole number.';
  if (field.type === 'text') return outside(field, [...String(value)].length, (limit) => `Write ${limit} characters.`);
  if (field.type === 'choice') return undefined;
  return outside(field, Number(text), (limit) => `The number is ${limit}.`);
}

/** The server would refuse it, and nobody would be asked again. */
function outside(
  { least = -Infinity, most = Infinity }: McpRequestField,
  amount: number,
  sentence: (limit: string) => string,
): string | undefined {
  if (amount < least) return sentence(`at least ${least}`);
  return amount > most ? sentence(`at most ${most}`) : undefined;
}

/** What was left empty is left out. */
export function contentOf(fields: readonly McpRequestField[], filled: Filled): Record<string, McpFieldValue> {
  return Object.fromEntries(
    fields.flatMap((field): [string, McpFieldValue][] => {
      const value = filled[field.name];
      if (typeof value === 'boolean') return [[field.name, value]];
      if (Array.isArray(value))
        return value.length === 0 && !field.required ? [] : [[field.name, [...(value as readonly string[])]]];
      const text = typeof value === 'string' ? value : '';
      if (text.trim() === '') return [];
      return [[field.name, field.type === 'number' || field.type === 'integer' ? Number(text.trim()) : text]];
    }),
  );
}

function isNumber(text: string): boolean {
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) && Number.isFinite(Number(text));
}
