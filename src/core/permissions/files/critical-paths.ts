// Folders whose removal is never automatic: the root, its folders, home, the working folder and what holds it.
import { type PermissionContext } from '../rules/verdict';
import { isInside, normalPath } from '../rules/workspace-path';

/** Folders that only the command line itself enters do not count. */
export function isCriticalPath(path: string, context: PermissionContext): boolean {
  const normal = normalPath(path);
  if (/^(\/+[^/]*|[A-Za-z]:\/?[^/]*|\/\/[^/]+(\/[^/]*)?)$/.test(normal)) return true;
  return [context.home, context.cwd, ...context.folders].some((folder) => isInside(folder, normal, context.ignoreCase));
}
