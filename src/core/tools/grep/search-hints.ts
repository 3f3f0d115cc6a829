// What a search that found nothing may have meant: sentences for patterns that are written as for another program.
import { splitGlobs } from '../../search/glob-pattern';

const quoted = /^(["'`]).+\1$/s;
const quotesCount = 'The quotes around it are part of the pattern.';

/** The hint for a glob; undefined where it is written as globs are. */
export function globHint(pattern: string): string | undefined {
  if (pattern.endsWith('/')) return 'A glob finds files, not folders: end the pattern with /** to list their files.';
  if (/^\^|\$$|\\[.wds]|\([^)]*\|/.test(pattern))
    return 'This is a glob, not a regular expression: * stands for any part of a name, **/ for any folders, {a,b} for alternatives.';
  if (quoted.test(pattern)) return quotesCount;
  if (splitGlobs(pattern).length > 1 || /\||\s\S*[*?]/.test(pattern))
    return 'A pattern is a single glob: write alternatives as {a,b}, for example "**/*.{ts,tsx}".';
  return undefined;
}

/** The hint for a regular expression. */
export function grepHint(pattern: string): string | undefined {
  if (/(?<!\\)(?:\\\\)*\\\|/.test(pattern)) return '`\\|` is a literal | here: write alternatives as a|b.';
  if (/(?<!\\)(?:\\\\)*\(\)(?!$)/.test(pattern))
    return '`()` is an empty group here: write literal parentheses as \\(\\).';
  if (/^\/[^/]+\/[gimsuy]*$/.test(pattern))
    return 'The slashes around it are part of the pattern: leave them out; -i ignores case.';
  return quoted.test(pattern) ? quotesCount : undefined;
}

/** The same glob for names in any case. */
export function inAnyCase(pattern: string): string {
  return pattern.replace(/\\.|\[[^\]]*\]|[A-Za-z]/gs, (part) =>
    part.length > 1 ? part : `[${part.toLowerCase()}${part.toUpperCase()}]`,
  );
}
