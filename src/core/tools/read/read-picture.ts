// Opens images: those of usual size as they are, larger ones as a smaller copy.
import { type FileStat } from '../../ports/files';
import { type Path } from '../../ports/path';
import { inlineReminder } from '../../text/system-reminder';
import { fail, readFailure } from '../../tool/file-failure';
import { base64, hasImageExtension, type ImageKind, imageKind, MAX_IMAGE_BYTES, MAX_IMAGE_SIDE } from './read-image';
import { type ReadOutput } from './read-output';
import { looksLikePdf } from './read-pdf';
import { type ToolContext, type ToolFailure } from '../../tool/tool';
import { words } from '../../text/words';

export interface OpenedImage {
  kind: 'image';
  output: Extract<ReadOutput, { type: 'image' }>;
}

/** Larger ones are shown as a JPEG copy. */
const SMALL_IMAGE_BYTES = 500 * 1024;
/** Pixels on the longer side of a copy: the API refuses more where a conversation holds many images, and scales down itself. */
const COPY_SIDE = 2_000;
/** What a copy is made of: bytes that are opened and pixels that are unpacked. */
const MAX_SOURCE_BYTES = 32 * 1024 * 1024;
const MAX_SOURCE_PIXELS = 50_000_000;

/** Undefined for a file that is no image, its bytes where it is a PDF; one that is too large is judged by its name, as it is not opened. */
export async function openImage(
  path: Path,
  stat: FileStat,
  context: ToolContext,
): Promise<OpenedImage | { kind: 'pdf-bytes'; bytes: Uint8Array } | ToolFailure | undefined> {
  const { files, documents } = context.ports;
  const limit = documents === undefined ? MAX_IMAGE_BYTES : MAX_SOURCE_BYTES;
  if (stat.size > limit) return hasImageExtension(path) ? tooManyBytes(path, stat.size, limit) : undefined;
  const read = await files.readBytes(path, limit);
  if (read.outcome === 'refused') return read.code === 'not_found' ? undefined : readFailure(read);
  const { bytes } = read;
  const kind = imageKind(bytes);
  if (kind === undefined) return looksLikePdf(bytes) ? { kind: 'pdf-bytes', bytes } : undefined;
  if (!kind.whole) {
    const advice = 'Tell the user, or get the image again.';
    return fail('image-damaged', `${path} is a truncated image, so it cannot be shown. ${advice}`);
  }
  const own = bytes.subarray(0, kind.length);
  const copy = await smallerCopy(own, kind, context);
  if (copy !== undefined) return opened(path, kind, bytes.length, copy.base64, copy);
  const { dimensions } = kind;
  if (dimensions && Math.max(dimensions.width, dimensions.height) > MAX_IMAGE_SIDE) {
    const size = `${dimensions.width} × ${dimensions.height} pixels`;
    return tooLarge(`${path} is ${size}; images may have at most ${MAX_IMAGE_SIDE} on a side.`);
  }
  return own.length > MAX_IMAGE_BYTES
    ? tooManyBytes(path, own.length, MAX_IMAGE_BYTES)
    : opened(path, kind, bytes.length, base64(own));
}

interface Copy {
  base64: string;
  bytes: number;
  mediaType: 'image/jpeg';
  width: number;
  height: number;
}

/** Undefined where the image is small enough, of a kind that cannot be unpacked here, or gains nothing. */
export async function smallerCopy(
  bytes: Uint8Array,
  { mediaType, dimensions }: ImageKind,
  { ports, signal }: ToolContext,
): Promise<Copy | undefined> {
  if (dimensions === undefined || (mediaType !== 'image/png' && mediaType !== 'image/jpeg')) return undefined;
  const { width, height } = dimensions;
  if (bytes.length <= SMALL_IMAGE_BYTES && Math.max(width, height) <= MAX_IMAGE_SIDE) return undefined;
  if (width * height > MAX_SOURCE_PIXELS) return undefined;
  const copy = await ports.documents?.shrinkImage(bytes, { side: COPY_SIDE, bytes: SMALL_IMAGE_BYTES }, signal);
  return copy !== undefined && (copy.bytes < bytes.length || Math.max(width, height) > MAX_IMAGE_SIDE)
    ? copy
    : undefined;
}

/** For the model, after an image that is a smaller copy: what it measures there is not what the file has. */
export function copyNote({ dimensions, shown }: OpenedImage['output']['file']): string | undefined {
  if (shown === undefined) return undefined;
  if (dimensions === undefined || dimensions.width === shown.width) {
    return inlineReminder('This is a JPEG copy of the image with some loss of detail; its size in pixels is the same.');
  }
  const factor = (dimensions.width / shown.width).toFixed(2);
  const sizes = `${dimensions.width} × ${dimensions.height} pixels are shown as ${shown.width} × ${shown.height}`;
  return inlineReminder(
    `The image was scaled down: ${sizes}. Multiply coordinates by ${factor} to get those in the file.`,
  );
}

function opened(
  path: Path,
  { mediaType, dimensions }: ImageKind,
  size: number,
  data: string,
  copy?: Copy,
): OpenedImage {
  return {
    kind: 'image',
    output: {
      type: 'image',
      file: {
        filePath: path,
        base64: data,
        type: copy?.mediaType ?? mediaType,
        originalSize: size,
        ...(dimensions ? { dimensions } : {}),
        ...(copy ? { shown: { width: copy.width, height: copy.height, bytes: copy.bytes } } : {}),
      },
    },
  };
}

function tooManyBytes(path: Path, size: number, limit: number): ToolFailure {
  const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(2)} MB`;
  return tooLarge(`${path} is an image of ${megabytes(size)}; at most ${megabytes(limit)} can be shown.`);
}

function tooLarge(message: string): ToolFailure {
  return fail('image-too-large', words`${message}{{Bash:  Make a smaller copy with Bash and read that.}}`);
}
