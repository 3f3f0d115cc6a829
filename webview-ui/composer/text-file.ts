// A text file of the system, as a block of the message: pages learn no paths, so there is nothing to mention.
import { fenced } from '../../src/shared/plain-markdown';
import { sizeText } from '../tools/tool-words';

/** What still is a message that can be read over. */
const MAX_TEXT_BYTES = 100_000;

export type FileBlock = { outcome: 'read'; text: string } | { outcome: 'refused'; message: string };

export async function fileBlock(file: Blob, name: string): Promise<FileBlock> {
  const refused = (why: string): FileBlock => ({
    outcome: 'refused',
    message: `${name} ${why}. Copy it into the workspace and mention it with @.`,
  });
  if (file.size > MAX_TEXT_BYTES)
    return refused(`is too large for a message (${sizeText(file.size)}, ${sizeText(MAX_TEXT_BYTES)} fit)`);
  let bytes: ArrayBuffer;
  try {
    bytes = await file.arrayBuffer();
  } catch {
    return { outcome: 'refused', message: `${name} could not be read.` };
  }
  const text = decoded(bytes);
  return text === undefined
    ? refused('is neither text nor a picture')
    : { outcome: 'read', text: textBlock(name, text) };
}

/** UTF-8 with or without a mark, or UTF-16 with one; undefined for what is no text. */
export function decoded(bytes: ArrayBuffer): string | undefined {
  const [first, second] = new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength));
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

/** On lines of its own. */
export function textBlock(name: string, text: string): string {
  return `\n${name}:\n${fenced(text.replace(/\r\n?/g, '\n'))}\n`;
}
