// What kind of thing a server sent, and its text in the right encoding.

export type PageKind = 'html' | 'text' | 'pdf' | 'binary';

/** By its content type; where that says nothing, by its first bytes. */
export function kindOf(contentType: string | undefined, bytes: Uint8Array): PageKind {
  const type = (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const start = latin1(bytes.subarray(0, 1_024)).trimStart();
  if (type === 'application/pdf' || start.startsWith('%PDF-')) return 'pdf';
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html';
  const known = type !== '' && type !== 'application/octet-stream' && type !== 'binary/octet-stream';
  if (known && !isText(type)) return 'binary';
  if (hasNul(bytes) && utf16Of(bytes, contentType) === undefined) return 'binary';
  return !known && /^(?:<!doctype html|<html)/i.test(start) ? 'html' : 'text';
}

function isText(type: string): boolean {
  return /^text\/|^application\/(?:(?:x-)?(?:json|ndjson|javascript|ecmascript|typescript|xml|yaml|toml|sh|sql|graphql)|[\w.-]+\+(?:json|xml|yaml))$|^image\/svg\+xml$/.test(
    type,
  );
}

/** An encoding that is unknown reads as UTF-8; bytes that fit none become question marks. */
export function decodePage(bytes: Uint8Array, contentType: string | undefined, kind: PageKind): string {
  const named =
    charsetOf(contentType) ??
    (kind === 'html' ? charsetOf(/<meta[^>]+charset[^>]*>/i.exec(latin1(bytes.subarray(0, 2_048)))?.[0]) : undefined);
  return decoderFor(utf16Of(bytes, contentType) ?? named ?? 'utf-8').decode(bytes);
}

function decoderFor(encoding: string): TextDecoder {
  try {
    return new TextDecoder(encoding);
  } catch {
    return new TextDecoder('utf-8');
  }
}

function charsetOf(text: string | undefined): string | undefined {
  return /charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(text ?? '')?.[1];
}

function utf16Of(bytes: Uint8Array, contentType: string | undefined): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const named = charsetOf(contentType)?.toLowerCase();
  return named?.startsWith('utf-16') === true ? named : undefined;
}

function hasNul(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 8_192).includes(0);
}

function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}
