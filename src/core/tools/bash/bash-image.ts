// An image that a command printed as a data URL, judged by its bytes: the API refuses a whole conversation for one that is none.
import { type ImageMediaType } from '../../wire/wire';
import { base64, fromBase64, imageKind, MAX_IMAGE_BYTES, MAX_IMAGE_SIDE } from '../read/read-image';

const dataUrl = /^data:image\/(?:png|jpeg|gif|webp);base64,([A-Za-z0-9+/=\r\n]+)$/;

/** Undefined where the output is anything else, or an image that is broken off or too large. */
export function printedImage(output: string): { mediaType: ImageMediaType; data: string } | undefined {
  const [, encoded] = dataUrl.exec(output.trim()) ?? [];
  const bytes = encoded === undefined ? undefined : fromBase64(encoded);
  if (bytes === undefined || bytes.length > MAX_IMAGE_BYTES) return undefined;
  const kind = imageKind(bytes);
  if (kind?.whole !== true || kind.dimensions === undefined) return undefined;
  const { width, height } = kind.dimensions;
  return Math.max(width, height) > MAX_IMAGE_SIDE
    ? undefined
    : { mediaType: kind.mediaType, data: base64(bytes.subarray(0, kind.length)) };
}
