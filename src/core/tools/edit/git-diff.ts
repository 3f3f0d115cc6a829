// A change in git's diff format, where the file is in a checkout. No git is started.
import { dirname, join, relative } from 'pathe';
import { z } from 'zod/v3';
import { type TextDiff } from '../../edits/diff-hunks';
import { type FileSystem } from '../../ports/files';
import { type Path } from '../../ports/path';

export const gitDiffSchema = z.object({
  /** From the root of the checkout. */
  filename: z.string(),
  status: z.enum(['added', 'modified']),
  additions: z.number(),
  deletions: z.number(),
  changes: z.number(),
  /** In the form of `git diff`. */
  patch: z.string(),
});
export type GitDiff = z.infer<typeof gitDiffSchema>;

/** Undefined outside of checkouts, and where the patch would be longer than `maxLines`. */
export async function gitDiffOf(
  path: Path,
  created: boolean,
  { hunks, added, removed }: TextDiff,
  maxLines: number,
  files: Pick<FileSystem, 'stat'>,
): Promise<GitDiff | undefined> {
  if (hunks.length === 0 || hunks.reduce((sum, { lines }) => sum + lines.length, 0) > maxLines) return undefined;
  const root = await checkoutOf(path, files);
  if (root === undefined) return undefined;
  const filename = relative(root, path);
  const patch = [
    `diff --git a/${filename} b/${filename}`,
    ...(created ? ['new file mode 100644'] : []),
    created ? '--- /dev/null' : `--- a/${filename}`,
    `+++ b/${filename}`,
    ...hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
      `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
      ...lines,
    ]),
    '',
  ].join('\n');
  return {
    filename,
    status: created ? 'added' : 'modified',
    additions: added,
    deletions: removed,
    changes: added + removed,
    patch,
  };
}

/** The nearest folder around the file that has a `.git`: a folder, or a file in worktrees and submodules. */
async function checkoutOf(path: Path, files: Pick<FileSystem, 'stat'>): Promise<Path | undefined> {
  const folders: Path[] = [];
  for (let at = dirname(path); folders.at(-1) !== at; at = dirname(at)) folders.push(at);
  const found = await Promise.all(folders.map((folder) => files.stat(join(folder, '.git'))));
  return folders.find((_folder, index) => found[index] !== undefined);
}
