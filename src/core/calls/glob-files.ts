// What a glob of a command finds on disk, or a search in it may list, so that denied files and links among it are seen before the command runs.
import { join } from 'pathe';
import { type FileSystem } from '../ports/files';
import { type Path } from '../ports/path';
import { readListing } from '../permissions/files/listed-files';

type Files = Pick<FileSystem, 'realPath' | 'list'>;

interface FoundFiles {
  pattern: string;
  files: { path: Path; realPath: Path }[];
}

/** As many names are looked at; a glob that would take more stays unknown. */
const maxNames = 5000;
const maxFound = 500;
/** Of what a search lists: it costs less to read than to be asked about. */
const maxNamesBelow = 20_000;
const maxFoundBelow = 3000;

/** Undefined where it finds too much, or means different things in different shells. `pattern`: absolute, or a listing. */
export async function filesOfGlob(pattern: string, files: Files): Promise<FoundFiles | undefined> {
  const listing = readListing(pattern);
  if (listing !== undefined) {
    const found = await filesBelow(listing.folder, listing.ending, files);
    return found && { pattern, files: found };
  }
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
      const names = (await entriesIn(place, files)).map(({ name }) => name);
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

async function entriesIn(folder: Path, files: Files): ReturnType<Files['list']> {
  try {
    return await files.list(folder);
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

/** xargs splits at blanks, and takes quotes and backslashes away; which other letters are blanks depends on the language. */
const oneWord = /^(?!-)[\x21-\x7e]+$/;

/**
 * Undefined where there is too much, a name that may become several words or an option, or a link to a folder, behind
 * which nothing was looked at. `ending`: of the names that are printed.
 */
async function filesBelow(
  folder: Path,
  ending: string,
  files: Files,
): Promise<{ path: Path; realPath: Path }[] | undefined> {
  const found = [{ path: folder, realPath: await files.realPath(folder) }];
  let left = maxNamesBelow;
  for (const open = [...found]; open.length > 0;) {
    const place = open.pop();
    if (place === undefined) break;
    const entries = await entriesIn(place.path, files);
    left -= entries.length;
    if (left < 0) return undefined;
    for (const { name, type } of entries) {
      const fits = name.endsWith(ending);
      if (type !== 'directory' && !fits) continue;
      if (!oneWord.test(name) || /["'\\]/.test(name)) return undefined;
      const path = join(place.path, name);
      const realPath = await files.realPath(path);
      if (type === 'directory' && realPath !== join(place.realPath, name)) return undefined;
      if (fits) found.push({ path, realPath });
      if (found.length > maxFoundBelow) return undefined;
      if (type === 'directory') open.push({ path, realPath });
    }
  }
  return found;
}
