// Which files the VSIX holds: what .vscodeignore lets through, as vsce reads it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import picomatch from 'picomatch';
import { RigError } from './rig-error';

const listName = '.vscodeignore';

/** Paths from `folder`, with slashes; undefined where the folder has no .vscodeignore. */
export function shippedFiles(folder: string): string[] | undefined {
  const list = path.join(folder, listName);
  if (!existsSync(list)) return undefined;
  const lines = readFileSync(list, 'utf8')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const [all, ...others] = lines;
  const patterns = others.map((line) => line.slice(1));
  // So only what is named needs to be looked at, and not all of node_modules.
  if (all !== '**' || !others.every((line) => line.startsWith('!')))
    throw new RigError(`${list} must hold "**", and then only what is let through ("!…").`);
  const isShipped = picomatch(patterns, { dot: true });
  const tops = [...new Set(patterns.map((pattern) => pattern.split('/')[0] ?? ''))];
  return tops
    .flatMap((top) => filesBelow(folder, top))
    .filter((file) => isShipped(file))
    .sort();
}

function filesBelow(folder: string, top: string): string[] {
  const entries = existsSync(path.join(folder, top))
    ? readdirSync(folder, { withFileTypes: true }).filter(({ name }) => name === top)
    : [];
  return entries.flatMap((entry) => {
    if (!entry.isDirectory()) return [top];
    const inside = readdirSync(path.join(folder, top), { recursive: true, withFileTypes: true });
    return inside
      .filter((each) => !each.isDirectory())
      .map((each) => path.relative(folder, path.join(each.parentPath, each.name)).replaceAll(path.sep, '/'));
  });
}
