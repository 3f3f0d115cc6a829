// Lists what a snapshot of a folder covers: files that are not ignored, links among them, and folders that are empty.
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { isInRepository } from '../repository';
import { ignoreScope, withoutRepositoryFolders } from '../search/ripgrep-arguments';
import { createPathReader } from '../search/ripgrep-lines';
import { runRipgrep } from '../search/ripgrep-process';

const repositoryFolders = new Set(['.git', '.hg', '.svn', '.jj']);
/** Folders in folders without a file: generated trees stop at their first file. */
const deepestEmpty = 12;
/** Folders that are looked into at once. */
const width = 16;

/** Absolute paths; undefined where the folder cannot be listed. `limit` counts files. */
export async function coveredPaths(
  executable: string,
  folder: string,
  limit: number,
  signal: AbortSignal,
): Promise<{ paths: string[]; more: boolean } | undefined> {
  const files: string[] = [];
  const read = createPathReader((printed) => void files.push(path.join(folder, printed)));
  const args = [
    '--no-config',
    '--no-messages',
    '--files',
    '--null',
    '--hidden',
    ...ignoreScope(isInRepository(folder) ? 'repository' : 'folder'),
    ...withoutRepositoryFolders(folder),
  ];
  const end = await runRipgrep(
    { executable, args, cwd: folder, onData: (chunk) => (read(chunk), files.length <= limit) },
    signal,
  );
  if (end.outcome === 'failed') return undefined;
  const more = files.length > limit;
  const listed = more ? files.slice(0, limit) : files;
  return { paths: [...listed, ...(await extraFiles(folder, listed))], more };
}

/** ripgrep lists neither links nor empty folders. */
async function extraFiles(folder: string, files: readonly string[]): Promise<string[]> {
  const folders = new Set([folder]);
  for (const file of files)
    for (let at = path.dirname(file); at.length > folder.length && !folders.has(at); at = path.dirname(at))
      folders.add(at);
  const found: string[] = [];
  const visit = async (at: string, depth: number): Promise<void> => {
    const entries = await readdir(at, { withFileTypes: true }).catch(() => undefined);
    if (entries === undefined) return;
    const isListed = folders.has(at);
    // A folder without any file that counts: what it holds is ignored, unless it holds folders only.
    if (!isListed && entries.some((entry) => !entry.isDirectory() && !entry.isSymbolicLink())) return;
    if (!isListed && entries.length === 0) found.push(at);
    for (const entry of entries) {
      const inside = path.join(at, entry.name);
      if (entry.isSymbolicLink()) found.push(inside);
      else if (entry.isDirectory() && !folders.has(inside) && depth > 0 && !repositoryFolders.has(entry.name))
        await visit(inside, isListed ? deepestEmpty : depth - 1);
    }
  };
  const waiting = [...folders];
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) await visit(at, deepestEmpty);
    }),
  );
  return found;
}
