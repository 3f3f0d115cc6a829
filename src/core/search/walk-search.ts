// The Search port over the FileSystem port, for workspaces that are on no disk: slower than ripgrep, and bounded.
import { basename } from 'pathe';
import { messageOf } from '../text/errors';
import { type FileSystem } from '../ports/files';
import { type Path } from '../ports/path';
import { type GlobOutcome, type GrepFound, type GrepOutcome, type GrepQuery, type Search } from '../ports/search';
import { fileTypeGlob } from './file-types';
import { globFilter, globMatcher } from './glob-pattern';
import { type OpenPattern, type PatternRun } from './pattern-matcher';
import { linesOf, searchExpression, type LineMatch } from './search-pattern';
import { walkFiles, type WalkedFile } from './walk-files';

export interface WalkBounds {
  /** Files looked at in one search. */
  maxFiles: number;
  /** Larger files are skipped. */
  maxFileBytes: number;
}

const defaultBounds: WalkBounds = { maxFiles: 20_000, maxFileBytes: 2_000_000 };
/** Files read or asked for their time at once: the file system may be far away. */
const atOnce = 16;

interface Hit {
  file: WalkedFile;
  /** With content. */
  lines: string[];
  matches: LineMatch[];
}

type Lines = Extract<GrepOutcome, { outcome: 'content' }>['lines'];

/** Where one search looks, how far, and how long. */
interface Walk {
  files: FileSystem;
  bounds: WalkBounds;
  signal: AbortSignal;
}

export interface WalkOptions {
  openPattern: OpenPattern;
  bounds?: WalkBounds;
}

export function createWalkSearch(files: FileSystem, { openPattern, bounds = defaultBounds }: WalkOptions): Search {
  return {
    async glob(query, signal) {
      if ((await files.stat(query.path))?.type !== 'directory') return failed(`${query.path} is not a folder.`);
      const matches = globMatcher(query.pattern);
      const walk = walkFiles(
        files,
        query.path,
        { honourIgnoreFiles: false, maxFiles: bounds.maxFiles, hidden: query.hidden },
        signal,
      );
      const found = await collect(walk, (file) => matches(file.relative));
      const page = await newestPage(files, found.files, query.limit, 0, found.bounded);
      return found.bounded ? { ...page, notes: [boundedNote(bounds)] } : page;
    },
    async grep(query, signal) {
      try {
        searchExpression(query);
      } catch (error) {
        return failed(`The pattern is not a regular expression: ${messageOf(error)}.`);
      }
      const typeGlob = query.type === undefined ? undefined : fileTypeGlob(query.type);
      if (query.type !== undefined && typeGlob === undefined) return failed(`unrecognized file type: ${query.type}`);
      const walk: Walk = { files, bounds, signal };
      const found = await candidates(walk, query, typeGlob);
      if ('outcome' in found) return found;
      const pattern = openPattern(query);
      try {
        const outcome = await searchFiles(walk, query, pattern, found);
        const filtered = query.glob !== undefined || query.type !== undefined;
        if (outcome.outcome === 'failed' || !filtered || found.files.length > 0 || found.bounded) return outcome;
        return { ...outcome, noFileFits: true };
      } catch (error) {
        signal.throwIfAborted();
        return failed(
          `The search could not run (${messageOf(error)}). No other pattern helps; read the files instead, or tell the user.`,
        );
      } finally {
        pattern.close();
      }
    },
  };
}

interface Candidates {
  files: WalkedFile[];
  /** There are more. */
  bounded: boolean;
}

async function candidates(
  { files, bounds, signal }: Walk,
  query: GrepQuery,
  typeGlob: string | undefined,
): Promise<Candidates | ReturnType<typeof failed>> {
  const start = await files.stat(query.path);
  if (!start) return failed(`${query.path} does not exist.`);
  if (start.type === 'other') return failed(`${query.path} is neither a file nor a folder.`);
  if (start.type === 'file') return { files: [{ path: query.path, relative: basename(query.path) }], bounded: false };
  const byGlob = globFilter(query.glob);
  const byType = globFilter(typeGlob);
  const walk = walkFiles(
    files,
    query.path,
    { honourIgnoreFiles: true, maxFiles: bounds.maxFiles, hidden: query.hidden },
    signal,
  );
  return collect(walk, (file) => byGlob(file.relative) && byType(file.relative));
}

async function searchFiles(
  { files, bounds, signal }: Walk,
  query: GrepQuery,
  pattern: PatternRun,
  found: Candidates,
): Promise<GrepOutcome> {
  const hits: Hit[] = [];
  let entries = 0;
  let stopped = found.bounded;
  let large = 0;
  for (let at = 0; at < found.files.length; at += atOnce) {
    signal.throwIfAborted();
    // Paths are sorted by time afterwards, so all are needed; lines and counts come in the order of the walk.
    if (query.mode !== 'files_with_matches' && entries > query.offset + query.limit) {
      stopped = true;
      break;
    }
    const batch = await Promise.all(
      found.files.slice(at, at + atOnce).map(async (file) => ({ file, text: await textOf(files, file.path, bounds) })),
    );
    large += batch.filter(({ text }) => text === undefined).length;
    const texts = batch.map(({ text }) => text ?? '');
    const matching = await pattern.matches(texts, signal);
    if (matching === undefined) return failed(tooSlow);
    batch.forEach(({ file }, index) => {
      const matches = matching[index] ?? [];
      if (matches.length === 0) return;
      hits.push({ file, lines: query.mode === 'content' ? linesOf(texts[index] ?? '') : [], matches });
      entries += query.mode === 'content' ? matches.length : 1;
    });
  }
  const notes = [...(found.bounded ? [boundedNote(bounds)] : []), ...(large > 0 ? [largeNote(large, bounds)] : [])];
  return {
    ...(await pageOf(files, query, hits, stopped)),
    ...(stopped ? { stopped: 'in_order' as const } : {}),
    ...(notes.length === 0 ? {} : { notes }),
  };
}

async function pageOf(files: FileSystem, query: GrepQuery, hits: readonly Hit[], stopped: boolean): Promise<GrepFound> {
  switch (query.mode) {
    case 'files_with_matches':
      return newestPage(
        files,
        hits.map((hit) => hit.file),
        query.limit,
        query.offset,
        stopped,
      );
    case 'count': {
      const counts = hits.map((hit) => ({ path: hit.file.path, count: hit.matches.length }));
      const shown = counts.slice(query.offset, query.offset + query.limit);
      return {
        outcome: 'counts',
        counts: shown,
        total: counts.length,
        truncated: stopped || query.offset + shown.length < counts.length,
      };
    }
    case 'content': {
      const all = hits.flatMap((hit) => linesWithContext(hit.file.path, hit.lines, hit.matches, query));
      return contentPage(all, query, stopped);
    }
  }
}

/** Empty for what is not text; undefined for what is too large. */
async function textOf(files: FileSystem, path: Path, bounds: WalkBounds): Promise<string | undefined> {
  const read = await files.readText(path, bounds.maxFileBytes).catch(() => undefined);
  if (read?.outcome === 'read') return read.file.text;
  return read?.code === 'too_large' ? undefined : '';
}

const tooSlow =
  'The pattern took too long and was stopped. Simplify it: nested repetition, such as (a+)+, may never finish. Or search a smaller folder.';

function boundedNote({ maxFiles }: WalkBounds): string {
  return `Only the first ${maxFiles} files were searched because this folder is not on disk: give a smaller folder as path.`;
}

function largeNote(count: number, { maxFileBytes }: WalkBounds): string {
  return `${count === 1 ? '1 file' : `${count} files`} above ${maxFileBytes / 1_000_000} MB ${count === 1 ? 'was' : 'were'} not searched.`;
}

function linesWithContext(path: Path, lines: string[], matches: LineMatch[], query: GrepQuery): Lines {
  if (query.onlyMatching || query.before + query.after === 0)
    return matches.map((match) => ({ path, ...match, match: true }));
  const matching = new Set(matches.map((match) => match.line));
  const result: Lines = ['separator'];
  let last = 0;
  for (const { line } of matches) {
    const from = Math.max(last + 1, line - query.before);
    if (last > 0 && from > last + 1) result.push('separator');
    for (let at = from; at <= Math.min(lines.length, line + query.after); at++) {
      result.push({ path, line: at, text: lines[at - 1] ?? '', match: matching.has(at) });
      last = at;
    }
  }
  return result;
}

function contentPage(all: Lines, query: GrepQuery, stopped: boolean): GrepFound {
  const shown: Lines = [];
  let at = 0;
  for (const line of all) {
    const wanted = at >= query.offset && at < query.offset + query.limit;
    if (line !== 'separator') at++;
    if (wanted && (line !== 'separator' || shown.length > 0)) shown.push(line);
  }
  if (shown.at(-1) === 'separator') shown.pop();
  return { outcome: 'content', lines: shown, total: at, truncated: stopped || query.offset + query.limit < at };
}

async function newestPage(
  files: FileSystem,
  found: WalkedFile[],
  limit: number,
  offset: number,
  bounded: boolean,
): Promise<Extract<GlobOutcome, { outcome: 'files' }>> {
  const dated: { path: Path; time: number }[] = [];
  for (let at = 0; at < found.length; at += atOnce) {
    const batch = found.slice(at, at + atOnce);
    dated.push(
      ...(await Promise.all(batch.map(async ({ path }) => ({ path, time: (await files.stat(path))?.mtimeMs ?? 0 })))),
    );
  }
  dated.sort((a, b) => b.time - a.time || (a.path < b.path ? -1 : 1));
  const paths = dated.slice(offset, offset + limit).map((file) => file.path);
  return { outcome: 'files', paths, total: dated.length, truncated: bounded || offset + paths.length < dated.length };
}

async function collect(
  walk: AsyncGenerator<WalkedFile, boolean>,
  wanted: (file: WalkedFile) => boolean,
): Promise<Candidates> {
  const files: WalkedFile[] = [];
  for (let next = await walk.next(); ; next = await walk.next()) {
    if (next.done) return { files, bounded: next.value };
    if (wanted(next.value)) files.push(next.value);
  }
}

function failed(message: string): { outcome: 'failed'; message: string } {
  return { outcome: 'failed', message };
}
