// An image that a command printed as a data URL.
import { type ImageMediaType } from '../../wire/wire';
import { shownImage } from '../read/read-image';

const dataUrl = /^data:image\/(?:png|jpeg|gif|webp);base64,([A-Za-z0-9+/=\r\n]+)$/;

/** Undefined where the output is anything else, or an image that is broken off or too large. */
export function printedImage(output: string): { mediaType: ImageMediaType; data: string } | undefined {
  const [, encoded] = dataUrl.exec(output.trim()) ?? [];
  return encoded === undefined ? undefined : shownImage(encoded);
}
