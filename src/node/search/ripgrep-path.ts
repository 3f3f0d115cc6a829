// Finds the ripgrep to run: the one that VS Code ships, the npm package, or one on PATH, which may be years older.
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import path from 'node:path';

export interface RipgrepPlaces {
  /** VS Code's `env.appRoot`; undefined outside VS Code. */
  appRoot?: string | undefined;
  /** The PATH variable. */
  searchPath?: string | undefined;
  /** Folders that may hold a `node_modules` with the npm package, in themselves or in a parent. */
  packageRoots?: readonly string[] | undefined;
  platform?: string;
  arch?: string;
}

/** An executable file's absolute path, or undefined where there is none. */
export async function findRipgrep(places: RipgrepPlaces): Promise<string | undefined> {
  for (const candidate of ripgrepCandidates(places)) {
    const found = await access(candidate, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (found) return candidate;
  }
  return undefined;
}

/** Every place to look at, best first. VS Code's layout is not API and has moved before. */
export function ripgrepCandidates(places: RipgrepPlaces): string[] {
  const platform = places.platform ?? process.platform;
  const arch = places.arch ?? process.arch;
  const binary = platform === 'win32' ? 'rg.exe' : 'rg';
  const layouts = [
    ['@vscode', 'ripgrep-universal', 'bin', `${platform}-${arch}`, binary],
    ['@vscode', 'ripgrep', 'bin', binary],
    ['@vscode', `ripgrep-${platform}-${arch}`, 'bin', binary],
  ];
  const { appRoot } = places;
  const shipped = appRoot
    ? layouts.flatMap((layout) =>
        ['node_modules.asar.unpacked', 'node_modules'].map((modules) => path.join(appRoot, modules, ...layout)),
      )
    : [];
  // A relative entry would run whatever the workspace contains.
  const onPath = (places.searchPath ?? '')
    .split(platform === 'win32' ? ';' : ':')
    .filter((folder) => path.isAbsolute(folder))
    .map((folder) => path.join(folder, binary));
  const packaged = (places.packageRoots ?? [])
    .flatMap(withParents)
    .flatMap((folder) => layouts.map((layout) => path.join(folder, 'node_modules', ...layout)));
  return [...new Set([...shipped, ...packaged, ...onPath])];
}

function withParents(folder: string): string[] {
  const parent = path.dirname(folder);
  return parent === folder ? [folder] : [folder, ...withParents(parent)];
}
