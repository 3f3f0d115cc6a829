// A file that is not there: says so and names the one that was probably meant.
import { editDistance } from '../../text/edit-distance';
import { basename, dirname, join } from 'pathe';
import { type FileSystem } from '../../ports/files';
import { type Path } from '../../ports/path';
import { words } from '../../text/words';
import { type ToolFailure, type ToolSession } from '../../tool/tool';

const MAX_SUGGESTIONS = 3;
/** Folders with more entries than this are not compared name by name. */
const MAX_SIBLINGS = 5_000;

export async function missingFile(
  path: Path,
  files: Pick<FileSystem, 'list' | 'stat'>,
  session: Pick<ToolSession, 'cwd' | 'isHidden'>,
): Promise<ToolFailure> {
  const meant = (await similarFiles(path, files, session.cwd)).filter((candidate) => !session.isHidden(candidate));
  const elsewhere = words`The current folder is ${session.cwd}{{Glob: ; find the file with Glob}}.`;
  const hint = meant.length > 0 ? `Did you mean ${meant.join(' or ')}?` : elsewhere;
  return { failure: { code: 'not-found', message: words`File does not exist: ${path}. ${hint}` } };
}

async function similarFiles(path: Path, files: Pick<FileSystem, 'list' | 'stat'>, cwd: Path): Promise<Path[]> {
  const bare = bareSpelling(path);
  if (bare !== path && (await files.stat(bare))?.type === 'file') return [bare];
  const folder = dirname(path);
  const siblings = await filesIn(folder, files);
  const near = siblings
    .map((name) => ({ name, distance: nameDistance(name, basename(path)) }))
    .filter(({ distance }) => distance < 1)
    .sort((left, right) => left.distance - right.distance)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ name }) => join(folder, name));
  return near.length > 0 ? near : belowFolder(path, files, cwd);
}

/** Without the "@" of a mention and blanks at the ends; "\\ ", a shell's blank, has become "/ " by now. */
function bareSpelling(path: Path): Path {
  return path
    .replaceAll('/ ', ' ')
    .replace(/\/@([^/])/, '/$1')
    .trim();
}

async function filesIn(folder: Path, files: Pick<FileSystem, 'list'>): Promise<string[]> {
  try {
    const entries = await files.list(folder);
    return entries.length > MAX_SIBLINGS ? [] : entries.filter(({ type }) => type === 'file').map(({ name }) => name);
  } catch {
    // A folder that cannot be listed has nothing to suggest.
    return [];
  }
}

/** The last names of the path, from the current folder: `/repo/src/a.ts` for `/src/a.ts` or `/other/src/a.ts`. */
async function belowFolder(path: Path, files: Pick<FileSystem, 'stat'>, cwd: Path): Promise<Path[]> {
  const names = path.split('/').filter((name) => name !== '');
  for (let kept = Math.min(names.length, 6); kept > 0; kept--) {
    const candidate = join(cwd, ...names.slice(-kept));
    if (candidate !== path && (await files.stat(candidate))?.type === 'file') return [candidate];
  }
  return [];
}

/** Below 1 for names that may be meant: other case, other extension, accents as characters of their own (files of a Mac), few other characters. */
function nameDistance(name: string, wanted: string): number {
  const left = name.normalize().toLowerCase();
  const right = wanted.normalize().toLowerCase();
  if (left === right) return 0;
  const allowed = Math.max(1, Math.floor(right.length / 4));
  const distance = editDistance(left, right, allowed);
  if (distance <= allowed) return distance / (allowed + 1);
  return stem(left) === stem(right) && stem(left) !== '' ? 0.9 : 1;
}

function stem(name: string): string {
  return name.replace(/\.[^.]*$/, '');
}
