// The YAML at the head of a Markdown file of agents, skills and commands: its fields, read as users write them, and the text below.
import { parse } from 'yaml';
import { plainFields } from './plain-yaml';

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
  const plain = plainFields(head);
  if (plain !== undefined) return { fields: plain, body };
  const read = readYaml(head.join('\n'));
  if ('fields' in read) return { ...read, body };
  // "description: Use it so: …" and "argument-hint: [file] [line]" are no YAML, and often written.
  const again = readYaml(head.map(quoted).join('\n'));
  if ('fields' in again) return { ...again, body };
  const fields = readFields(head);
  return fields === undefined ? { fields: {}, body, problem: read.problem } : { fields, body };
}

/** One field after the other, each as YAML if it is any, else as the text that is there. Undefined where a field that cannot be text is broken. */
function readFields(head: readonly string[]): Record<string, unknown> | undefined {
  const fields: Record<string, unknown> = {};
  for (const block of fieldBlocks(head)) {
    const [, name = '', first = ''] = fieldStart.exec(block[0] ?? '') ?? [];
    if (name === '') return undefined;
    const plain = block.map((line) => line.replace(/^\t+/, (tabs) => '  '.repeat(tabs.length)));
    const read = [plain, plain.map(quoted)]
      .map((lines) => readYaml(lines.join('\n')))
      .find((one): one is { fields: Record<string, unknown> } => 'fields' in one && name in one.fields);
    if (read !== undefined) Object.assign(fields, read.fields);
    else if (structured.includes(name) || (/^[[{&!|>]/.test(first) && !wordFields.includes(name))) return undefined;
    else fields[name] = unquoted([first, ...block.slice(1)].join('\n').trim());
  }
  return fields;
}

const fieldStart = /^([A-Za-z][\w-]*):(?:[ \t]+(.*?))?[ \t]*$/;
/** What runs or allows something is taken as it was meant, or not at all. */
const structured: readonly string[] = [
  'hooks',
  'mcpServers',
  'tools',
  'disallowedTools',
  'allowed-tools',
  'disallowed-tools',
  'permissionMode',
];

/** A description goes on until the next field: its examples have lines such as "user: …" and "Context: …". */
function fieldBlocks(head: readonly string[], tagged = true): string[][] {
  const blocks: string[][] = [];
  let open = 0;
  for (const line of head) {
    const name = open === 0 ? fieldStart.exec(line)?.[1] : undefined;
    const isField = name !== undefined && /^[a-z]/.test(name) && !speakers.includes(name);
    if (isField || (blocks.length === 0 && line.trim() !== '' && !line.startsWith('#'))) blocks.push([line]);
    else blocks.at(-1)?.push(line);
    for (const [, closes] of tagged ? line.matchAll(/<(\/?)(?:example|commentary)s?>/g) : [])
      open = Math.max(0, open + (closes === '/' ? -1 : 1));
  }
  // A tag that is only mentioned must not take the fields behind it away.
  return open === 0 ? blocks : fieldBlocks(head, false);
}

const speakers: readonly string[] = ['user', 'assistant'];

function unquoted(text: string): string {
  return /^"[^]*"$|^'[^]*'$/.test(text) && text.length > 1 ? text.slice(1, -1) : text;
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
