// The pictures that answers show: files of the workspace and of the session, judged by their bytes. Nothing is fetched from anywhere else.
import { type AnswerPicture } from '../../../shared/answers';
import { workspaceFolders } from '../../host/workspace-facts';
import { type Chat } from '../conversation/chat';
import { type LinkPlace, placeOf } from './link-place';
import { readPicture } from './picture-file';

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
