// Reads a pasted or dropped image and scales it down where it is too large to send.
import { type ComposerImage } from '../../src/shared/written-message';
import { IMAGE_TYPES, MAX_BYTES, scaledSize, scaledType } from '../state/image-limits';

export type ReadImage = { outcome: 'read'; image: ComposerImage } | { outcome: 'refused'; message: string };

const MAX_ATTEMPTS = 4;

export async function readImage(file: File): Promise<ReadImage> {
  const name = file.name || 'image';
  if (!IMAGE_TYPES.includes(file.type)) {
    return { outcome: 'refused', message: `${name} is not a PNG, JPEG, GIF or WebP image.` };
  }
  let bitmap: ImageBitmap;
  try {
    bitmap = await createImageBitmap(file);
  } catch {
    return { outcome: 'refused', message: `${name} cannot be read as an image.` };
  }
  try {
    const size = scaledSize(bitmap, file.size);
    const blob = size ? await scale(bitmap, size, file.type) : file;
    if (!blob) return { outcome: 'refused', message: `${name} is too large to send.` };
    return { outcome: 'read', image: { name, mediaType: blob.type, data: await base64(blob) } };
  } finally {
    bitmap.close();
  }
}

async function scale(
  bitmap: ImageBitmap,
  size: { width: number; height: number },
  type: string,
): Promise<Blob | undefined> {
  const canvas = document.createElement('canvas');
  canvas.width = size.width;
  canvas.height = size.height;
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, size.width, size.height);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const format = scaledType(type, attempt);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, format.type, format.quality));
    if (blob && blob.size <= MAX_BYTES) return blob;
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
