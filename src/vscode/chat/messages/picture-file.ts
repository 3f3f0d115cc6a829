// A file as a picture of the chat: judged by its bytes, whatever its name says.
import { type FileSystem } from '../../../core/ports/files';
import { base64, imageKind } from '../../../core/tools/read/read-image';
import { type AnswerPicture } from '../../../shared/answers';

const maxBytes = 5_000_000;

export async function readPicture(path: string, files: Pick<FileSystem, 'readBytes'>): Promise<AnswerPicture> {
  const read = await files.readBytes(path, maxBytes);
  if (read.outcome === 'refused')
    return { problem: read.code === 'too_large' ? 'it is larger than 5 MB' : 'it could not be read' };
  const kind = imageKind(read.bytes);
  if (kind?.dimensions === undefined) return { problem: 'it is no PNG, JPEG, GIF or WebP image' };
  return { data: base64(read.bytes), mediaType: kind.mediaType, ...kind.dimensions };
}
