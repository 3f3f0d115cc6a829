// A temporary folder in the place of /w: real files, links and pipes of a table's row.
import { execFileSync } from 'node:child_process';
import {
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createNodeFileSystem } from '../../src/node/files/node-file-system';
import { type MemoryEntry, shownBytes } from './memory-files';
import { type FileStore } from './tool-table';

export async function folderFiles(entries: Record<string, MemoryEntry>): Promise<FileStore> {
  const root = await realpath(await mkdtemp(path.join(tmpdir(), 'deft-table-')));
  const real = (name: string): string => name.replace(/^\/w(?=\/|$)/, root);
  let time = 1_700_000_000;
  for (const [name, entry] of Object.entries(entries)) {
    const place = real(name);
    await mkdir(path.dirname(place), { recursive: true });
    await make(place, entry, real);
    // Later rows are newer, as Glob lists them.
    if (typeof entry === 'string') await utimes(place, (time += 10), time);
  }
  const results = `${root}-results`;
  return {
    root,
    results,
    files: createNodeFileSystem(),
    snapshot: async () => Object.fromEntries(await seen(root, '/w')),
    dispose: async () => {
      for (const folder of [root, results]) await rm(folder, { recursive: true, force: true });
    },
  };
}

async function make(place: string, entry: MemoryEntry, real: (name: string) => string): Promise<void> {
  if (typeof entry === 'string' || entry instanceof Uint8Array) await writeFile(place, entry);
  else if ('bytes' in entry) await writeFile(place, entry.bytes);
  else if ('link' in entry) await symlink(real(entry.link), place);
  else if (entry.type === 'directory') await mkdir(place, { recursive: true });
  else execFileSync('mkfifo', [place]);
}

async function seen(folder: string, name: string): Promise<[string, string][]> {
  const found: [string, string][] = [[name, 'directory']];
  for (const child of await readdir(folder)) {
    const place = path.join(folder, child);
    const stat = await lstat(place);
    const own = `${name}/${child}`;
    if (stat.isDirectory()) found.push(...(await seen(place, own)));
    else if (stat.isSymbolicLink()) found.push([own, `link ${await readlink(place)}`]);
    else if (stat.size > 10_000_000) found.push([own, `${stat.size} bytes`]);
    else found.push([own, stat.isFile() ? shownBytes(await readFile(place)) : 'other']);
  }
  return found;
}
