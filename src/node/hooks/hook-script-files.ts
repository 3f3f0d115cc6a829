// The content of the scripts that a project's hooks name, read anew each time: neither size nor time proves that a file is unchanged.
import { createHash } from 'node:crypto';
import { type HookEntry } from '../../core/hooks/hook-entry';
import { scriptPaths } from '../../core/hooks/hook-scripts';
import { readRegularFile } from '../files/regular-file';

/** Longer scripts are not looked at, so nobody can agree to them. */
export const maxScriptBytes = 1024 * 1024;
export const tooLongToHash = 'too long';

export interface HookFolders {
  /** `CLAUDE_PROJECT_DIR`. */
  project: string;
  /** Where the hook runs; its own project's folder where that is not known yet. */
  cwd?: string;
  /** Of the workspace: files elsewhere are not the project's to change. */
  workspace: readonly string[];
}

/** By path: a hash of the content, or `tooLongToHash`. Only files that exist. */
export async function readHookScripts(
  entries: readonly Pick<HookEntry, 'handler' | 'root'>[],
  { project, cwd, workspace }: HookFolders,
): Promise<Record<string, string>> {
  const paths = entries.flatMap(({ handler, root }) =>
    [root, ...(cwd === undefined ? [] : [cwd])].flatMap((folder) =>
      scriptPaths(handler, { folder, project }).filter((path) =>
        [root, ...workspace].some((inside) => path.startsWith(`${inside}/`)),
      ),
    ),
  );
  const found = await Promise.all(
    [...new Set(paths)].sort().map(async (path) => [path, await contentOf(path)] as const),
  );
  return Object.fromEntries(found.filter((one): one is [string, string] => one[1] !== undefined));
}

/** Undefined for what holds no script: a folder, a FIFO, nothing at all. */
async function contentOf(path: string): Promise<string | undefined> {
  const read = await readRegularFile(path, maxScriptBytes);
  if (read.outcome === 'refused') return read.code === 'too_large' ? tooLongToHash : undefined;
  return createHash('sha256').update(read.bytes).digest('hex');
}
