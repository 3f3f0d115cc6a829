// Writes content that the user did not type so that it cannot pass for their words, nor for Deft's.
import { neutralText } from './system-reminder';

/** `body` is shown between tags that it cannot close; `attributes` are in the opening tag. */
export function attachment(attributes: Readonly<Record<string, string>>, body: string): string {
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`);
  return `<attachment${written.join('')}>\n${neutralText(body, 'attachment')}\n</attachment>`;
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '"': '&quot;',
  '<': '&lt;',
  '>': '&gt;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/** For a path in an attribute or in a sentence of Deft's own: one line without tags. */
export function escapeAttribute(text: string): string {
  return text.replace(/[&"<>\n\r]/g, (character) => escapes[character] ?? character);
}
