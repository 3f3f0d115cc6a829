// Where the runner runs: folder, added folders, shell, date.
import { defined } from '../shared/defined';
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Environment } from '../core/text/environment-reminder';
import { DeftError } from '../core/text/errors';
import { localDay } from '../core/text/local-day';
import { portPath } from '../node/files/port-path';

/** `given` in place of the current one. Throws a DeftError where it is gone. Links are resolved, so that rules and sessions see one name. */
export async function currentFolder(given?: string): Promise<string> {
  try {
    return await realpath(given ?? process.cwd());
  } catch (error) {
    const message =
      given === undefined
        ? 'The current folder no longer exists: change to another one and start again.'
        : `The folder ${given} does not exist.`;
    throw new DeftError('folder-gone', message, { audience: 'user', cause: error });
  }
}

/** The folders of --add-dir, links resolved. Throws a DeftError that names the one that is not a folder. */
export async function addedFolders(cwd: string, folders: readonly string[]): Promise<string[]> {
  return Promise.all(
    folders.map(async (folder) => {
      const full = path.resolve(cwd, folder);
      const stats = await stat(full).catch(() => undefined);
      if (stats?.isDirectory() !== true) {
        throw new DeftError(
          'added-folder',
          `--add-dir: ${full} ${stats === undefined ? 'does not exist' : 'is not a folder'}.`,
          { audience: 'user' },
        );
      }
      return portPath(await realpath(full));
    }),
  );
}

/** `folders` come behind the working directory. */
export function describeEnvironment(cwd: string, folders: readonly string[], branch: string | undefined): Environment {
  return {
    cwd: portPath(cwd),
    folders: [...new Set([portPath(cwd), ...folders])],
    platform: process.platform,
    shell: process.env['SHELL'] || 'bash',
    date: localDay(new Date()),
    ...defined({ gitBranch: branch }),
  };
}
