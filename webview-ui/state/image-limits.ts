// Which images can be sent, and how far large ones are scaled down.

/** Models scale down what is longer anyway. */
export const MAX_SIDE = 1_568;
/** Bytes of the encoded image; base64 adds a third. */
export const MAX_BYTES = 3_500_000;
export const MAX_IMAGES = 20;
/** Base64 of all images of a message: a request of the API takes 32 MB, and the conversation needs room too. */
export const MAX_IMAGES_LENGTH = 20_000_000;
/** Bytes of a file that is opened to be scaled down. */
export const MAX_SOURCE_BYTES = 200 * 1024 * 1024;

export interface Size {
  width: number;
  height: number;
}

/** By its first bytes, since names lie and the API compares: undefined for what has to be converted, if it is a picture at all. */
export function imageTypeOf(start: Uint8Array): string | undefined {
  const text = String.fromCharCode(...start.subarray(0, 12));
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (text.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (text.startsWith('GIF8')) return 'image/gif';
  return text.startsWith('RIFF') && text.slice(8) === 'WEBP' ? 'image/webp' : undefined;
}

/** How many of them, from the first on, one message can have. */
export function fittingImages(images: readonly { data: string }[]): number {
  let length = 0;
  const over = images.findIndex(({ data }, index) => {
    length += data.length;
    return index >= MAX_IMAGES || length > MAX_IMAGES_LENGTH;
  });
  return over === -1 ? images.length : over;
}

/** The size to draw it in, or undefined where it can be sent as it is. */
export function scaledSize(size: Size, bytes: number): Size | undefined {
  const longest = Math.max(size.width, size.height);
  if (longest <= MAX_SIDE && bytes <= MAX_BYTES) return undefined;
  const factor = Math.min(1, MAX_SIDE / longest);
  return {
    width: Math.max(1, Math.round(size.width * factor)),
    height: Math.max(1, Math.round(size.height * factor)),
  };
}

/** The format to encode a scaled image in: one that keeps sharp edges for drawings, a small one for the rest. */
export function scaledType(type: string, attempt: number): { type: string; quality?: number } {
  if (attempt === 0 && type !== 'image/jpeg') return { type: 'image/png' };
  return { type: 'image/jpeg', quality: Math.max(0.4, 0.9 - attempt * 0.15) };
}
