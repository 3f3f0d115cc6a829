// An image that a command printed as a data URL, judged by its bytes: the API refuses a whole conversation for one that is none.
import { type ImageMediaType } from '../model/wire';
import { base64, imageKind, MAX_IMAGE_BYTES, MAX_IMAGE_SIDE } from './read-image';

const dataUrl = /^data:image\/(?:png|jpeg|gif|webp);base64,([A-Za-z0-9+/=\r\n]+)$/;

/** Undefined where the output is anything else, or an image that is broken off or too large. */
export function printedImage(output: string): { mediaType: ImageMediaType; data: string } | undefined {
  const [, encoded] = dataUrl.exec(output.trim()) ?? [];
  const bytes = encoded === undefined ? undefined : decoded(encoded);
  if (bytes === undefined || bytes.length > MAX_IMAGE_BYTES) return undefined;
  const kind = imageKind(bytes);
  if (kind?.whole !== true || kind.dimensions === undefined) return undefined;
  const { width, height } = kind.dimensions;
  return Math.max(width, height) > MAX_IMAGE_SIDE ? undefined : { mediaType: kind.mediaType, data: base64(bytes.subarray(0, kind.length)) };
}

function decoded(encoded: string): Uint8Array | undefined {
  try {
    const text = atob(encoded);
    const bytes = new Uint8Array(text.length);
    for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index);
    return bytes;
  } catch {
    return undefined;
  }
}
