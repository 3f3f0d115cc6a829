// The Search port on ripgrep: results are parsed while it runs, and it is stopped once it has found more than enough.
import { stat } from 'node:fs/promises';
import path from 'node:path';
import {
  type GlobOutcome,
  type GlobQuery,
  type GrepOutcome,
  type GrepQuery,
  type Search,
  type SearchRemarks,
} from '../../core/ports/search';
import { createNewestFirst } from '../files/newest-first';
import { portPath } from '../files/port-path';
import {
  contentArguments,
  fileListArguments,
  grepArguments,
  searchedFilesArguments,
  wantsPcre2,
  withoutFolders,
  withoutRepositoryFolders,
  type IgnoreFiles,
} from './ripgrep-arguments';
import { mountedBelow } from './mounted-below';
import { createContentReader, createPathReader, type RipgrepLine } from './ripgrep-lines';
import { runRipgrep, type RipgrepEnd } from './ripgrep-process';
import { withTypeAndGlob } from './ripgrep-types';
import { isInRepository } from '../repository';

/**
 * Result lines and paths read before ripgrep is stopped. Far above any limit, since it prints in the order in which its
 * threads finish: only what was read whole can be sorted, counted and paged through.
 */
const enoughLines = 20_000;
const enoughPaths = 200_000;
/** Far longer than a search of a workspace takes; from `/` it may take minutes. */
const defaultLimitMs = 20_000;

/** `executable` is asked once, at the first search; undefined means that there is none. */
export function createRipgrepSearch(executable: () => Promise<string | undefined>, limitMs = defaultLimitMs): Search {
  let found: Promise<string | undefined> | undefined;
  const prepare = async (query: GrepQuery | GlobQuery): Promise<Prepared | { outcome: 'failed'; message: string }> => {
    if (query.pattern.includes('\0') || query.path.includes('\0'))
      return failed('The pattern or the path contains a NUL character.');
    const rg = await (found ??= executable());
    if (rg === undefined) {
      found = undefined;
      return failed(
        'ripgrep was not found. Install it (package "ripgrep") so that `rg` is on PATH, then search again.',
      );
    }
    const stats = await stat(query.path).catch(() => undefined);
    if (!stats) return failed(`${query.path} does not exist.`);
    if (!stats.isDirectory() && !stats.isFile()) return failed(`${query.path} is neither a file nor a folder.`);
    const folder = stats.isDirectory() ? query.path : path.dirname(query.path);
    const prefix = portPath(folder).replace(/\/$/, '');
    const foreign = stats.isDirectory() ? await mountedBelow(portPath(folder)) : [];
    return {
      limitMs,
      until: performance.now() + limitMs,
      foreign,
      leftOut: [
        ...withoutRepositoryFolders(query.path),
        ...withoutFolders(foreign.map((place) => place.slice(prefix.length + 1))),
      ],
      executable: rg,
      folder,
      start: stats.isDirectory() ? './' : `./${path.basename(query.path)}`,
      // ripgrep prints "./a/b" (on Windows ".\a\b"), or "a/b" where it lists files.
      absolute: (printed) => {
        const relative = portPath(printed);
        return `${prefix}/${relative.startsWith('./') ? relative.slice(2) : relative}`;
      },
    };
  };
  return {
    async grep(asked, signal) {
      const prepared = await prepare(asked);
      if ('outcome' in prepared) return prepared;
      const query = prepared.start === './' ? await withTypeAndGlob(asked, prepared.executable, signal) : asked;
      const ignore: IgnoreFiles = isInRepository(prepared.folder) ? 'repository' : 'folder';
      const outcome = await grepByEither(query, prepared, ignore, signal);
      if (outcome.outcome === 'failed') return outcome;
      const filtered = query.glob !== undefined || query.type !== undefined;
      const wholly = outcome.stopped === undefined && prepared.start === './';
      if (outcome.total > 0 || !filtered || !wholly) return outcome;
      return (await anyFileFits(query, prepared, ignore, signal)) ? outcome : { ...outcome, noFileFits: true };
    },
    async glob(query, signal) {
      const prepared = await prepare(query);
      if ('outcome' in prepared) return prepared;
      if (prepared.start !== './') return failed(`${query.path} is a file, not a folder.`);
      return newestFiles(query, prepared, signal);
    },
  };
}

/** Look-around and back-references need another engine. */
async function grepByEither(
  query: GrepQuery,
  prepared: Prepared,
  ignore: IgnoreFiles,
  signal: AbortSignal,
): Promise<GrepOutcome> {
  const args = grepArguments(query, ignore, prepared.leftOut);
  const first = await grepOnce(query, prepared, args, signal);
  if (first.outcome !== 'failed' || !wantsPcre2(first.message)) return first;
  const second = await grepOnce(query, prepared, [...args, '--pcre2'], signal);
  return second.outcome === 'failed' && second.message.includes('not available') ? first : second;
}

async function anyFileFits(
  query: GrepQuery,
  prepared: Prepared,
  ignore: IgnoreFiles,
  signal: AbortSignal,
): Promise<boolean> {
  let fits = false;
  const read = createPathReader((printed) => void (fits ||= !query.hidden(prepared.absolute(printed))));
  const end = await run(prepared, searchedFilesArguments(query, ignore, prepared.leftOut), signal, (chunk) => {
    read(chunk);
    return !fits;
  });
  return fits || end.outcome === 'failed' || end.stopped !== false;
}

interface Prepared {
  executable: string;
  folder: string;
  /** The argument that says where to search, relative to the folder. */
  start: string;
  absolute: (printed: string) => string;
  limitMs: number;
  /** In the time of performance.now(): what has been found by then is the result. */
  until: number;
  /** What is mounted below and not searched. */
  foreign: readonly string[];
  /** Arguments for what is not searched. */
  leftOut: readonly string[];
}

async function grepOnce(
  query: GrepQuery,
  prepared: Prepared,
  args: string[],
  signal: AbortSignal,
): Promise<GrepOutcome> {
  switch (query.mode) {
    case 'content':
      return content(query, prepared, contentArguments(query, args), signal);
    case 'count':
      return counts(query, prepared, [...args, '--count', '--null', '--with-filename'], signal);
    case 'files_with_matches':
      return matchingFiles(query, prepared, [...args, '--files-with-matches', '--null'], signal);
  }
}

async function newestFiles(query: GlobQuery, prepared: Prepared, signal: AbortSignal): Promise<GlobOutcome> {
  const found = await newestOf(query, prepared, fileListArguments(query, prepared.leftOut), signal);
  if (found.end.outcome === 'failed') return found.end;
  const paths = found.sorted.slice(0, query.limit);
  const total = found.sorted.length;
  const truncated = found.end.stopped !== false || paths.length < total;
  return { outcome: 'files', paths, total, truncated, ...notesOf(found.end, prepared) };
}

interface NewestPaths {
  end: RipgrepEnd;
  /** Newest first. */
  sorted: string[];
}

/** Times are looked at while ripgrep finds the next files. */
async function newestOf(
  query: Pick<GlobQuery, 'hidden'>,
  prepared: Prepared,
  args: string[],
  signal: AbortSignal,
): Promise<NewestPaths> {
  const newest = createNewestFirst();
  let seen = 0;
  const read = createPathReader((printed) => {
    const absolute = prepared.absolute(printed);
    if (query.hidden(absolute)) return;
    newest.add(absolute);
    seen++;
  });
  const end = await run(prepared, args, signal, (chunk) => {
    read(chunk);
    newest.work();
    return seen < enoughPaths;
  });
  return { end, sorted: end.outcome === 'failed' ? [] : await newest.sorted() };
}

async function matchingFiles(
  query: GrepQuery,
  prepared: Prepared,
  args: string[],
  signal: AbortSignal,
): Promise<GrepOutcome> {
  const { end, sorted } = await newestOf(query, prepared, [...args, '--', prepared.start], signal);
  if (end.outcome === 'failed') return end;
  const shown = sorted.slice(query.offset, query.offset + query.limit);
  return {
    outcome: 'files',
    paths: shown,
    total: sorted.length,
    truncated: end.stopped !== false || query.offset + shown.length < sorted.length,
    ...stoppedOf(end, prepared),
  };
}

async function counts(query: GrepQuery, prepared: Prepared, args: string[], signal: AbortSignal): Promise<GrepOutcome> {
  const found: { path: string; count: number }[] = [];
  // The same shape as a content line, path NUL number, with nothing behind the number.
  const read = createContentReader((line) => {
    if (line === 'separator') return;
    const absolute = prepared.absolute(line.path);
    if (!query.hidden(absolute)) found.push({ path: absolute, count: line.line });
  });
  const end = await run(prepared, [...args, '--', prepared.start], signal, (chunk) => {
    read(chunk);
    return found.length < enoughPaths;
  });
  if (end.outcome === 'failed') return end;
  found.sort(byPath);
  const shown = found.slice(query.offset, query.offset + query.limit);
  return {
    outcome: 'counts',
    counts: shown,
    total: found.length,
    truncated: end.stopped !== false || query.offset + shown.length < found.length,
    ...stoppedOf(end, prepared),
  };
}

async function content(
  query: GrepQuery,
  prepared: Prepared,
  args: string[],
  signal: AbortSignal,
): Promise<GrepOutcome> {
  type Group = { path: string; lines: Exclude<RipgrepLine, 'separator'>[]; breaks: Set<number> };
  const groups = new Map<string, Group>();
  let seen = 0;
  let current: Group | undefined;
  let currentPrinted: string | undefined;
  let separated = false;
  const read = createContentReader((line) => {
    if (line === 'separator') {
      separated = true;
      return;
    }
    if (line.path !== currentPrinted) {
      currentPrinted = line.path;
      const absolute = prepared.absolute(line.path);
      current = query.hidden(absolute) ? undefined : { path: absolute, lines: [], breaks: new Set() };
      if (current) groups.set(absolute, current);
    }
    if (!current) return;
    if (separated) current.breaks.add(current.lines.length);
    separated = false;
    current.lines.push({ ...line, path: current.path });
    seen++;
  });
  const enough = Math.max(enoughLines, query.offset + Math.min(query.limit, enoughLines));
  const end = await run(prepared, [...args, '--', prepared.start], signal, (chunk) => {
    read(chunk);
    return seen < enough;
  });
  if (end.outcome === 'failed') return end;
  const hasContext = query.before > 0 || query.after > 0;
  const lines: (Exclude<RipgrepLine, 'separator'> | 'separator')[] = [];
  let at = 0;
  for (const group of [...groups.values()].sort(byPath)) {
    group.lines.forEach((line, index) => {
      const wanted = at >= query.offset && at < query.offset + query.limit;
      const breaksHere = hasContext && (index === 0 || group.breaks.has(index));
      if (wanted && breaksHere && lines.length > 0) lines.push('separator');
      if (wanted) lines.push(line);
      at++;
    });
  }
  return {
    outcome: 'content',
    lines,
    total: seen,
    truncated: end.stopped !== false || query.offset + query.limit < seen,
    ...stoppedOf(end, prepared),
  };
}

type DoneEnd = Extract<RipgrepEnd, { outcome: 'done' }>;

/** Its threads print in the order in which they finish. */
function stoppedOf(end: DoneEnd, prepared: Prepared): Pick<SearchRemarks, 'stopped' | 'notes'> {
  const stopped = prepared.start === './' ? ('unordered' as const) : ('in_order' as const);
  return { ...(end.stopped === false ? {} : { stopped }), ...notesOf(end, prepared) };
}

function notesOf({ stopped }: DoneEnd, { foreign, limitMs }: Prepared): Pick<SearchRemarks, 'notes'> {
  const late = `The search was stopped after ${limitMs / 1_000} seconds, before all files had been looked at: narrow the path or the pattern.`;
  const elsewhere = `Not searched: ${foreign.join(', ')} (no disks of this machine). To search there, give such a folder as path.`;
  const notes = [...(stopped === 'late' ? [late] : []), ...(foreign.length > 0 ? [elsewhere] : [])];
  return notes.length === 0 ? {} : { notes };
}

function run(
  prepared: Prepared,
  args: string[],
  signal: AbortSignal,
  onData: (chunk: Buffer) => boolean,
): Promise<RipgrepEnd> {
  const { executable, folder, until } = prepared;
  return runRipgrep({ executable, args, cwd: folder, onData, limitMs: Math.max(1, until - performance.now()) }, signal);
}

function byPath(a: { path: string }, b: { path: string }): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}

function failed(message: string): { outcome: 'failed'; message: string } {
  return { outcome: 'failed', message };
}
