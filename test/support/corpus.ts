// The cases of public projects in a folder next to this project, where they exist: tests that want them skip visibly.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve('../shared/corpus');

/** A folder or file of the corpus; the test that asks is skipped where it is missing. */
export function corpusPath(test: Mocha.Context, name: string): string {
  const place = path.join(root, name);
  if (existsSync(place)) return place;
  console.log(`      skipped: there is no ${name} corpus beside the project`);
  return test.skip();
}

export interface CorpusFile {
  /** Below the folder. */
  name: string;
  bytes: Buffer;
}

/** Every file but the licences. */
export function corpusFiles(test: Mocha.Context, folder: string): CorpusFile[] {
  const place = corpusPath(test, folder);
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('LICENSE'))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .map((file) => ({ name: path.relative(place, file), bytes: readFileSync(file) }));
}

/** What was done, in the test's output: "342 edits: 300 made, 42 refused". */
export function printFigures(figures: string): void {
  console.log(`      ${figures}`);
}

/** How often each answer came, as "12 ok, 3 binary". */
export function tally(codes: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const code of codes) counts.set(code, (counts.get(code) ?? 0) + 1);
  return [...counts].map(([code, count]) => `${count} ${code}`).join(', ');
}
