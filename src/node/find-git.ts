// Finds git among the folders of PATH, for Deft's own use of it.
import { existsSync } from 'node:fs';
import path from 'node:path';

/** By its whole path: some systems would look into the repository's folder first. */
export function findGit(environment: NodeJS.ProcessEnv): string | undefined {
  const variable = Object.keys(environment).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
  const folders = (environment[variable] ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  return folders
    .map((folder) => path.join(folder, process.platform === 'win32' ? 'git.exe' : 'git'))
    .find((file) => existsSync(file));
}
