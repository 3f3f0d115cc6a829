// Which images can be sent, and how far large ones are scaled down.

export const IMAGE_TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** Models scale down what is longer anyway. */
export const MAX_SIDE = 1_568;
/** Bytes of the encoded image; base64 adds a third. */
export const MAX_BYTES = 3_500_000;
export const MAX_IMAGES = 20;

export interface Size {
  width: number;
  height: number;
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
