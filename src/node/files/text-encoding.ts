// Bytes to text and back, without ever losing a character: what cannot be decoded exactly is refused.
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';

export type Decoded =
  { outcome: 'text'; text: string; encoding: NodeEncoding } | { outcome: 'binary' } | { outcome: 'unknown' };

/** The encodings that Node reads and writes, by VS Code's names. */
export type NodeEncoding = 'utf8' | 'utf8bom' | 'utf16le' | 'utf16be';

/** A file without a byte order mark counts as binary when its first bytes contain a NUL. */
const nulSearchBytes = 8192;
const loneSurrogate = /\p{Surrogate}/u;
/** The escapes that announce ISO-2022-JP, -KR and -CN: seven-bit, so they would pass as ASCII. */
const iso2022 = /\x1b(?:\$[@AB]|\$\([CD]|\$\)[ACEG])/;

/** `unknown` means text in an encoding that cannot be determined for sure. */
export function decodeText(bytes: Uint8Array): Decoded {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (startsWith(buffer, 0xef, 0xbb, 0xbf)) return decodeUtf8(buffer.subarray(3), 'utf8bom');
  if (startsWith(buffer, 0xff, 0xfe, 0, 0) || startsWith(buffer, 0, 0, 0xfe, 0xff)) return { outcome: 'unknown' };
  if (startsWith(buffer, 0xff, 0xfe)) return decodeUtf16(buffer.subarray(2), 'utf16le');
  if (startsWith(buffer, 0xfe, 0xff)) return decodeUtf16(buffer.subarray(2), 'utf16be');
  if (buffer.subarray(0, nulSearchBytes).includes(0)) return { outcome: 'binary' };
  const decoded = decodeUtf8(buffer, 'utf8');
  if (decoded.outcome === 'text') return iso2022.test(decoded.text) ? { outcome: 'unknown' } : decoded;
  return buffer.includes(0) ? { outcome: 'binary' } : decoded;
}

/** Undefined where the encoding is none of Node's, or the text holds half a surrogate pair, which no encoding can keep. */
export function encodeText(text: string, encoding: string): Buffer | undefined {
  if (loneSurrogate.test(text)) return undefined;
  switch (encoding) {
    case 'utf8':
      return Buffer.from(text, 'utf8');
    case 'utf8bom':
      return Buffer.from(`\uFEFF${text}`, 'utf8');
    case 'utf16le':
      return Buffer.from(`\uFEFF${text}`, 'utf16le');
    case 'utf16be':
      return Buffer.from(`\uFEFF${text}`, 'utf16le').swap16();
    default:
      return undefined;
  }
}

/** The hash that TextFile carries. */
export function contentHash(encoding: string, text: string): string {
  return createHash('sha1').update(encoding).update('\0').update(text, 'utf8').digest('hex');
}

function decodeUtf8(buffer: Buffer, encoding: 'utf8' | 'utf8bom'): Decoded {
  return isUtf8(buffer) ? { outcome: 'text', text: buffer.toString('utf8'), encoding } : { outcome: 'unknown' };
}

function decodeUtf16(buffer: Buffer, encoding: 'utf16le' | 'utf16be'): Decoded {
  if (buffer.length % 2 !== 0) return { outcome: 'unknown' };
  const text = encoding === 'utf16le' ? buffer.toString('utf16le') : Buffer.from(buffer).swap16().toString('utf16le');
  return loneSurrogate.test(text) ? { outcome: 'unknown' } : { outcome: 'text', text, encoding };
}

function startsWith(buffer: Buffer, ...mark: number[]): boolean {
  return buffer.length >= mark.length && mark.every((byte, index) => buffer[index] === byte);
}
