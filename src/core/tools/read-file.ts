// Opens what a Read names: refuses what is no readable file, and tells images from text by their content.
import { type FileStat, type Path, type TextFile } from '../ports';
import { directoryFailure, fail, notAFileFailure, readFailure } from './file-failure';
import { missingFile } from './file-missing';
import { MAX_TEXT_BYTES } from './file-open';
import { base64, hasImageExtension, imageKind, MAX_IMAGE_BYTES, MAX_IMAGE_SIDE } from './read-image';
import { type ReadOutput } from './read-output';
import { type ToolContext, type ToolFailure } from './tool';

export type Opened =
  | { kind: 'text'; file: TextFile }
  | { kind: 'image'; output: Extract<ReadOutput, { type: 'image' }> };

/** Pipes, devices and folders are refused by their stat, unopened. */
export async function openForReading(path: Path, context: ToolContext): Promise<Opened | ToolFailure> {
  const { files } = context.ports;
  const stat = await files.stat(path);
  if (stat?.type === 'directory') return directoryFailure(path, 'read');
  if (stat?.type === 'other') return notAFileFailure(path, 'read');
  if (/\.pdf$/i.test(path) && stat !== undefined) return pdfFailure(path);
  if (stat !== undefined && hasImageExtension(path)) {
    const image = await openImage(path, stat, context);
    if (image !== undefined) return image;
  }
  const read = await files.readText(path, MAX_TEXT_BYTES);
  if (read.outcome === 'read') return { kind: 'text', file: read.file };
  switch (read.code) {
    case 'not_found':
      return missingFile(path, files, context.session);
    case 'directory':
      return directoryFailure(path, 'read');
    case 'not_a_file':
      return notAFileFailure(path, 'read');
    case 'binary':
    case 'encoding': {
      const other = stat && !hasImageExtension(path) ? await openImage(path, stat, context) : undefined;
      return other ?? readFailure(read);
    }
    default:
      return readFailure(read);
  }
}

/** Undefined for a file that is no image; one that is too large is told by its name, since it is not opened. */
async function openImage(
  path: Path,
  stat: FileStat,
  { ports }: ToolContext,
): Promise<Opened | ToolFailure | undefined> {
  if (stat.size > MAX_IMAGE_BYTES) return hasImageExtension(path) ? tooManyBytes(path, stat.size) : undefined;
  const read = await ports.files.readBytes(path, MAX_IMAGE_BYTES);
  if (read.outcome === 'refused') return read.code === 'not_found' ? undefined : readFailure(read);
  const { bytes } = read;
  if (startsWithPdf(bytes)) return pdfFailure(path);
  const kind = imageKind(bytes);
  if (kind === undefined) return undefined;
  const { dimensions } = kind;
  if (dimensions && Math.max(dimensions.width, dimensions.height) > MAX_IMAGE_SIDE) {
    const size = `${dimensions.width} × ${dimensions.height} pixels`;
    return tooLarge(`${path} is ${size}; images may have at most ${MAX_IMAGE_SIDE} on a side.`);
  }
  if (!kind.whole) {
    const advice = 'Tell the user, or get the image again.';
    return fail('image-damaged', `${path} is an image whose end is missing, so it cannot be shown. ${advice}`);
  }
  return {
    kind: 'image',
    output: {
      type: 'image',
      file: {
        filePath: path,
        base64: base64(bytes.subarray(0, kind.length)),
        type: kind.mediaType,
        originalSize: bytes.length,
        ...(dimensions ? { dimensions } : {}),
      },
    },
  };
}

function tooManyBytes(path: Path, size: number): ToolFailure {
  const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(2)} MB`;
  return tooLarge(`${path} is an image of ${megabytes(size)}; at most ${megabytes(MAX_IMAGE_BYTES)} can be shown.`);
}

function tooLarge(message: string): ToolFailure {
  return fail('image-too-large', `${message} Make a smaller copy with Bash and read that.`);
}

function pdfFailure(path: Path): ToolFailure {
  const advice = 'Turn it into text with Bash (for example pdftotext) and read that.';
  return fail('pdf', `${path} is a PDF, which Read cannot show yet. ${advice}`);
}

function startsWithPdf(bytes: Uint8Array): boolean {
  return String.fromCharCode(...bytes.subarray(0, 5)) === '%PDF-';
}
