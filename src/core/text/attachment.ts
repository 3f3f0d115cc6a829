// Writes content that the user did not type so that it cannot pass for their words, nor for Deft's.

/** `body` is shown between tags that it cannot close; `attributes` stand in the opening tag. */
export function attachment(attributes: Readonly<Record<string, string>>, body: string): string {
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`);
  return `<attachment${written.join('')}>\n${neutralise(body)}\n</attachment>`;
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

/** Tags that would end the attachment or speak for Deft get a visible backslash. */
function neutralise(body: string): string {
  return body.replace(/<(?=\s*\/\s*attachment|\s*\/?\s*system-reminder)/gi, '<\\');
}
