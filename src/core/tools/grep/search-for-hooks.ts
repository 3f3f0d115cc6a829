// What Glob and Grep found as hooks see it: with absolute paths, and as they may replace it.
import { z } from 'zod/v3';
import { defined } from '../../../shared/defined';
import { hookOutput } from '../../tool/hook-output';
import { isSameJson } from '../../text/same-json';
import { resolvePath, shownPath } from './glob-root';
import { type GlobOutput } from './glob-output';
import { type GrepOutput, grepModes, maxEntries } from './grep-output';

const paths = z.array(z.string());
/** What no other agent has: sentences about what was not searched. */
const notes = z.array(z.string()).nullish();
const count = z.number().int().nonnegative().nullish();

const globGiven = z.object({
  filenames: paths,
  truncated: z.boolean().nullish(),
  totalMatches: count,
  durationMs: z.number().nullish(),
  notes,
});

export const globForHooks = hookOutput<unknown, GlobOutput, z.infer<typeof globGiven>>({
  shape: globGiven,
  show: ({ data }) => ({
    filenames: absolute(data),
    numFiles: data.numFiles,
    truncated: data.truncated,
    totalMatches: data.total,
    countIsComplete: !data.truncated || data.total > data.numFiles,
    durationMs: data.durationMs,
    ...defined({ notes: data.notes }),
  }),
  read(given, { data }) {
    const { notes: _, ...own } = data;
    const numFiles = given.filenames.length;
    return {
      data: {
        ...own,
        filenames: relative(given.filenames, own.cwd),
        numFiles,
        total: totalOf(given.totalMatches, own.total, own.numFiles - numFiles, numFiles),
        truncated: given.truncated ?? own.truncated,
        durationMs: given.durationMs ?? own.durationMs,
        ...defined({ notes: given.notes ?? undefined }),
      },
    };
  },
});

const grepGiven = z.object({
  mode: z.enum(grepModes).nullish(),
  filenames: paths.nullish(),
  content: z.string().nullish(),
  numFiles: count,
  numMatches: count,
  notes,
});

export const grepForHooks = hookOutput<unknown, GrepOutput, z.infer<typeof grepGiven>>({
  shape: grepGiven,
  show: ({ data }) => ({
    mode: data.mode,
    numFiles: data.numFiles,
    filenames: absolute(data),
    ...defined({ content: data.content }),
    ...(data.mode === 'content' ? { numLines: data.numEntries } : {}),
    ...(data.mode === 'files_with_matches' ? {} : { numMatches: data.numMatches }),
    ...(data.truncated ? { appliedLimit: data.appliedLimit } : {}),
    ...(data.appliedOffset > 0 ? { appliedOffset: data.appliedOffset } : {}),
    ...defined({ notes: data.notes }),
  }),
  read(given, { data }, shown) {
    const { mode, cwd } = data;
    if (given.mode != null && given.mode !== mode) return `\`mode\` must stay ${JSON.stringify(mode)}.`;
    const missing = mode === 'files_with_matches' ? 'filenames' : 'content';
    if (given[missing] == null) return `\`${missing}\` is missing.`;
    const { content: _, notes: __, ...own } = data;
    const filenames = relative(given.filenames ?? [], cwd);
    const content = given.content ?? '';
    const isSame = content === (shown.content ?? '') && isSameJson(given.filenames, shown.filenames);
    return {
      data: {
        ...own,
        ...(isSame ? {} : foundAnew(own, filenames, content)),
        filenames,
        ...(mode === 'files_with_matches' ? {} : givenCounts(given, own)),
        ...(mode === 'files_with_matches' ? {} : { content }),
        ...defined({ notes: given.notes ?? undefined }),
      },
    };
  },
});

function givenCounts(
  { numFiles, numMatches }: z.infer<typeof grepGiven>,
  own: GrepOutput,
): Pick<GrepOutput, 'numFiles' | 'numMatches'> {
  return { numFiles: numFiles ?? own.numFiles, numMatches: numMatches ?? own.numMatches };
}

/** What is counted and listed, after a hook has changed it. */
function foundAnew(own: GrepOutput, filenames: readonly string[], content: string): Partial<GrepOutput> {
  const lines = content === '' ? [] : content.split('\n').filter((line) => line !== '--');
  const numEntries = own.mode === 'files_with_matches' ? filenames.length : lines.length;
  return {
    ...(own.mode === 'files_with_matches' ? { numFiles: numEntries, numMatches: numEntries } : {}),
    numEntries,
    total: totalOf(undefined, own.total, own.numEntries - numEntries, numEntries),
    entries: entriesOf(own.mode, filenames, lines),
  };
}

/** What the chat lists: of lines only what can be told from the text. */
function entriesOf(
  mode: GrepOutput['mode'],
  files: readonly string[],
  lines: readonly string[],
): GrepOutput['entries'] {
  switch (mode) {
    case 'files_with_matches':
      return files.slice(0, maxEntries).map((path) => ({ path }));
    case 'count':
      return lines.slice(0, maxEntries).flatMap((line) => {
        const [, path, matches] = /^(.*):(\d+)$/.exec(line) ?? [];
        return path === undefined ? [] : [{ path, count: Number(matches) }];
      });
    case 'content':
      return lines.slice(0, maxEntries).flatMap((line) => {
        const [, path, number, text] = /^(.+?):(\d+):(.*)$/.exec(line) ?? [];
        return path === undefined || text === undefined ? [] : [{ path, line: Number(number), text }];
      });
  }
}

function absolute({ filenames, cwd }: { filenames: readonly string[]; cwd: string }): string[] {
  return filenames.map((path) => resolvePath(path, cwd));
}

function relative(files: readonly string[], cwd: string): string[] {
  return files.map((path) => shownPath(path, cwd));
}

/** Fewer by what the hook has taken out, where it does not say itself. */
function totalOf(given: number | null | undefined, own: number, taken: number, shown: number): number {
  return Math.max(given !== null && given !== undefined && given !== own ? given : own - taken, shown);
}
