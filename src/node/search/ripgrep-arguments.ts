// A search query as ripgrep's command line.
import { type GlobQuery, type GrepQuery } from '../../core/ports/search';
import { splitGlobs } from '../../core/search/glob-pattern';

/**
 * In a repository its own ignore files count, as git reads them. Elsewhere those in and below the searched folder do, but
 * none above it: a home folder may hold a .gitignore that ignores everything.
 */
export type IgnoreFiles = 'repository' | 'folder';

/** Version control's own files are never results, unless the search starts among them. */
const repositoryFolders = ['.git', '.hg', '.svn', '.jj'];
/** A name that is none of ripgrep's own types. */
const nameType = 'deftnames';
/** Longer lines are cut: minified files would fill the result with one match. */
const maxLineBytes = 1_000;

/** What all modes share; the mode's own flags and `--` with the place follow. */
export function grepArguments(query: GrepQuery, ignore: IgnoreFiles): string[] {
  return [
    ...whichFiles(query, ignore),
    '--crlf',
    ...(query.ignoreCase ? ['--ignore-case'] : []),
    ...(query.multiline ? ['--multiline', '--multiline-dotall'] : []),
    `--regexp=${query.pattern}`,
  ];
}

/** The files that would be searched. */
export function searchedFilesArguments(query: GrepQuery, ignore: IgnoreFiles): string[] {
  return [...whichFiles(query, ignore), '--files', '--null'];
}

function whichFiles(query: GrepQuery, ignore: IgnoreFiles): string[] {
  return [
    '--no-config',
    '--no-messages',
    '--color=never',
    '--hidden',
    ...ignoreScope(ignore),
    ...fileFilters(query),
    ...withoutRepositoryFolders(query.path),
  ];
}

export function ignoreScope(ignore: IgnoreFiles): string[] {
  return ignore === 'folder' ? ['--no-require-git', '--no-ignore-parent'] : [];
}

export function contentArguments(query: GrepQuery, shared: string[]): string[] {
  return [
    ...shared,
    '--no-heading',
    '--with-filename',
    '--line-number',
    '--null',
    `--max-columns=${maxLineBytes}`,
    '--max-columns-preview',
    ...(query.onlyMatching ? ['--only-matching'] : []),
    ...(query.before > 0 ? [`--before-context=${query.before}`] : []),
    ...(query.after > 0 ? [`--after-context=${query.after}`] : []),
  ];
}

/**
 * Every file below the folder that the pattern matches, ignored ones too, newest first. Sorting takes ripgrep's threads
 * away, and is still faster than asking for every file's time from Node.
 */
export function fileListArguments(query: GlobQuery): string[] {
  return [
    '--no-config',
    '--no-messages',
    '--files',
    '--null',
    '--hidden',
    '--no-ignore',
    '--sortr=modified',
    `--glob=${query.pattern}`,
    ...withoutRepositoryFolders(query.path),
  ];
}

/**
 * To ripgrep a --glob that includes files wins over ignore files; a --type does not, but it knows names only. So plain name
 * patterns become a type, and the others may include single ignored files (never ignored folders).
 */
function fileFilters(query: GrepQuery): string[] {
  const globs = splitGlobs(query.glob ?? '');
  const excluding = globs.filter((glob) => glob.startsWith('!')).map((glob) => `--glob=${glob}`);
  const including = globs.filter((glob) => !glob.startsWith('!'));
  if (query.type !== undefined)
    return [`--type=${query.type}`, ...including.map((glob) => `--glob=${glob}`), ...excluding];
  if (including.length === 0) return excluding;
  if (including.some((glob) => glob.includes('/'))) return [...including.map((glob) => `--glob=${glob}`), ...excluding];
  return [...including.map((glob) => `--type-add=${nameType}:${glob}`), `--type=${nameType}`, ...excluding];
}

/** Look-around and back-references need ripgrep's other engine, which is slower and so not the first choice. */
export function wantsPcre2(message: string): boolean {
  return message.includes('--pcre2');
}

export function withoutRepositoryFolders(path: string): string[] {
  const segments = path.split(/[\\/]/);
  return repositoryFolders.filter((folder) => !segments.includes(folder)).map((folder) => `--glob=!${folder}`);
}
