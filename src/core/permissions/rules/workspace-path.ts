// Paths for permission checks: one spelling, inside or outside, and what `~` and `.` mean.
import { isAbsolute, join, normalize } from 'pathe';

/** Forward slashes, no `.`, `..` or trailing slash. */
export function normalPath(path: string): string {
  const normal = normalize(path);
  return normal.length > 1 && normal.endsWith('/') && !/^[A-Za-z]:\/$/.test(normal) ? normal.slice(0, -1) : normal;
}

/** Relative paths are taken from `cwd`. */
export function absolutePath(path: string, cwd: string): string {
  return normalPath(isAbsolute(path) ? path : join(cwd, path));
}

export function isInside(path: string, folder: string, ignoreCase: boolean): boolean {
  const inner = fold(normalPath(path), ignoreCase);
  const outer = fold(normalPath(folder), ignoreCase);
  return inner === outer || inner.startsWith(outer.endsWith('/') ? outer : `${outer}/`);
}

export function isInsideAny(path: string, folders: readonly string[], ignoreCase: boolean): boolean {
  return folders.some((folder) => isInside(path, folder, ignoreCase));
}

/** The path below `folder`, without a leading slash; undefined where it is not below it. `''` is the folder itself. */
export function pathBelow(path: string, folder: string, ignoreCase: boolean): string | undefined {
  if (!isInside(path, folder, ignoreCase)) return undefined;
  const outer = normalPath(folder);
  return normalPath(path).slice(outer.endsWith('/') ? outer.length : outer.length + 1);
}

/** `C:/x` and `//server/x` as rules write them: `/c/x`, `/server/x`. */
export function rulePath(path: string): string {
  const normal = normalPath(path);
  const drive = /^([A-Za-z]):(.*)$/.exec(normal);
  if (drive !== null) return normalPath(`/${(drive[1] ?? '').toLowerCase()}/${drive[2] ?? ''}`);
  return normal.startsWith('//') ? normal.slice(1) : normal;
}

function fold(path: string, ignoreCase: boolean): string {
  return ignoreCase ? path.toLowerCase() : path;
}
