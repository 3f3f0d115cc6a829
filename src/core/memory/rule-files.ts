// The Markdown files of a rules folder, at any depth, in the order of their names.
import { join } from 'pathe';
import { type Path } from '../ports/path';
import { type MemoryFiles } from './memory-cache';

const maxDepth = 8;
const maxFiles = 200;

/** Empty if there is no such folder. Folders that are links are followed, each once. */
export async function ruleFiles(folder: Path, files: MemoryFiles): Promise<Path[]> {
  if ((await files.stat(folder))?.type !== 'directory') return [];
  const seen = new Set<Path>();
  const found: Path[] = [];
  const visit = async (at: Path, depth: number): Promise<void> => {
    const realPath = await files.realPath(at);
    if (seen.has(realPath) || depth > maxDepth) return;
    seen.add(realPath);
    // Gone, or closed to us, between two looks.
    const entries = await files.list(at).catch(() => []);
    for (const { name, type } of [...entries].sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (found.length >= maxFiles) return;
      if (type === 'directory') await visit(join(at, name), depth + 1);
      else if (type === 'file' && name.toLowerCase().endsWith('.md')) found.push(join(at, name));
    }
  };
  await visit(folder, 0);
  return found;
}
