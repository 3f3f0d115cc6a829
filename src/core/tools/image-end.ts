// Where an image ends in its file: cameras, phones and editors put data of their own behind the end mark.

/** Bytes from the start to behind the last chunk; false where that breaks off, undefined where no chunks lead there. */
export function pngEnd(bytes: Uint8Array): number | false | undefined {
  for (let at = 8; at + 8 <= bytes.length;) {
    const next = at + 12 + uint(bytes, at, 4);
    if (uint(bytes, at + 4, 4) === IEND) return next <= bytes.length && next;
    at = next;
  }
  return undefined;
}

/** The same for the segments of a JPEG; false where the pixels break off: an end mark is then that of a preview. */
export function jpegEnd(bytes: Uint8Array): number | false | undefined {
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
