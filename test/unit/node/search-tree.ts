// A folder of small files for search tests.
import { mkdir, mkdtemp, realpath, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface Tree {
  root: string;
  remove(): Promise<void>;
}

/** Later entries are newer. Text or bytes by relative path. */
export async function makeTree(files: Record<string, string | Uint8Array>): Promise<Tree> {
  const root = await realpath(await mkdtemp(path.join(tmpdir(), 'deft-tree-')));
  let time = 1_700_000_000;
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(root, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
    await utimes(file, time, time);
    time += 10;
  }
  return { root, remove: () => rm(root, { recursive: true, force: true }) };
}
