// Finds git and other programs among the folders of PATH, for Deft's own use of them.
import { existsSync } from 'node:fs';
import path from 'node:path';

export function findGit(environment: NodeJS.ProcessEnv): string | undefined {
  return findProgram(environment, 'git');
}

/** By its whole path: some systems would look into the repository's folder first. */
export function findProgram(environment: NodeJS.ProcessEnv, name: string): string | undefined {
  const variable = Object.keys(environment).find((one) => one.toUpperCase() === 'PATH') ?? 'PATH';
  const folders = (environment[variable] ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  return folders
    .map((folder) => path.join(folder, process.platform === 'win32' ? `${name}.exe` : name))
    .find((file) => existsSync(file));
}
