// The globs of a Grep as they are often written, made into those that a search below a folder understands.
import { join } from 'pathe';
import { type FileSystem } from '../../ports/files';
import { type Path } from '../../ports/path';
import { splitGlobs } from '../../search/glob-pattern';
import { repositoryFolders } from '../../search/walk-files';
import { withLiteralNames } from './literal-glob';

type Files = Pick<FileSystem, 'stat' | 'realPath'>;

export interface GrepPlace {
  path: Path;
  glob?: string;
}

/** A single glob that means all of one folder becomes the place of the search: there ignore files still count. */
export async function grepPlace(glob: string | undefined, root: Path, files: Files): Promise<GrepPlace> {
  if (glob === undefined || glob.trim() === '') return { path: root };
  const parts = (await Promise.all(splitGlobs(glob).map((part) => apartByBlanks(part, root, files)))).flat();
  const read = await Promise.all(parts.map((part) => readPart(part, root, files)));
  const wanted = read.filter((part) => !part.glob.startsWith('!'));
  const others = read.filter((part) => part.glob.startsWith('!')).map((part) => part.glob);
  const [only] = wanted;
  const movable = wanted.length === 1 && only?.folder !== undefined && !others.some((part) => part.includes('/'));
  const left = movable ? others : read.map((part) => part.glob);
  return {
    path: movable ? join(root, only.folder ?? '') : root,
    ...(left.length === 0 ? {} : { glob: left.join(',') }),
  };
}

/** Blanks are between globs where each piece looks like one; else they are part of a name. */
async function apartByBlanks(part: string, root: Path, files: Files): Promise<string[]> {
  const pieces = part.match(/(?:\{[^}]*\}|\[[^\]]*\]|\S)+/g) ?? [];
  if (pieces.length < 2 || (await files.stat(join(root, part))) !== undefined) return [part];
  const like = await Promise.all(
    pieces.map(
      async (piece) => /^!|^\.?\/|\/$|[*?[{]/.test(piece) || (await files.stat(join(root, piece))) !== undefined,
    ),
  );
  return like.every((one) => one) ? pieces : [part];
}

/**
 * The permission was asked for the root: what only a link leads to was not judged, and rules know its real path alone. Nor
 * does a glob open version control's own files, which a search that begins among them shows.
 */
async function beginsIn(folder: string, root: Path, files: Files): Promise<boolean> {
  if (folder.split('/').some((name) => repositoryFolders.has(name.toLowerCase()))) return false;
  const [real, realRoot] = await Promise.all([files.realPath(join(root, folder)), files.realPath(root)]);
  return real === join(realRoot, folder);
}

/** `folder` where the glob means everything in one, relative to the root. */
async function readPart(part: string, root: Path, files: Files): Promise<{ glob: string; folder?: string }> {
  if (part.startsWith('!')) return { glob: `!${await withLiteralNames(belowRoot(part.slice(1), root), root, files)}` };
  const glob = belowRoot(part, root);
  const folder = glob.replace(/\/(?:\*\*(?:\/\*)?)?$/, '').replace(/^\/+/, '');
  if (folder === '' || folder === '.') return { glob: '**', folder: '' };
  if (
    !/[*?{}\\]/.test(folder) &&
    !folder.split('/').includes('..') &&
    (await files.stat(join(root, folder)))?.type === 'directory'
  ) {
    const below = await withLiteralNames(`/${folder}/**`, root, files);
    return (await beginsIn(folder, root, files)) ? { glob: below, folder } : { glob: below };
  }
  // A folder's name alone is found at any depth, as in an ignore file.
  if (glob.endsWith('/')) return { glob: `${glob.startsWith('/') || folder.includes('/') ? '' : '**/'}${glob}**` };
  return { glob: await withLiteralNames(glob, root, files) };
}

/** Without `./`; a whole path that leads below the root begins at the root, with a slash in front. */
function belowRoot(written: string, root: Path): string {
  const glob = /^[A-Za-z]:\\/.test(written) ? written.replaceAll('\\', '/') : written;
  if (/^\.\/+/.test(glob)) return `/${glob.replace(/^(?:\.\/+)+/, '')}`;
  const start = root.endsWith('/') ? root : `${root}/`;
  if (`${glob}/` === start) return '/';
  if (glob.startsWith(start)) return `/${glob.slice(start.length)}`;
  // From a folder above, at any depth: `/work/**/*.ts` in /work/src.
  const deep = glob.indexOf('/**');
  if (deep > 0 && start.startsWith(`${glob.slice(0, deep)}/`) && /^(?:\/|[A-Za-z]:)/.test(glob))
    return glob.slice(deep + 1);
  return glob;
}
