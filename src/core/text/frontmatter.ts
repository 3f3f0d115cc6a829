// The YAML at the head of a Markdown file of agents, skills and commands: its fields, read as users write them, and the text below.
import { parse } from 'yaml';

export interface Frontmatter {
  /** Empty where the file has none, or where it cannot be read. */
  fields: Readonly<Record<string, unknown>>;
  /** What follows it, as it is in the file. */
  body: string;
  /** A sentence: why the fields could not be read. */
  problem?: string;
}

const fence = /^---[ \t]*$/;

export function readFrontmatter(text: string): Frontmatter {
  const whole = text.replace(/^\uFEFF/, '');
  const lines = whole.split(/\r\n|\n|\r/);
  if (!fence.test(lines[0] ?? '')) return { fields: {}, body: whole };
  const end = lines.findIndex((line, index) => index > 0 && fence.test(line));
  if (end === -1)
    return {
      fields: {},
      body: '',
      problem: 'The front matter that begins with --- in the first line has no closing ---.',
    };
  const head = lines.slice(1, end);
  const body = lines.slice(end + 1).join('\n');
  const read = readYaml(head.join('\n'));
  if ('fields' in read) return { ...read, body };
  // "description: Use it so: …" and "argument-hint: [file] [line]" are no YAML, and often written.
  const again = readYaml(head.map(quoted).join('\n'));
  return 'fields' in again ? { ...again, body } : { fields: {}, body, problem: read.problem };
}

function readYaml(text: string): { fields: Record<string, unknown> } | { problem: string } {
  try {
    const value: unknown = parse(text, { logLevel: 'error' });
    if (value === null || value === undefined) return { fields: {} };
    if (typeof value !== 'object' || Array.isArray(value))
      return { problem: 'The front matter has no fields of the form "name: value".' };
    return { fields: { ...value } };
  } catch (error) {
    const [first = ''] = String(error instanceof Error ? error.message : error).split('\n');
    return { problem: `Its front matter is not valid YAML: ${first.replace(/:$/, '.')}` };
  }
}

/** Fields that hold nothing but words, whatever these begin with. */
const wordFields: readonly string[] = ['description', 'when_to_use', 'argument-hint'];

/** A plain value of a field as one text, whatever is in it; one of words, or a lone star, also where YAML sees more in it. */
function quoted(line: string, index: number, lines: readonly string[]): string {
  const [, name, value = ''] = /^([A-Za-z][\w-]*):[ \t]+(\S.*?)[ \t]*$/.exec(line) ?? [];
  if (name === undefined) return line;
  const isPlain = /^[^"'[{|>&*#]/.test(value) && /:\s|\s#|:$/.test(value);
  const isWords = (wordFields.includes(name) && !/^[ \t]/.test(lines[index + 1] ?? '')) || value === '*';
  return isPlain || (isWords && 'problem' in readYaml(line)) ? `${name}: ${JSON.stringify(value)}` : line;
}

/** Undefined where it is missing or no text; a number or truth value counts as what is written. */
export function textField(fields: Frontmatter['fields'], name: string): string | undefined {
  const value = fields[name];
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** true, yes, on, 1 and their opposites; undefined for anything else. */
export function booleanField(fields: Frontmatter['fields'], name: string): boolean | undefined {
  const word = textField(fields, name)?.toLowerCase();
  if (word === undefined) return undefined;
  if (['true', 'yes', 'on', '1'].includes(word)) return true;
  return ['false', 'no', 'off', '0'].includes(word) ? false : undefined;
}

export function numberField(fields: Frontmatter['fields'], name: string): number | undefined {
  const text = textField(fields, name);
  const number = Number(text);
  return text === undefined || !Number.isFinite(number) ? undefined : number;
}

/** A list, or a text such as "Read, Bash(git log *)": commas inside brackets part nothing. Undefined where the field is missing. */
export function listField(fields: Frontmatter['fields'], name: string): string[] | undefined {
  const value = fields[name];
  if (Array.isArray(value))
    return value
      .flatMap((item: unknown) => (typeof item === 'string' || typeof item === 'number' ? [String(item).trim()] : []))
      .filter((item) => item !== '');
  if (value === null && name in fields) return [];
  const text = textField(fields, name);
  return text === undefined ? (name in fields ? [] : undefined) : splitOutsideBrackets(text);
}

function splitOutsideBrackets(text: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const character of text) {
    if (character === '(') depth++;
    if (character === ')') depth = Math.max(0, depth - 1);
    if (character === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}
