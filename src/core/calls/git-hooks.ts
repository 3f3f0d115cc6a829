// Whether a file is in the folder from which git runs hooks, as the settings of its repository name it.
import { dirname, isAbsolute, join } from 'pathe';
import { hooksPathOf } from '../permissions/files/hooks-folder';
import { isInside } from '../permissions/rules/workspace-path';
import { type FileSystem } from '../ports/files';
import { type Path } from '../ports/path';

export type HookFiles = Pick<FileSystem, 'realPath' | 'stat' | 'readBytes'>;

const maxConfig = 1024 * 1024;

/** `path` has its symlinks resolved. Only the repository's own files are read, no settings of the user. */
export async function isGitHook(path: Path, home: string, files: HookFiles): Promise<boolean> {
  return (await gitHooksAround(path, home, files))(path);
}

/** The same for everything in the repository that holds `path`. */
export async function gitHooksAround(path: Path, home: string, files: HookFiles): Promise<(path: Path) => boolean> {
  const found = await repositoryAround(path, files);
  if (found === undefined) return () => false;
  const texts = await Promise.all(found.configs.map((file) => textOf(file, files)));
  const named = texts.map((text) => hooksPathOf(text ?? '')).findLast((folder) => folder !== undefined);
  if (named === undefined) return () => false;
  const folder = named.replace(/^~(?=\/|$)/, home);
  const place = await files.realPath(isAbsolute(folder) ? folder : join(found.root, folder));
  // A repository that names its whole root has its hooks there, too, but not everything in it is one.
  return (one) => (place === found.root ? dirname(one) === place : isInside(one, place, true));
}

/** Of a further worktree, also the settings that it shares with the others. */
async function repositoryAround(path: Path, files: HookFiles): Promise<{ root: Path; configs: Path[] } | undefined> {
  for (let root = dirname(path); ; root = dirname(root)) {
    const git = join(root, '.git');
    const type = (await files.stat(git))?.type;
    if (type === 'directory') return { root, configs: [join(git, 'config'), join(git, 'config.worktree')] };
    if (type === 'file') {
      const own = resolved(root, /^gitdir: (.+)$/m.exec((await textOf(git, files)) ?? '')?.[1]);
      const common = own === undefined ? undefined : resolved(own, await textOf(join(own, 'commondir'), files));
      const configs = [common, own].flatMap((folder) => (folder === undefined ? [] : [join(folder, 'config')]));
      return { root, configs: own === undefined ? [] : [...configs, join(own, 'config.worktree')] };
    }
    if (dirname(root) === root) return undefined;
  }
}

function resolved(folder: Path, written: string | undefined): Path | undefined {
  const path = written?.trim() ?? '';
  if (path === '') return undefined;
  return isAbsolute(path) ? path : join(folder, path);
}

async function textOf(file: Path, files: HookFiles): Promise<string | undefined> {
  const read = await files.readBytes(file, maxConfig);
  return read.outcome === 'read' ? new TextDecoder().decode(read.bytes) : undefined;
}
