// Problems that a language server reports of a move because it has not looked yet: the module that it misses has just been moved there. Pure.
import { dirname, join } from 'pathe';
import { type Diagnostic } from '../../ports/diagnostics';
import { type Path } from '../../ports/path';
import { extensionOf, isRelative, readingsOf } from './module-paths';

/** TypeScript's "Cannot find module". */
const noModule = '2307';
/** What TypeScript finds by itself; of a style sheet the problem may be true although the file is there. */
const scripts = /^\.(?:d\.[cm]?ts|[cm]?[jt]s|[jt]sx)$/;

/** `there`: the files that were moved, at their new places. */
export function isLate({ path, code, message }: Diagnostic, there: ReadonlySet<Path>): boolean {
  const specifier = code === noModule ? /^[^'"]*(['"])(.+?)\1/.exec(message)?.[2] : undefined;
  if (specifier === undefined || !isRelative(specifier)) return false;
  return readingsOf(join(dirname(path), specifier)).some(
    ({ file }) => there.has(file) && scripts.test(extensionOf(file)),
  );
}
