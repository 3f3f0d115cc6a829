// The pictures that answers show: files of the workspace and of the session, judged by their bytes. Nothing is fetched from anywhere else.
import { type FileSystem } from '../../../core/ports/files';
import { base64, imageKind } from '../../../core/tools/read/read-image';
import { type AnswerPicture } from '../../../shared/answers';
import { workspaceFolders } from '../../host/workspace-facts';
import { type Chat } from '../conversation/chat';
import { type LinkPlace, placeOf } from './link-place';

const maxBytes = 5_000_000;

export async function answerPicture(path: string, chat: Pick<Chat, 'session'>): Promise<AnswerPicture> {
  const { ports, surroundings } = await chat.session();
  const own = [surroundings.resultsDirectory] as const;
  const place = await placeOf(path, { files: ports.files, folders: workspaceFolders(), own });
  return place.kind === 'inside' ? readPicture(place.path, ports.files) : { problem: elsewhere[place.kind] };
}

const elsewhere: Readonly<Record<Exclude<LinkPlace['kind'], 'inside'>, string>> = {
  outside: 'it is outside the workspace',
  network: 'it is on another machine',
  missing: 'there is no such file',
};

export async function readPicture(path: string, files: Pick<FileSystem, 'readBytes'>): Promise<AnswerPicture> {
  const read = await files.readBytes(path, maxBytes);
  if (read.outcome === 'refused')
    return { problem: read.code === 'too_large' ? 'it is larger than 5 MB' : 'it could not be read' };
  const kind = imageKind(read.bytes);
  if (kind?.dimensions === undefined) return { problem: 'it is no PNG, JPEG, GIF or WebP image' };
  return { data: base64(read.bytes), mediaType: kind.mediaType, ...kind.dimensions };
}
