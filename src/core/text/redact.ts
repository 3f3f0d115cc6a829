// Takes known credentials and control characters out of text and values.
import { type ToolResultBlock } from '../wire/wire';
import { mapTexts } from './map-texts';

/** Shorter values would also blot out ordinary words. */
export const shortestSecret = 12;

export const replacement = '[redacted]';

/** The text with every known secret replaced. */
export function redactText(text: string, secrets: readonly string[]): string {
  return usable(secrets).reduce((result, secret) => result.replaceAll(secret, replacement), text);
}

/** A copy with every text in it redacted, keys included; what holds no secret is returned as it is. */
export function redactValue(value: unknown, secrets: readonly string[]): unknown {
  const known = usable(secrets);
  return known.length === 0 ? value : mapTexts(value, (text) => redactText(text, known));
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

/** Longest first: one secret may contain another. */
export function usable(secrets: readonly string[]): string[] {
  return secrets.filter(({ length }) => length >= shortestSecret).sort((a, b) => b.length - a.length);
}

export function cleanText(text: string, secrets: readonly string[]): string {
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
