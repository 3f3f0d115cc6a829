// Reads a picture that was pasted, dropped or picked, and scales it down where it is too large to send.
import { type ComposerImage } from '../../src/shared/written-message';
import { imageTypeOf, MAX_BYTES, MAX_SOURCE_BYTES, scaledSize, scaledType, type Size } from '../state/image-limits';
import { sizeText } from '../tools/tool-words';

export type ReadImage = { outcome: 'read'; image: ComposerImage } | { outcome: 'refused'; message: string };

const MAX_ATTEMPTS = 4;
const PIECE = 1 << 20;

export async function readImage(file: Blob, name: string): Promise<ReadImage> {
  const refused = (why: string): ReadImage => ({ outcome: 'refused', message: `${name} ${why}` });
  if (file.size > MAX_SOURCE_BYTES)
    return refused(`is too large (${sizeText(file.size)}): pictures can have ${sizeText(MAX_SOURCE_BYTES)} at most.`);
  let bitmap: ImageBitmap;
  try {
    bitmap = await createImageBitmap(file);
  } catch {
    return refused('cannot be shown here: save it as PNG or JPEG.');
  }
  try {
    const type = imageTypeOf(new Uint8Array(await file.slice(0, 12).arrayBuffer()));
    const size = scaledSize(bitmap, file.size);
    if (type !== undefined && size === undefined)
      return { outcome: 'read', image: { name, mediaType: type, data: await base64(file) } };
    const blob = await scale(bitmap, size ?? bitmap, type ?? file.type);
    if (!blob) return refused('is too large to send, even scaled down.');
    return { outcome: 'read', image: { name, mediaType: blob.type, data: await base64(blob) } };
  } catch {
    return refused('could not be read to its end.');
  } finally {
    bitmap.close();
  }
}

/** What the host has read, in pieces: the page answers keys in between. */
export async function pictureBlob({ mediaType, data }: ComposerImage): Promise<Blob> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for (let start = 0; start < data.length; start += PIECE) {
    const text = atob(data.slice(start, start + PIECE));
    const bytes = new Uint8Array(text.length);
    for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index);
    pieces.push(bytes);
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  return new Blob(pieces, { type: mediaType });
}

async function scale(bitmap: ImageBitmap, { width, height }: Size, type: string): Promise<Blob | undefined> {
  const canvas = new OffscreenCanvas(width, height);
  const drawing = canvas.getContext('2d');
  if (!drawing) return undefined;
  // Text in screenshots stays legible.
  drawing.imageSmoothingQuality = 'high';
  drawing.drawImage(bitmap, 0, 0, width, height);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const blob = await canvas.convertToBlob(scaledType(type, attempt));
    if (blob.size <= MAX_BYTES) return blob;
  }
  return undefined;
}

function base64(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error ?? new Error('The image could not be read.'));
    reader.readAsDataURL(blob);
  });
}
