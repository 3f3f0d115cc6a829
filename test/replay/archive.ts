// A small repository as one text file: `-- path --` on a line of its own begins each file.
import { readFileSync } from 'node:fs';

export type Files = Readonly<Record<string, string>>;

export function readRepository(name: string): Files {
  return filesOf(readFileSync(`test/replay/repositories/${name}.txt`, 'utf8'));
}

export function filesOf(archive: string): Files {
  const parts = archive.split(/^-- (\S+) --\n/m).slice(1);
  return Object.fromEntries(
    parts.flatMap((path, index) => (index % 2 === 0 ? [[path, parts[index + 1] ?? ''] as const] : [])),
  );
}
