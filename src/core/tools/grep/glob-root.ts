// Where a search starts and how its results are named: shared by Glob and Grep.
import { dirname, isAbsolute, relative, resolve } from 'pathe';
import { withoutScheme, withoutWrapping } from '../files/file-path';

const magic = /[*?[\]{}\\]/;

/**
 * The fixed folders at the start of a pattern become the root of the search, so that nothing outside them is walked and
 * permissions see the folder that is really listed. What is left is anchored there (`/*.ts`) where it was before.
 */
export function globRoot(pattern: string, folder: string): { root: string; pattern: string } {
  const slashed = /^[A-Za-z]:\\/.test(pattern) ? pattern.replaceAll('\\', '/') : pattern;
  if (!slashed.includes('/') || slashed.startsWith('!')) return { root: folder, pattern };
  const segments = slashed.split('/');
  const firstMagic = segments.findIndex((segment) => magic.test(segment));
  const fixed = segments.slice(0, firstMagic < 0 ? segments.length - 1 : firstMagic);
  const rest = segments.slice(fixed.length).join('/');
  const prefix = fixed.length === 1 && fixed[0] === '' ? '/' : fixed.join('/');
  return {
    root: prefix === '' ? folder : resolvePath(prefix, folder),
    pattern: rest === '' || rest === '**' ? '**' : `/${rest}`,
  };
}

/** The path that an input names: relative ones count from `cwd`. */
export function resolvePath(path: string | undefined, cwd: string): string {
  return path === undefined || path === '' ? cwd : resolve(cwd, withoutScheme(path));
}

/** Which folder was searched, where the call names none and the workspace has several. */
export function searchedNote(
  given: string | undefined,
  { cwd, folders }: { cwd: string; folders: readonly string[] },
): string[] {
  const others = folders.filter((folder) => folder !== cwd);
  if (folders.length < 2 || (given !== undefined && given !== '')) return [];
  return [`Only ${cwd} was searched. The workspace has ${others.join(' and ')} too: give one as path.`];
}

/** A folder or file to search that is not there. `parameter` takes patterns. */
export function missingPlace(
  path: string,
  given: string | undefined,
  { cwd, home }: { cwd: string; home: string },
  parameter: 'glob' | 'pattern',
): string {
  if (given !== undefined && /^~(?:\/|$)/.test(given)) return `${path} does not exist. ${homeHint(given, home)}`;
  if (given !== undefined && withoutWrapping(given) !== given)
    return `${path} does not exist. Give ${withoutWrapping(given)} without the characters around it.`;
  return `${path} does not exist. ${given !== undefined && /[*?{]/.test(given) ? patternHint(given, cwd, parameter) : `Check the path, or leave it out to search ${cwd}.`}`;
}

/** "~" is a folder only for a shell. */
export function homeHint(given: string, home: string): string {
  return `"~" is not expanded: did you mean ${resolve(home, `.${given.slice(1)}`)}?`;
}

function patternHint(given: string, cwd: string, parameter: 'glob' | 'pattern'): string {
  const { root, pattern } = globRoot(given, cwd);
  return `path is not a pattern: give path ${JSON.stringify(shownPath(root, cwd))} and ${parameter} ${JSON.stringify(pattern.replace(/^\//, ''))}.`;
}

/** Relative to `cwd` when inside it, else absolute: whichever is shorter and still leads there. */
export function shownPath(path: string, cwd: string): string {
  if (path === cwd) return '.';
  const folder = cwd.endsWith('/') ? cwd : `${cwd}/`;
  if (!path.startsWith(folder)) return path;
  const below = path.slice(folder.length);
  // A search shows hundreds of paths, and relative() takes its time.
  return /(^|\/)\.{0,2}(\/|$)/.test(below) ? relative(cwd, path) : below;
}

/** The nearest parent that an error message can offer. */
export function parentOf(path: string): string {
  return isAbsolute(path) ? dirname(path) : '.';
}
