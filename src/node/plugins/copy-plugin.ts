// Copies a plugin's folder, and only what lies in it: a link that leads elsewhere is left out, and reported.
import { copyFile, lstat, mkdir, readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '../../core/text/errors';
import { pluginLimits } from './folder-content';

const { files: maxFiles, bytes: maxBytes, depth: maxDepth } = pluginLimits;

/** `into` must not exist. What was left out, or a sentence why it cannot be copied. */
export async function copyPlugin(from: string, into: string): Promise<{ leftOut: string[] } | { problem: string }> {
  const leftOut: string[] = [];
  let [files, bytes] = [0, 0];
  try {
    const root = await realpath(from);
    const isInside = (target: string): boolean => target === root || target.startsWith(root + path.sep);
    const copy = async (source: string, target: string, depth: number): Promise<void> => {
      if (depth > maxDepth) throw new Error('its folders are nested too deeply');
      await mkdir(target, { recursive: true });
      for (const name of (await readdir(source)).sort()) {
        if (name === '.git') continue;
        const [own, copied] = [path.join(source, name), path.join(target, name)];
        const link = (await lstat(own)).isSymbolicLink();
        const real = link ? await realpath(own).catch(() => undefined) : own;
        // One that leads to a folder around it has no end.
        if (real === undefined || !isInside(real) || (link && own.startsWith(real + path.sep))) {
          leftOut.push(path.relative(root, own));
          continue;
        }
        const found = await stat(real);
        if (found.isDirectory()) await copy(own, copied, depth + 1);
        else if (found.isFile()) {
          files++;
          bytes += found.size;
          if (files > maxFiles || bytes > maxBytes)
            throw new Error(`it has more than ${maxFiles} files, or more than ${maxBytes / 1024 / 1024} MB`);
          await copyFile(real, copied);
        } else leftOut.push(path.relative(root, own));
      }
    };
    await copy(root, into, 0);
    return { leftOut };
  } catch (error) {
    return { problem: `${from} cannot be copied: ${messageOf(error)}.` };
  }
}
