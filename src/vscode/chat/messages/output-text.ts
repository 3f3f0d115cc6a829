// What the chat shows of a command's output file, which holds what the command printed, byte by byte.
import { redactText, type Secrets } from '../../../core/text/redact';
import { tailOf } from '../../../shared/cut-text';

/** Characters that the chat shows on request. */
const maxOutputChars = 200_000;

/** The end of it, free of credentials: they are taken out before it is cut, since half a secret would not be recognised. */
export function outputText(bytes: Uint8Array, secrets: Secrets): { text: string; truncated: boolean } {
  const text = redactText(new TextDecoder().decode(bytes), secrets);
  return { text: tailOf(text, maxOutputChars), truncated: text.length > maxOutputChars };
}
