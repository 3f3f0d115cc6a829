// What the user drops or picks in VS Code, as the composer takes it: pictures are attached, the rest is mentioned, and a sentence says what does not go along.
import { maxFileBytes, maxFileChars } from '../../../core/prompt/compose-prompt';
import { pathInWorkspace } from '../../../core/prompt/inside-workspace';
import { type FileStat, type FileSystem } from '../../../core/ports/files';
import { formatSize, inThousands } from '../../../core/text/size-text';
import { hasImageExtension } from '../../../core/tools/read/read-image';
import { type InsertedFiles } from '../../../shared/answers';
import { mentionText } from '../../../shared/mention-text';

/** A place in VS Code. */
export interface NamedFile {
  /** Undefined where it is no file: an editor that was never saved, a version in git. */
  path: string | undefined;
  name: string;
  lines?: { start: number; end: number };
}

export interface NamingSurroundings {
  files: Pick<FileSystem, 'stat' | 'realPath' | 'readText' | 'readBytes'>;
  folders: readonly { name: string; path: string }[];
  isHidden(path: string): boolean;
  /** As mentions write it. */
  shown(path: string): string;
}

/** Bytes of a file that the page scales down. */
const maxPictureBytes = 64 * 1024 * 1024;
const mediaTypes: Readonly<Record<string, string>> = { png: 'image/png', gif: 'image/gif', webp: 'image/webp' };

export async function nameFiles(
  named: readonly NamedFile[],
  surroundings: NamingSurroundings,
): Promise<Required<InsertedFiles>> {
  const taken: Required<InsertedFiles> = { text: '', pictures: [], problems: [] };
  // One after the other: the pictures among them may be large.
  for (const file of named) await nameFile(file, surroundings, taken);
  return taken;
}

async function nameFile(
  { path, name, lines }: NamedFile,
  surroundings: NamingSurroundings,
  taken: Required<InsertedFiles>,
): Promise<void> {
  const { files, isHidden, shown } = surroundings;
  const tell = (sentence: string): void => void taken.problems.push(sentence);
  if (path === undefined) return tell(`${name} is not a file: save it first, or paste its text.`);
  const label = shown(path);
  const stat = await files.stat(path);
  if (stat === undefined) return tell(`${label} was not found.`);
  if (isHidden(path) || isHidden(await files.realPath(path))) return tell(`Your rules hide ${label} from the agent.`);
  if (stat.type === 'other') return tell(`${label} is neither a file nor a folder.`);
  if (stat.type === 'file' && hasImageExtension(path) && stat.size <= maxPictureBytes) {
    const read = await files.readBytes(path, maxPictureBytes);
    if (read.outcome === 'refused') return tell(read.message);
    taken.pictures.push({ name, mediaType: mediaTypeOf(path), data: Buffer.from(read.bytes).toString('base64') });
    return;
  }
  taken.text += `${stat.type === 'directory' ? mentionText(`${label}/`) : mentionText(label, lines)} `;
  const missing = await leftOut(path, stat, lines !== undefined, surroundings);
  if (missing !== undefined) tell(`${label} ${missing}`);
}

/** What the mention does not bring to the agent, as the rest of a sentence. */
async function leftOut(
  path: string,
  stat: FileStat,
  partly: boolean,
  { files, folders }: NamingSurroundings,
): Promise<string | undefined> {
  const [first] = folders;
  const inside = first && (await pathInWorkspace(path, { files, cwd: first.path, folders }));
  if (inside === undefined) return 'is outside the workspace: only its path goes along.';
  if (stat.type === 'directory') return undefined;
  if (stat.size > maxFileBytes) return `is too large to attach (${formatSize(stat.size)}): only its path goes along.`;
  const read = await files.readText(path, maxFileBytes);
  if (read.outcome === 'refused')
    return read.code === 'binary'
      ? 'is not text: only its path goes along.'
      : 'cannot be read as text: only its path goes along.';
  return !partly && read.file.text.length > maxFileChars
    ? `is long: only its first ${inThousands(maxFileChars)} characters go along.`
    : undefined;
}

function mediaTypeOf(path: string): string {
  return mediaTypes[path.slice(path.lastIndexOf('.') + 1).toLowerCase()] ?? 'image/jpeg';
}
