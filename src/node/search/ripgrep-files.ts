// The files of a folder, with or without those that ignore files leave out, as ripgrep lists them.
import { isInRepository } from '../repository';
import { ignoreScope, withoutRepositoryFolders } from './ripgrep-arguments';
import { createPathReader } from './ripgrep-lines';
import { runRipgrep } from './ripgrep-process';
import { portPath } from '../files/port-path';

export interface FileListing {
  executable: string;
  folder: string;
  /** Glob patterns of what else is left out. */
  excluding: readonly string[];
  followLinks: boolean;
  /** With those that ignore files leave out. */
  ignored?: boolean;
  /** Only files whose paths hold this, in any case. */
  containing?: string;
  /** More are not listed. */
  limit: number;
}

/** Relative paths, forward slashes, in no order; undefined where ripgrep cannot list the folder. */
export async function listFiles(
  { executable, folder, excluding, followLinks, ignored = false, containing = '', limit }: FileListing,
  signal: AbortSignal,
): Promise<string[] | undefined> {
  const paths: string[] = [];
  const typed = containing.toLowerCase();
  const read = createPathReader((printed) => {
    const path = portPath(printed);
    if (typed === '' || path.toLowerCase().includes(typed)) paths.push(path);
  });
  const args = [
    '--no-config',
    '--no-messages',
    '--files',
    '--null',
    '--hidden',
    ...(followLinks ? ['--follow'] : []),
    ...(ignored ? ['--no-ignore'] : ignoreScope(isInRepository(folder) ? 'repository' : 'folder')),
    ...excluding.map((pattern) => `--glob=!${pattern}`),
    ...withoutRepositoryFolders(folder),
  ];
  const end = await runRipgrep(
    { executable, args, cwd: folder, onData: (chunk) => (read(chunk), paths.length < limit) },
    signal,
  );
  return end.outcome === 'failed' ? undefined : paths.slice(0, limit);
}
