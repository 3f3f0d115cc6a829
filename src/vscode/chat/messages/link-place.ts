// Where a path in the chat leads: models write them, so only what lies in the workspace opens without a question.
import { isAbsolute, normalize } from 'pathe';
import { type FileSystem } from '../../../core/ports/files';
import { pathInWorkspace } from '../../../core/prompt/inside-workspace';

export interface LinkSurroundings {
  files: Pick<FileSystem, 'stat' | 'realPath'>;
  folders: readonly { name: string; path: string }[];
  /** Deft's own: the session's results, the output of commands. */
  own: readonly [string, ...string[]];
}

export type LinkPlace =
  | { kind: 'inside'; path: string }
  | { kind: 'outside'; path: string; realPath: string }
  /** On another machine: already the look at it would send it the user's name. */
  | { kind: 'network' }
  | { kind: 'missing' };

export async function placeOf(path: string, { files, folders, own }: LinkSurroundings): Promise<LinkPlace> {
  const candidates = localCandidates(path, folders);
  if (candidates.length === 0) return { kind: isNetworkPath(path) ? 'network' : 'missing' };
  for (const candidate of candidates) {
    if ((await files.stat(candidate)) === undefined) continue;
    const real = await pathInWorkspace(candidate, {
      files,
      cwd: own[0],
      folders: [...folders, ...own.map((folder) => ({ path: folder }))],
    });
    if (real !== undefined) return { kind: 'inside', path: candidate };
    const realPath = await files.realPath(candidate);
    return isNetworkPath(realPath) ? { kind: 'network' } : { kind: 'outside', path: candidate, realPath };
  }
  return { kind: 'missing' };
}

/** Absolute, relative to a folder, or led by a folder's name, as cards and answers write them; none on an external machine. */
export function localCandidates(path: string, folders: LinkSurroundings['folders']): string[] {
  const isLocal = (candidate: string): boolean => {
    const normal = normalize(candidate);
    return (
      !isNetworkPath(candidate) ||
      folders.some((folder) => normal === folder.path || normal.startsWith(`${folder.path}/`))
    );
  };
  return candidatesOf(path, folders).filter(isLocal);
}

/** The port's path of a file that a card names, as the review knows it: the first that exists, else the likeliest. */
export async function pathOfCard(
  path: string,
  folders: LinkSurroundings['folders'],
  exists: (path: string) => Promise<boolean>,
): Promise<string> {
  const candidates = localCandidates(path, folders).map((candidate) =>
    candidate.replace(/^[a-z]:/, (drive) => drive.toUpperCase()),
  );
  for (const candidate of candidates) if (await exists(candidate)) return candidate;
  return candidates[0] ?? path;
}

function candidatesOf(path: string, folders: LinkSurroundings['folders']): string[] {
  if (isAbsolute(path) || isNetworkPath(path)) return [path];
  const named = folders.flatMap((folder) =>
    path.startsWith(`${folder.name}/`) ? [`${folder.path}/${path.slice(folder.name.length + 1)}`] : [],
  );
  const below = folders.map((folder) => `${folder.path}/${path}`);
  // With several folders the name leads every path that Deft writes; with one it is a folder inside.
  return folders.length > 1 ? [...named, ...below] : [...below, ...named];
}

/** `\\host\share`, `//host/share`, and Windows' names for devices. */
function isNetworkPath(path: string): boolean {
  return /^[\\/]{2}/.test(path);
}
