// Globs whose brackets are part of a name: `src/[id]/*.tsx` means the folder `[id]` wherever there is one.
import { join } from 'pathe';
import { type FileSystem } from '../../ports/files';
import { type Path } from '../../ports/path';

const magic = /[*?[\]{}\\]/;

/** The first segments, as far as files or folders of exactly their names exist below the root, with their brackets escaped. */
export async function withLiteralNames(pattern: string, root: Path, files: Pick<FileSystem, 'stat'>): Promise<string> {
  const segments = pattern.split('/');
  if (segments.length < 2 || !pattern.includes('[')) return pattern;
  let place = root;
  for (const [index, segment] of segments.entries()) {
    place = segment === '' ? place : join(place, segment);
    if (!magic.test(segment)) continue;
    if (/[*?{}\\]/.test(segment) || (await files.stat(place)) === undefined) break;
    segments[index] = literal(segment);
  }
  return segments.join('/');
}

/** All brackets taken as they stand; undefined where that changes nothing. */
export function withLiteralBrackets(pattern: string): string | undefined {
  const plain = pattern.replace(/\\.|[[\]]/g, (found) => (found.startsWith('\\') ? found : `\\${found}`));
  return plain === pattern ? undefined : plain;
}

function literal(name: string): string {
  return name.replace(/[*?[\]{}\\,]/g, '\\$&');
}
