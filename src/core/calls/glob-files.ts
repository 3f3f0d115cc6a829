// What a glob of a command finds on disk, so that denied files and links among it are seen before the command runs.
import { join } from 'pathe';
import { type FileSystem } from '../ports/files';
import { type Path } from '../ports/path';

type Files = Pick<FileSystem, 'realPath' | 'list'>;

interface FoundFiles {
  pattern: string;
  files: { path: Path; realPath: Path }[];
}

/** As many names are looked at; a glob that would take more stays unknown. */
const maxNames = 5000;
const maxFound = 500;

/** Undefined where it finds too much, or means different things in different shells. `pattern`: absolute. */
export async function filesOfGlob(pattern: string, files: Files): Promise<FoundFiles | undefined> {
  const segments = pattern.split('/').filter((segment) => segment !== '');
  let places: Path[] = ['/'];
  let left = maxNames;
  for (const segment of segments) {
    if (!/[*?[]/.test(segment)) {
      places = places.map((place) => join(place, segment));
      continue;
    }
    const matches = matcher(segment);
    // Two stars go through all folders in some shells.
    if (matches === undefined || segment.includes('**')) return undefined;
    const next: Path[] = [];
    for (const place of places) {
      const names = await namesIn(place, files);
      left -= names.length;
      if (left < 0) return undefined;
      const found = names.filter((name) => matches.test(name));
      // The command would take it for an option.
      if (found.some((name) => name.startsWith('-'))) return undefined;
      next.push(...found.map((name) => join(place, name)));
    }
    if (next.length > maxFound) return undefined;
    places = next;
  }
  return {
    pattern,
    files: await Promise.all(places.map(async (path) => ({ path, realPath: await files.realPath(path) }))),
  };
}

async function namesIn(folder: Path, files: Files): Promise<string[]> {
  try {
    return (await files.list(folder)).map(({ name }) => name);
  } catch {
    // There is no such folder, or the command cannot read it either.
    return [];
  }
}

/** A name that begins with a dot is found only by a pattern that does. Undefined for lists that shells read differently. */
function matcher(segment: string): RegExp | undefined {
  let source = segment.startsWith('.') ? '^' : '^(?!\\.)';
  for (let index = 0; index < segment.length; index++) {
    const letter = segment[index] ?? '';
    if (letter === '*') source += '.*';
    else if (letter === '?') source += '.';
    else if (letter === '[') {
      const list = /^\[[!^]?[\w.,-]+\]/.exec(segment.slice(index))?.[0];
      if (list === undefined) return undefined;
      // Which letters lie between two others is a matter of the language: any may.
      source += list.includes('-') || /^\[[!^]/.test(list) ? '.' : list;
      index += list.length - 1;
    } else source += letter.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  }
  return new RegExp(`${source}$`, 's');
}
