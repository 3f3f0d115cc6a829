// Takes known credentials and control characters out of what tools return, before anything keeps or shows it.
import { type ToolResultBlock, type UserBlock } from '../wire/wire';
import { type ToolView } from '../../shared/tool-view';
import { type ToolProgress } from '../tool/tool';
import { type ExecutedCall } from '../calls/tool-call';

/** Shorter values would also blot out ordinary words. */
export const shortestSecret = 12;
const replacement = '[redacted]';

/** The text with every known secret replaced. */
export function redactText(text: string, secrets: readonly string[]): string {
  return usable(secrets).reduce((result, secret) => result.replaceAll(secret, replacement), text);
}

/** A copy with every text in it redacted, keys included; what holds no secret is returned as it is. */
export function redactValue(value: unknown, secrets: readonly string[]): unknown {
  const known = usable(secrets);
  return known.length === 0 ? value : redactDeep(value, known);
}

/** Redacts text parts and writes control characters out; images stay as they are. */
export function redactBlock(block: ToolResultBlock, secrets: readonly string[]): ToolResultBlock {
  const { content } = block;
  if (typeof content === 'string') return { ...block, content: cleanText(content, secrets) };
  return {
    ...block,
    content: content.map((part) => (part.type === 'text' ? { ...part, text: cleanText(part.text, secrets) } : part)),
  };
}

/** The block, the structured output and the texts behind it. */
export function redactResult(result: ExecutedCall, secrets: readonly string[]): ExecutedCall {
  const { structured } = result;
  return {
    ...result,
    block: redactBlock(result.block, secrets),
    structured: typeof structured === 'string' ? cleanText(structured, secrets) : redactValue(structured, secrets),
    newMessages: result.newMessages.map((block): UserBlock => {
      if (block.type === 'text') return { ...block, text: cleanText(block.text, secrets) };
      return block.type === 'tool_result' ? redactBlock(block, secrets) : block;
    }),
  };
}

/** Progress shows a moving part of the output: a secret that its edges cut is taken out too. */
export function redactProgress(progress: ToolProgress, secrets: readonly string[]): ToolProgress {
  if (progress.kind === 'text') return { ...progress, text: redactText(progress.text, secrets) };
  if (progress.kind === 'view')
    return {
      ...progress,
      text: redactText(progress.text, secrets),
      view: redactValue(progress.view, secrets) as ToolView,
    };
  return {
    ...progress,
    progress: { ...progress.progress, tail: redactEdges(redactText(progress.progress.tail, secrets), secrets) },
  };
}

/** Characters of a secret at an edge that give it away. */
const shortestPart = 8;

function redactEdges(text: string, secrets: readonly string[]): string {
  let result = text;
  for (const secret of usable(secrets)) {
    const lengths = Array.from({ length: secret.length - shortestPart }, (_, index) => secret.length - 1 - index);
    const head = lengths.find((length) => result.startsWith(secret.slice(-length)));
    if (head !== undefined) result = replacement + result.slice(head);
    const tail = lengths.find((length) => result.endsWith(secret.slice(0, length)));
    if (tail !== undefined) result = result.slice(0, -tail) + replacement;
  }
  return result;
}

/** Longest first: one secret may contain another. */
function usable(secrets: readonly string[]): string[] {
  return secrets.filter(({ length }) => length >= shortestSecret).sort((a, b) => b.length - a.length);
}

function redactDeep(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') return redactText(value, secrets);
  if (Array.isArray(value)) {
    const items = value.map((item) => redactDeep(item, secrets));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isPlainObject(value)) return value;
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => [
    redactText(key, secrets),
    redactDeep(item, secrets),
  ]);
  return entries.some(([key, item]) => !(key in value) || item !== value[key]) ? Object.fromEntries(entries) : value;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function cleanText(text: string, secrets: readonly string[]): string {
  return escapeControls(redactText(text, secrets));
}

/** All below the space except tab, line feed, carriage return and escape, which begins colours. */
const control = /[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f]/;
const controls = new RegExp(control, 'g');

/** Written out as `\x00`. */
function escapeControls(text: string): string {
  if (!control.test(text)) return text;
  return text.replace(controls, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
