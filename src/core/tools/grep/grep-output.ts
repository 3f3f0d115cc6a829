// What a search found as Grep's output, and that output as the text that the model reads.
import { defined } from '../../../shared/defined';
import { z } from 'zod/v3';
import { type GrepFound, type GrepQuery } from '../../ports/search';
import { counted } from '../../../shared/counted';
import { shownPath } from './glob-root';

export const grepModes = ['content', 'files_with_matches', 'count'] as const;

/** Paths are relative to the current folder where inside it. */
export const grepOutputSchema = z.object({
  mode: z.enum(grepModes),
  numFiles: z.number(),
  filenames: z.array(z.string()),
  /** What relative paths count from. */
  cwd: z.string(),
  /** With content and count: the result lines as text. */
  content: z.string().optional(),
  /** The lines have their numbers; only with content. */
  numbered: z.boolean().optional(),
  /** Entries in this result: lines without separators, files or counts. */
  numEntries: z.number(),
  /** Matching lines; with files_with_matches, where nobody counts them, the files. */
  numMatches: z.number(),
  /** Result lines, files or counts that the search saw in all. */
  total: z.number(),
  /** It ended before it had seen all; `unordered` where another call would see others first. */
  stopped: z.enum(['in_order', 'unordered']).optional(),
  truncated: z.boolean(),
  appliedLimit: z.number(),
  appliedOffset: z.number(),
  /** Sentences for the model: which files were not looked at. */
  notes: z.array(z.string()).optional(),
  /** What the chat lists, at most 100: matches without their context. */
  entries: z.array(
    z.object({
      path: z.string(),
      line: z.number().optional(),
      text: z.string().optional(),
      count: z.number().optional(),
    }),
  ),
});

export const maxEntries = 100;

export type GrepOutput = z.infer<typeof grepOutputSchema>;

export interface GrepPresentation {
  cwd: string;
  lineNumbers: boolean;
  /** The search was for one file, which the lines then need not name. */
  singleFile: boolean;
  /** As the model wrote it. */
  asked: { glob?: string | undefined; type?: string | undefined };
}

export function grepOutput(outcome: GrepFound, query: GrepQuery, how: GrepPresentation): GrepOutput {
  const notes = [...(outcome.noFileFits === true ? [noFileFits(how.asked)] : []), ...(outcome.notes ?? [])];
  const shared = {
    cwd: how.cwd,
    total: outcome.total,
    truncated: outcome.truncated,
    ...defined({ stopped: outcome.stopped }),
    appliedLimit: query.limit,
    appliedOffset: query.offset,
    ...(notes.length === 0 ? {} : { notes }),
  };
  const shown = (path: string): string => shownPath(path, how.cwd);
  switch (outcome.outcome) {
    case 'files': {
      const filenames = outcome.paths.map(shown);
      const entries = filenames.slice(0, maxEntries).map((path) => ({ path }));
      const numFiles = filenames.length;
      return {
        mode: 'files_with_matches',
        numFiles,
        filenames,
        numEntries: numFiles,
        numMatches: outcome.total,
        ...shared,
        entries,
      };
    }
    case 'counts': {
      const entries = outcome.counts.map(({ path, count }) => ({ path: shown(path), count }));
      const content = entries.map(({ path, count }) => `${path}:${count}`).join('\n');
      const numMatches = entries.reduce((sum, entry) => sum + entry.count, 0);
      const filenames = entries.map(({ path }) => path);
      const shownEntries = entries.slice(0, maxEntries);
      return {
        mode: 'count',
        numFiles: entries.length,
        filenames,
        content,
        numEntries: entries.length,
        numMatches,
        ...shared,
        entries: shownEntries,
      };
    }
    case 'content': {
      const lines = outcome.lines.filter((line) => line !== 'separator');
      const matches = lines.filter((line) => line.match);
      const entries = matches.slice(0, maxEntries).map(({ path, line, text }) => ({ path: shown(path), line, text }));
      const filenames = [...new Set(lines.map((line) => shown(line.path)))];
      const content = outcome.lines.map((line) => contentLine(line, shown, how)).join('\n');
      // Without context every line seen is a match, also those that were cut off.
      const numMatches = query.before + query.after === 0 ? outcome.total : matches.length;
      return {
        mode: 'content',
        numFiles: filenames.length,
        filenames,
        content,
        ...(how.lineNumbers ? { numbered: true } : {}),
        numEntries: lines.length,
        numMatches,
        ...shared,
        entries,
      };
    }
  }
}

function noFileFits({ glob, type }: GrepPresentation['asked']): string {
  const wanted = [...(glob ? [`the glob ${JSON.stringify(glob)}`] : []), ...(type ? [`the type ${type}`] : [])].join(
    ' and ',
  );
  return `No file matches ${wanted}, regardless of content: check it. It is relative to the searched folder, and files that .gitignore excludes are skipped.`;
}

export function grepResultText(output: GrepOutput): string {
  return [foundText(output), ...(output.notes ?? []).map((note) => `(${note})`)].join('\n\n');
}

function foundText(output: GrepOutput): string {
  const { mode, numFiles, filenames, content, total, appliedOffset, numEntries } = output;
  if (numEntries === 0) {
    if (total > 0 && appliedOffset > 0)
      return `No entries at this offset. There are ${output.stopped !== undefined ? 'more than ' : ''}${total} in all.`;
    return mode === 'files_with_matches' ? 'No files found' : 'No matches found';
  }
  const next = appliedOffset + numEntries;
  const advice =
    next < total && output.stopped !== 'unordered'
      ? `Continue with offset ${next}, or narrow the search.`
      : 'The search stopped here: narrow it.';
  const all = output.stopped !== undefined ? `more than ${total}` : total;
  const note = output.truncated ? `\n\n(Entries ${appliedOffset + 1} to ${next} of ${all}. ${advice})` : '';
  switch (mode) {
    case 'files_with_matches':
      return `Found ${counted(total, 'file')}\n${filenames.join('\n')}${note}`;
    case 'count':
      return `${content}\n\nFound ${counted(output.numMatches, 'matching line')} in ${counted(numFiles, 'file')}.${note}`;
    case 'content':
      return `${output.numbered === true ? byFile(content ?? '', filenames) : content}${note}`;
  }
}

/** Numbered lines below the path of their file, which is on each of them before. What has no such path stays as it is. */
function byFile(content: string, filenames: readonly string[]): string {
  const paths = new Set(filenames);
  const shown: string[] = [];
  let current: string | undefined;
  let apart = false;
  for (const line of content.split('\n')) {
    if (line === '--') {
      apart = true;
      continue;
    }
    const path = [...line.matchAll(/[:-](?=\d+[:-])/g)]
      .map(({ index }) => line.slice(0, index))
      .findLast((before) => paths.has(before));
    if (path !== undefined && path !== current) shown.push(...(shown.length > 0 ? [''] : []), path);
    else if (apart) shown.push('--');
    shown.push(path === undefined ? line : line.slice(path.length + 1));
    current = path ?? current;
    apart = false;
  }
  return shown.join('\n');
}

function contentLine(
  line: Extract<GrepFound, { outcome: 'content' }>['lines'][number],
  shown: (path: string) => string,
  how: GrepPresentation,
): string {
  if (line === 'separator') return '--';
  const mark = line.match ? ':' : '-';
  const path = how.singleFile ? '' : `${shown(line.path)}${mark}`;
  // Line 0 is a remark on the file as a whole: it is binary.
  if (line.line === 0) return `${shown(line.path)}: ${line.text}`;
  return `${path}${how.lineNumbers ? `${line.line}${mark}` : ''}${line.text}`;
}
