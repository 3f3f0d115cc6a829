// Walks a folder through the FileSystem port, in the order of names, leaving out what ignore files name.
import ignore, { type Ignore } from 'ignore';
import { dirname } from 'pathe';
import { type FileSystem } from '../ports/files';
import { type Path } from '../ports/path';

export interface WalkOptions {
  honourIgnoreFiles: boolean;
  /** Files looked at before the walk gives up. */
  maxFiles: number;
  hidden: (path: Path) => boolean;
}

export interface WalkedFile {
  path: Path;
  /** To the folder where the walk began. */
  relative: string;
}

interface IgnoreScope {
  /** Ends with a slash. */
  folder: string;
  rules: Ignore;
}

/** Version control's own files are never results. */
export const repositoryFolders: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', '.jj']);
const ignoreFileNames = ['.gitignore', '.ignore'];
const maxDepth = 64;
const maxIgnoreBytes = 1_000_000;

/** Returns true when the bound was reached. Folders that cannot be listed are skipped. */
export async function* walkFiles(
  files: FileSystem,
  root: Path,
  options: WalkOptions,
  signal: AbortSignal,
): AsyncGenerator<WalkedFile, boolean> {
  const seen = new Set<Path>();
  let left = options.maxFiles;
  const start = root.endsWith('/') ? root : `${root}/`;

  async function* visit(folder: string, scopes: IgnoreScope[], depth: number): AsyncGenerator<WalkedFile, boolean> {
    signal.throwIfAborted();
    // A link may lead back into a folder that the walk came from.
    const real = await files.realPath(folder).catch(() => folder);
    if (depth > maxDepth || seen.has(real)) return false;
    seen.add(real);
    const entries = await files.list(folder.length > 1 ? folder.slice(0, -1) : folder).catch(() => []);
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    const here = options.honourIgnoreFiles
      ? [
          ...scopes,
          ...(await ignoreScopes(
            files,
            folder,
            entries.map((entry) => entry.name),
          )),
        ]
      : scopes;
    for (const entry of entries) {
      const path = `${folder}${entry.name}`;
      if (entry.type === 'other' || options.hidden(path) || isIgnored(here, path, entry.type === 'directory')) continue;
      if (entry.type === 'directory') {
        if (repositoryFolders.has(entry.name)) continue;
        if (yield* visit(`${path}/`, here, depth + 1)) return true;
      } else {
        if (left-- <= 0) return true;
        yield { path, relative: path.slice(start.length) };
      }
    }
    return false;
  }
  return yield* visit(start, options.honourIgnoreFiles ? await scopesAbove(files, root) : [], 0);
}

/** In a repository the ignore files of the folders above count too, from its root downwards. */
async function scopesAbove(files: FileSystem, root: Path): Promise<IgnoreScope[]> {
  if (await files.stat(join(root, '.git'))) return [];
  const scopes: IgnoreScope[] = [];
  for (let folder = dirname(root), below: string = root; folder !== below; below = folder, folder = dirname(folder)) {
    scopes.unshift(...(await ignoreScopes(files, folder.endsWith('/') ? folder : `${folder}/`, ignoreFileNames)));
    // A folder that is searched by name is searched even where a rule ignores the whole of it.
    if (await files.stat(join(folder, '.git'))) return scopes.filter((scope) => !isIgnored([scope], root, true));
  }
  return [];
}

async function ignoreScopes(files: FileSystem, folder: string, names: readonly string[]): Promise<IgnoreScope[]> {
  const present = ignoreFileNames.filter((name) => names.includes(name));
  const texts = await Promise.all(
    present.map((name) => files.readText(`${folder}${name}`, maxIgnoreBytes).catch(() => undefined)),
  );
  return texts.flatMap((read) => (read?.outcome === 'read' ? [{ folder, rules: ignore().add(read.file.text) }] : []));
}

/** The deepest ignore file that says something about a path decides. */
function isIgnored(scopes: readonly IgnoreScope[], path: string, isFolder: boolean): boolean {
  for (const { folder, rules } of scopes.toReversed()) {
    const { ignored, unignored } = rules.test(`${path.slice(folder.length)}${isFolder ? '/' : ''}`);
    if (ignored || unignored) return ignored;
  }
  return false;
}

function join(folder: string, name: string): string {
  return folder.endsWith('/') ? `${folder}${name}` : `${folder}/${name}`;
}
