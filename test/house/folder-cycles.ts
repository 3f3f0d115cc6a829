// Folders that reach each other by imports, type imports included: nobody can read one without the other.
import { folderOf } from '../unit/tidy/floors';
import { type SourceFile } from '../unit/tidy/source-files';

/** The groups of folders in which each folder reaches every other one. */
export function folderCycles(files: readonly Pick<SourceFile, 'path' | 'imports'>[]): string[][] {
  const folders = new Set(files.map(({ path }) => folderOf(path)));
  const reached = new Map([...folders].map((folder) => [folder, new Set<string>()]));
  for (const { path, imports } of files) {
    for (const { file } of imports) {
      if (file !== undefined && folders.has(folderOf(file))) reached.get(folderOf(path))?.add(folderOf(file));
    }
  }
  const from = new Map([...folders].map((folder) => [folder, allReached(folder, reached)]));
  const groups: string[][] = [];
  const placed = new Set<string>();
  for (const folder of [...folders].sort()) {
    if (placed.has(folder)) continue;
    const group = [...folders].filter(
      (other) => other === folder || (from.get(folder)?.has(other) === true && from.get(other)?.has(folder) === true),
    );
    for (const one of group) placed.add(one);
    if (group.length > 1) groups.push(group.sort());
  }
  return groups;
}

function allReached(folder: string, next: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const seen = new Set<string>();
  const open = [folder];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    for (const other of next.get(one) ?? []) {
      if (seen.has(other)) continue;
      seen.add(other);
      open.push(other);
    }
  }
  return seen;
}
