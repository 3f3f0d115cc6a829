// A refactoring as the output of Refactor, as the text that the model reads, and as what the chat shows.
import { z } from 'zod/v3';
import { changesView } from '../../edits/changes-view';
import { USER_MODIFIED, placesText } from '../edit/file-change-text';
import { hunkSchema } from '../edit/file-change';
import { counted } from '../../../shared/counted';
import { shownPath } from '../grep/glob-root';
import { type ToolView } from '../../../shared/tool-view';

const placeSchema = z.object({ path: z.string(), line: z.number(), text: z.string() });

export const refactorOutputSchema = z.object({
  /** "rename sum to total". */
  title: z.string(),
  cwd: z.string(),
  files: z.array(
    z.object({
      /** Absolute. */
      filePath: z.string(),
      created: z.boolean().optional(),
      /** At most 2,000 lines in all files together; `added` and `removed` count all. */
      structuredPatch: z.array(hunkSchema),
      added: z.number(),
      removed: z.number(),
      hash: z.string(),
    }),
  ),
  /** Files that moved, also those whose text stays: absolute. */
  moved: z.array(z.object({ from: z.string(), to: z.string() })).optional(),
  /** The user changed the proposal before accepting it. */
  userModified: z.boolean(),
  /** What they changed, file by file, as unified diffs from the proposal to the accepted text. */
  userChanges: z.string().optional(),
  /** Uses that the user left as they were, or that are renamed while the declaration is not. */
  broken: z.array(placeSchema),
  brokenTotal: z.number(),
  notes: z.array(z.string()),
  newDiagnostics: z.array(z.string()),
});
export type RefactorOutput = z.infer<typeof refactorOutputSchema>;
export type BrokenUse = z.infer<typeof placeSchema>;

const maxFiles = 40;

export function refactorText(output: RefactorOutput): string {
  const {
    title,
    cwd,
    files,
    moved = [],
    userModified,
    userChanges,
    broken,
    brokenTotal,
    notes,
    newDiagnostics,
  } = output;
  const lines = files.reduce((sum, { added, removed }) => sum + Math.max(added, removed), 0);
  const went = moved.length === 0 ? '' : `${counted(moved.length, 'file')} moved, `;
  const done = `Done: ${title}. ${went}${counted(lines, 'line')} in ${counted(files.length, 'file')}${userModified ? `. ${USER_MODIFIED}` : ''}`;
  const listed = files
    .slice(0, maxFiles)
    .map(({ filePath, structuredPatch }) => `${shownPath(filePath, cwd)}: ${placesText(structuredPatch)}`);
  if (files.length > maxFiles) listed.push(`… and ${files.length - maxFiles} more files`);
  const uses = broken.map(({ path, line, text }) => `${shownPath(path, cwd)}:${line} ${text}`);
  if (brokenTotal > broken.length) uses.push(`… and ${brokenTotal - broken.length} more`);
  return [
    [done, ...listed].join('\n'),
    userChanges === undefined ? '' : `What the user changed in your proposal:\n${userChanges}`,
    uses.length === 0 ? '' : `${brokenHead(output)}:\n${uses.join('\n')}`,
    notes.map((note) => `Note: ${note}`).join('\n'),
    newDiagnostics.length === 0 ? '' : `<new-diagnostics>\n${newDiagnostics.join('\n')}\n</new-diagnostics>`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function brokenHead({ moved = [] }: RefactorOutput): string {
  return moved.length === 0 ? 'These uses no longer fit what was renamed' : 'These imports no longer resolve';
}

export function refactorDetail({ files, moved = [], broken }: RefactorOutput): string {
  const went = moved.length === 0 ? '' : `${counted(moved.length, 'file')} moved, `;
  const what = moved.length === 0 ? 'use' : 'import';
  const sum = (key: 'added' | 'removed'): number => files.reduce((count, file) => count + file[key], 0);
  const breaks = broken.length === 0 ? '' : `, ${counted(broken.length, what)} left behind`;
  return `${went}${counted(files.length, 'file')}, +${sum('added')} −${sum('removed')}${breaks}`;
}

export function refactorView({ files, moved = [] }: RefactorOutput): ToolView {
  const origins = new Map(moved.map(({ from, to }) => [to, from]));
  const unchanged = moved.filter(({ to }) => !files.some(({ filePath }) => filePath === to));
  return changesView([
    ...files.map(({ filePath, created = false, structuredPatch, added, removed }) => ({
      path: filePath,
      created,
      movedFrom: origins.get(filePath),
      diff: { hunks: structuredPatch, added, removed },
    })),
    ...unchanged.map(({ from, to }) => ({ path: to, created: false, movedFrom: from, diff: noDiff })),
  ]);
}

const noDiff = { hunks: [], added: 0, removed: 0 };
