// Managed settings for a run in a process of its own: an organization's folder is read from a folder of the test instead.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { managedFolderOf } from '../../src/core/settings/settings-places';
import { type HeadlessPlace } from './headless-run';

export interface ManagedFiles {
  /** What the run sees, for sentences. */
  file: string;
  /** Of the run. */
  env: Record<string, string>;
  /** In the organization's folder. */
  write(name: string, text: string): Promise<void>;
}

/**
 * The product has no way to name another folder, since that would be a way around it. So the process reads this one by a
 * module that is loaded before it and changes the paths of its file system calls.
 */
export async function managedFiles(place: Pick<HeadlessPlace, 'home'>): Promise<ManagedFiles> {
  const root = path.dirname(place.home);
  const instead = path.join(root, 'managed');
  const folder = managedFolderOf(process.platform);
  const script = path.join(root, 'managed.cjs');
  await mkdir(instead, { recursive: true });
  await writeFile(script, redirection(path.normalize(folder), instead));
  return {
    file: `${folder}/managed-settings.json`,
    env: { NODE_OPTIONS: `--require ${JSON.stringify(script)}` },
    async write(name, text) {
      const file = path.join(instead, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, text);
    },
  };
}

function redirection(folder: string, instead: string): string {
  return `const folder = ${JSON.stringify(folder)};
const moved = (file) =>
  typeof file === 'string' && require('node:path').normalize(file).startsWith(folder)
    ? ${JSON.stringify(instead)} + require('node:path').normalize(file).slice(folder.length)
    : file;
for (const module of [require('node:fs/promises'), require('node:fs')])
  for (const name of ['open', 'readFile', 'readdir', 'stat', 'lstat', 'realpath', 'access', 'opendir']) {
    const real = module[name];
    if (typeof real === 'function') module[name] = (file, ...rest) => real(moved(file), ...rest);
  }
`;
}
