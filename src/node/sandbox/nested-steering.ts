// Files in subfolders that steer tools, as far as they exist when the sandbox starts: a nested package's `.claude`, a `.git/hooks` of an added folder.
import path from 'node:path';
import { createPathReader } from '../search/ripgrep-lines';
import { runRipgrep } from '../search/ripgrep-process';

/** Deeper ones are not held. */
const searchDepth = 8;
/** A tree that takes longer, or holds more, is held as far as it was seen: commands wait for this once. */
const maxMs = 500;
const maxFound = 200;

/** `names` may have two parts; dependencies are ignored, as what they hold steers nothing that a user starts. */
export async function nestedSteering(
  ripgrep: string,
  folders: readonly string[],
  names: readonly string[],
): Promise<string[]> {
  const found = new Set<string>();
  const globs = names.flatMap((name) => [`--iglob=**/${name}`, `--iglob=**/${name}/**`]);
  const args = [
    '--no-config',
    '--no-messages',
    '--files',
    '--null',
    '--hidden',
    '--no-ignore',
    `--max-depth=${searchDepth}`,
    ...globs,
    '--glob=!**/node_modules/**',
  ];
  const wanted = names.map((name) => name.toLowerCase().split('/'));
  await Promise.all(
    folders.map((folder) => {
      const read = createPathReader((printed) => {
        const parts = printed.split(/[\\/]/);
        const at = parts.findIndex((_part, index) =>
          wanted.some((name) => name.every((one, offset) => parts[index + offset]?.toLowerCase() === one)),
        );
        const length =
          wanted.find((name) => name.every((one, offset) => parts[at + offset]?.toLowerCase() === one))?.length ?? 0;
        if (at > 0 && found.size < maxFound) found.add(path.join(folder, ...parts.slice(0, at + length)));
      });
      const onData = (chunk: Buffer): boolean => (read(chunk), found.size < maxFound);
      return runRipgrep({ executable: ripgrep, args, cwd: folder, onData }, AbortSignal.timeout(maxMs)).catch(
        () => undefined,
      );
    }),
  );
  return [...found];
}
