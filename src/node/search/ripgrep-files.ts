// The files of a folder that its ignore files leave, as ripgrep lists them.
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
  /** Only files whose names hold this, in any case. */
  named?: string;
  /** More are not listed. */
  limit: number;
}

/** Relative paths, forward slashes, in no order; undefined where ripgrep cannot list the folder. */
export async function listFiles(
  { executable, folder, excluding, followLinks, named, limit }: FileListing,
  signal: AbortSignal,
): Promise<string[] | undefined> {
  const paths: string[] = [];
  const read = createPathReader((printed) => void paths.push(portPath(printed)));
  const args = [
    '--no-config',
    '--no-messages',
    '--files',
    '--null',
    '--hidden',
    ...(followLinks ? ['--follow'] : []),
    ...ignoreScope(isInRepository(folder) ? 'repository' : 'folder'),
    ...excluding.map((pattern) => `--glob=!${pattern}`),
    // A type, since a glob would include files that are ignored.
    ...(named === undefined ? [] : [`--type-add=deftnames:*${anyCase(named)}*`, '--type=deftnames']),
    ...withoutRepositoryFolders(folder),
  ];
  const end = await runRipgrep(
    { executable, args, cwd: folder, onData: (chunk) => (read(chunk), paths.length < limit) },
    signal,
  );
  return end.outcome === 'failed' ? undefined : paths.slice(0, limit);
}

/** A glob for the text, whatever its case. */
export function anyCase(text: string): string {
  return [...text]
    .map((character) => {
      const [lower, upper] = [character.toLowerCase(), character.toUpperCase()];
      if (lower !== upper && [...lower].length === 1 && [...upper].length === 1) return `[${lower}${upper}]`;
      // An escape is not understood everywhere, and `?` fits whatever it is.
      return /[*?[\]{}\\,:]/.test(character) ? '?' : character;
    })
    .join('');
}
