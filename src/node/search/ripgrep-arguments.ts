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

/** What all modes share; the mode's own flags and `--` with the place follow. `leftOut` are arguments that leave folders out. */
export function grepArguments(query: GrepQuery, ignore: IgnoreFiles, leftOut: readonly string[]): string[] {
  return [
    ...whichFiles(query, ignore, leftOut),
    '--crlf',
    ...(query.ignoreCase ? ['--ignore-case'] : []),
    ...(query.multiline ? ['--multiline', '--multiline-dotall'] : []),
    `--regexp=${query.pattern}`,
  ];
}

/** The files that would be searched. */
export function searchedFilesArguments(query: GrepQuery, ignore: IgnoreFiles, leftOut: readonly string[]): string[] {
  return [...whichFiles(query, ignore, leftOut), '--files', '--null'];
}

function whichFiles(query: GrepQuery, ignore: IgnoreFiles, leftOut: readonly string[]): string[] {
  return [
    '--no-config',
    '--no-messages',
    '--color=never',
    '--hidden',
    ...ignoreScope(ignore),
    ...fileFilters(query),
    ...leftOut,
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
 * Every file below the folder that the pattern matches, ignored ones too, in no order: sorting would take ripgrep's
 * threads away, and version 13 sorts each folder alone.
 */
export function fileListArguments(query: GlobQuery, leftOut: readonly string[]): string[] {
  return [
    '--no-config',
    '--no-messages',
    '--files',
    '--null',
    '--hidden',
    '--no-ignore',
    `--glob=${query.pattern}`,
    ...leftOut,
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

/** The arguments that leave out these folders, relative to the one that is searched. */
export function withoutFolders(relative: readonly string[]): string[] {
  return relative.map((folder) => `--glob=!/${folder.replace(/[*?[\]{}\\!]/g, '\\$&')}`);
}

export function withoutRepositoryFolders(path: string): string[] {
  const segments = path.split(/[\\/]/);
  return repositoryFolders.filter((folder) => !segments.includes(folder)).map((folder) => `--glob=!${folder}`);
}
