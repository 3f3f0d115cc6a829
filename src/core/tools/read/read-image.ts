// Images by their content: which kind, how large, and as base64.
import { type ImageMediaType } from '../../wire/wire';

/** Bytes; in base64 that is the 5 MB that the API takes. */
export const MAX_IMAGE_BYTES = 3.75 * 1024 * 1024;
/** Pixels on either side that the API takes. */
export const MAX_IMAGE_SIDE = 8_000;

export interface ImageKind {
  mediaType: ImageMediaType;
  /** Undefined where the header is cut or odd. */
  dimensions?: { width: number; height: number };
  /** The end mark is there too: a download or a write that broke off leaves none, and the API refuses such an image. */
  whole: boolean;
  /** Bytes of the image without what follows its end mark, where that could be found. */
  length: number;
}

/** Undefined for everything that is not PNG, JPEG, GIF or WebP by its first bytes. */
export function imageKind(bytes: Uint8Array): ImageKind | undefined {
  if (startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))
    return kind(bytes, 'image/png', pngSize(bytes), pngEnd(bytes) ?? endsNear(bytes, [0x49, 0x45, 0x4e, 0x44]));
  if (startsWith(bytes, [0xff, 0xd8, 0xff]))
    return kind(bytes, 'image/jpeg', jpegSize(bytes), jpegEnd(bytes) ?? endsNear(bytes, [0xff, 0xd9]));
  if (ascii(bytes, 0, 4) === 'GIF8') return kind(bytes, 'image/gif', gifSize(bytes), endsInTrailer(bytes));
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 4) === 'WEBP') {
    return kind(bytes, 'image/webp', webpSize(bytes), little(bytes, 4, 4) + 8 <= bytes.length);
  }
  return undefined;
}

export function hasImageExtension(path: string): boolean {
  return /\.(png|jpe?g|gif|webp)$/i.test(path);
}

export function base64(bytes: Uint8Array): string {
  const parts: string[] = [];
  // In pieces: a function call takes a limited number of arguments.
  for (let start = 0; start < bytes.length; start += 8_192) {
    parts.push(String.fromCharCode(...bytes.subarray(start, start + 8_192)));
  }
  return btoa(parts.join(''));
}

/** Base64 of an image that can be sent, judged by its bytes: the API refuses a whole conversation for one that is none. */
export function shownImage(
  encoded: string,
): { mediaType: ImageMediaType; data: string; bytes: number; dimensions: Size } | undefined {
  const bytes = fromBase64(encoded);
  if (bytes === undefined || bytes.length > MAX_IMAGE_BYTES) return undefined;
  const kind = imageKind(bytes);
  if (kind?.whole !== true || kind.dimensions === undefined) return undefined;
  const { width, height } = kind.dimensions;
  if (Math.max(width, height) > MAX_IMAGE_SIDE) return undefined;
  const { mediaType, dimensions, length } = kind;
  return { mediaType, data: base64(bytes.subarray(0, length)), bytes: bytes.length, dimensions };
}

interface Size {
  width: number;
  height: number;
}

/** `end`: where the image ends, or only whether an end mark was seen. */
function kind(bytes: Uint8Array, mediaType: ImageMediaType, size: Size | undefined, end: number | boolean): ImageKind {
  const found = { mediaType, whole: end !== false, length: typeof end === 'number' ? end : bytes.length };
  return size && size.width > 0 && size.height > 0 ? { ...found, dimensions: size } : found;
}

/** Where an odd header hides the way to the end mark, it is looked for in this many last bytes. */
const MAX_BEHIND_END = 4_096;

function endsNear(bytes: Uint8Array, mark: readonly number[]): boolean {
  for (let at = bytes.length - mark.length; at >= 0 && at >= bytes.length - mark.length - MAX_BEHIND_END; at--) {
    if (mark.every((byte, index) => bytes[at + index] === byte)) return true;
  }
  return false;
}

/** GIF: a semicolon, perhaps with zeros after it. */
function endsInTrailer(bytes: Uint8Array): boolean {
  return bytes[bytes.findLastIndex((byte) => byte !== 0)] === 0x3b;
}

function gifSize(bytes: Uint8Array): Size {
  return { width: little(bytes, 6, 2), height: little(bytes, 8, 2) };
}

function pngSize(bytes: Uint8Array): Size | undefined {
  return ascii(bytes, 12, 4) === 'IHDR' ? { width: uint(bytes, 16, 4), height: uint(bytes, 20, 4) } : undefined;
}

/** Walks the segments up to the frame header, which holds the size. */
function jpegSize(bytes: Uint8Array): Size | undefined {
  let at = 2;
  while (at + 9 < bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: uint(bytes, at + 5, 2), width: uint(bytes, at + 7, 2) };
    const standsAlone = marker === 0xff || (marker >= 0xd0 && marker <= 0xd7) || marker === 0x01;
    at += marker === 0xff ? 1 : standsAlone ? 2 : 2 + Math.max(2, uint(bytes, at + 2, 2));
  }
  return undefined;
}

function webpSize(bytes: Uint8Array): Size | undefined {
  switch (ascii(bytes, 12, 4)) {
    case 'VP8X':
      return { width: little(bytes, 24, 3) + 1, height: little(bytes, 27, 3) + 1 };
    case 'VP8L': {
      const bits = little(bytes, 21, 4);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8 ':
      return { width: little(bytes, 26, 2) & 0x3fff, height: little(bytes, 28, 2) & 0x3fff };
    default:
      return undefined;
  }
}

function startsWith(bytes: Uint8Array, signature: number[]): boolean {
  return signature.every((byte, index) => bytes[index] === byte);
}

function ascii(bytes: Uint8Array, start: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(start, start + length));
}

function little(bytes: Uint8Array, start: number, length: number): number {
  let value = 0;
  for (let index = length - 1; index >= 0; index--) value = value * 256 + (bytes[start + index] ?? 0);
  return value;
}

/** What base64 stands for; undefined where it is none. */
export function fromBase64(data: string): Uint8Array | undefined {
  try {
    const text = atob(data);
    const bytes = new Uint8Array(text.length);
    // Not by an iterator over the text: that takes a hundred times as long, while the host waits.
    for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index);
    return bytes;
  } catch {
    return undefined;
  }
}

/**
 * Where the image ends in its file: cameras, phones and editors put data of their own after the end mark. Bytes from the
 * start to the end of the last chunk; false where that breaks off, undefined where no chunks lead there.
 */
function pngEnd(bytes: Uint8Array): number | false | undefined {
  for (let at = 8; at + 8 <= bytes.length;) {
    const next = at + 12 + uint(bytes, at, 4);
    if (uint(bytes, at + 4, 4) === IEND) return next <= bytes.length && next;
    at = next;
  }
  return undefined;
}

/** The same for the segments of a JPEG; false where the pixels break off: an end mark is then that of a preview. */
function jpegEnd(bytes: Uint8Array): number | false | undefined {
  for (let at = 2; at + 2 <= bytes.length;) {
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff || marker === 0) return undefined;
    if (marker === 0xd9) return at + 2;
    if (marker === 0xff) at += 1;
    else if (standsAlone(marker)) at += 2;
    else {
      at += 2 + Math.max(2, uint(bytes, at + 2, 2));
      if (marker !== 0xda) continue;
      at = behindPixels(bytes, at);
      if (at === bytes.length) return false;
    }
  }
  return undefined;
}

/** At the next marker: among the pixels, 0xff stands only before a zero or a restart. */
function behindPixels(bytes: Uint8Array, start: number): number {
  for (let at = start; at + 1 < bytes.length; at++) {
    const next = bytes[at + 1] ?? 0;
    if (bytes[at] === 0xff && next !== 0 && next !== 0xff && !standsAlone(next)) return at;
  }
  return bytes.length;
}

function standsAlone(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);
}

const IEND = 0x49454e44;

function uint(bytes: Uint8Array, start: number, length: number): number {
  let value = 0;
  for (let index = 0; index < length; index++) value = value * 256 + (bytes[start + index] ?? 0);
  return value;
}
