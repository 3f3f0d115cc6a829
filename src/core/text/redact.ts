// Takes known secrets and control characters out of text and values.
import { escapedPattern } from '../../shared/escaped-pattern';
import { type ToolResultBlock } from '../wire/wire';
import { mapTexts } from './map-texts';
import { createSecretFinder, type FoundSecret, type SecretFinder } from './find-secrets';
import { type NamedSecret } from './secret-variables';

/** What may not be shown: a value alone, or that of a variable, whose name then stands in its place. */
export type Secrets = readonly (string | NamedSecret)[];

/** Shorter values would also blot out ordinary words. */
const shortestSecret = 12;

const replacement = '[redacted]';

/** The text with every known secret replaced. */
export function redactText(text: string, secrets: Secrets): string {
  return redactBy(redactorOf(secrets), text);
}

/** The same for a part of a longer text: a secret that an edge of it cuts is taken out too. */
export function redactPart(text: string, secrets: Secrets): string {
  const redactor = redactorOf(secrets);
  const whole = redactBy(redactor, text);
  return replaced(whole, redactor.finder.findCut(whole));
}

/** A copy with every text in it redacted, keys included; what holds no secret is returned as it is. */
export function redactValue(value: unknown, secrets: Secrets): unknown {
  if (secrets.length === 0) return value;
  const redactor = redactorOf(secrets);
  return mapTexts(value, (text) => redactBy(redactor, text));
}

/** Redacts text parts and writes control characters out; images stay as they are. */
export function redactBlock(block: ToolResultBlock, secrets: Secrets): ToolResultBlock {
  const { content } = block;
  if (typeof content === 'string') return { ...block, content: cleanText(content, secrets) };
  return {
    ...block,
    content: content.map((part) => (part.type === 'text' ? { ...part, text: cleanText(part.text, secrets) } : part)),
  };
}

export function cleanText(text: string, secrets: Secrets): string {
  return escapeControls(redactText(text, secrets));
}

/** Names of the variables whose values are hidden in the text. */
export function hiddenNames(text: string, secrets: Secrets): string[] {
  if (!text.includes(hidden)) return [];
  const names = new Set(secrets.flatMap((secret) => (typeof secret === 'string' ? [] : [secret.name])));
  return [...names].filter((name) => text.includes(markOf(name)));
}

const hidden = ': hidden by Deft]';

function markOf(name: string): string {
  return `[${name}${hidden}`;
}

/** Whatever stands in texts for a secret. */
export const marks = /\[redacted\]|\[[^\][\n]{1,200}: hidden by Deft\]/g;

interface Redactor {
  finder: SecretFinder;
  /** Hidden only behind the name. */
  beside: readonly { name: string; pattern: RegExp }[];
}

/** The same secrets come with every call, in a list of its own each time. */
let last: { secrets: Secrets; redactor: Redactor } | undefined;

function redactorOf(secrets: Secrets): Redactor {
  if (last !== undefined && sameSecrets(last.secrets, secrets)) return last.redactor;
  const redactor = createRedactor(secrets);
  last = { secrets: [...secrets], redactor };
  return redactor;
}

function sameSecrets(one: Secrets, other: Secrets): boolean {
  return one.length === other.length && one.every((secret, index) => sameSecret(secret, other[index]));
}

function sameSecret(one: string | NamedSecret, other: string | NamedSecret | undefined): boolean {
  if (one === other) return true;
  if (typeof one === 'string' || typeof other !== 'object') return false;
  return one.name === other.name && one.value === other.value && one.besideName === other.besideName;
}

function createRedactor(secrets: Secrets): Redactor {
  const everywhere = secrets.flatMap((secret) => {
    if (typeof secret !== 'string')
      return secret.besideName ? [] : [{ value: secret.value, mark: markOf(secret.name) }];
    return secret.length < shortestSecret ? [] : [{ value: secret, mark: replacement }];
  });
  const beside = secrets.flatMap((secret) =>
    typeof secret === 'string' || !secret.besideName
      ? []
      : [{ name: secret.name, pattern: besidePattern(secret.name, secret.value) }],
  );
  return { finder: createSecretFinder(everywhere), beside };
}

/** `NAME=value`, `declare -x NAME="value"`, `"NAME": "value"`, `NAME => value`, `b'NAME': b'value'`. */
function besidePattern(name: string, value: string): RegExp {
  const values = [value, JSON.stringify(value).slice(1, -1)].map(escapedPattern).join('|');
  return new RegExp(
    `(?<=${escapedPattern(name)}(?:\\\\?["']?\\s{0,8}(?:=>|[=:])\\s{0,8}[$b]?\\\\?["']?|\\s{1,80}))(?:${values})(?!\\w)`,
    'g',
  );
}

function redactBy({ finder, beside }: Redactor, text: string): string {
  let result = replaced(text, finder.find(text));
  for (const { name, pattern } of beside)
    if (result.includes(name)) result = result.replace(pattern, () => markOf(name));
  return result;
}

function replaced(text: string, found: readonly FoundSecret[]): string {
  if (found.length === 0) return text;
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, mark } of found) {
    parts.push(text.slice(at, start), mark);
    at = end;
  }
  return parts.join('') + text.slice(at);
}

/** All below the space except tab, line feed, carriage return and escape, which begins colours. */
const control = /[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f]/;

const controls = new RegExp(control, 'g');

/** Written out as `\x00`. */
function escapeControls(text: string): string {
  if (!control.test(text)) return text;
  return text.replace(controls, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
