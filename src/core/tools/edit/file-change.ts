// Writes an accepted proposal and gathers what its result says: what changed, the user's own changes, new problems.
import { z } from 'zod/v3';
import { diffTexts, unifiedDiff, type TextDiff } from '../../edits/diff-hunks';
import { capHunks, diffView } from '../../edits/diff-view';
import { fitAgain } from '../../edits/fit-again';
import { type Diagnostic } from '../../ports/diagnostics';
import { type FileProposal } from '../../ports/approver';
import { type Path } from '../../ports/path';
import { type TextFile, type WriteOutcome } from '../../ports/files';
import { type DiffView } from '../../../shared/tool-view';
import { newDiagnostics } from './file-diagnostics';
import { addedNeutralTag } from '../../text/system-reminder';
import { changedFailure, writeFailure } from '../../tool/file-failure';
import { gitDiffOf, gitDiffSchema } from './git-diff';
import {
  isFailure,
  type AcceptedProposal,
  type ToolContext,
  type ToolFailure,
  type ToolPreview,
} from '../../tool/tool';
import { words } from '../../text/words';

/** Characters of the text before the change, and of one that was written, that a result carries. */
export const MAX_ORIGINAL = 100_000;
/** Each takes some milliseconds, in which a key may be pressed. */
const MAX_RENEWALS = 8;
/** Lines of the patch that a result carries. */
export const MAX_PATCH_LINES = 2_000;

export const hunkSchema = z.object({
  oldStart: z.number(),
  oldLines: z.number(),
  newStart: z.number(),
  newLines: z.number(),
  lines: z.array(z.string()),
});

/** What Edit and Write report alike. */
export const changeShape = {
  /** Absolute. */
  filePath: z.string(),
  created: z.boolean(),
  /** The text before the change; left out where it is long or there was none. */
  originalFile: z.string().optional(),
  /** At most 2,000 lines; `added` and `removed` count all. */
  structuredPatch: z.array(hunkSchema),
  /** Where the file is in a checkout of git. */
  gitDiff: gitDiffSchema.optional(),
  added: z.number(),
  removed: z.number(),
  /** The user changed the proposal before accepting it. */
  userModified: z.boolean(),
  /** What they changed, as a unified diff from the proposal to the accepted text. */
  userChanges: z.string().optional(),
  /** For the model: changed since the read, formatted on save … */
  notes: z.array(z.string()),
  newDiagnostics: z.array(z.string()),
  /** Lines of the file afterwards that the model has not seen, where it had changed since it was read. */
  unseen: z.array(z.object({ start: z.number(), end: z.number() })).optional(),
  /** The hash of the file afterwards. */
  hash: z.string(),
};
/** What Edit and Write show of the file. */
export const snippetShape = {
  /** Lines that the model does not know, with their real numbers; left out where all is as it asked. */
  snippet: z.string().optional(),
};
/** Of those lines. */
export const MAX_SNIPPET_LINES = 200;

export type ChangeOutput = z.infer<z.ZodObject<typeof changeShape>>;

export interface AppliedChange {
  output: ChangeOutput;
  /** The text before; undefined where the file is new. */
  before: string | undefined;
  /** The file afterwards. */
  file: TextFile;
  diff: TextDiff;
  /** What was to be written: the proposal, or what the user made of it. */
  asked: string;
  /** It had changed since the model read it. */
  stale: boolean;
}

/** What the model does not know of a file that it has changed: what is not as asked, and where the file had changed before, what is around the change. */
export function unknownHunks({ asked, file, diff, stale }: AppliedChange): TextDiff['hunks'] {
  if (stale) return diff.hunks;
  return asked === file.text ? [] : diffTexts(asked, file.text).hunks;
}

/**
 * Writes the accepted proposal, or the one that `propose` makes where the pipeline made no preview. Where the file
 * changed meanwhile and no user has accepted the text, `propose` makes it again from the file as it is now, a few times,
 * since users keep typing. What a user accepted is written as it is or not at all: with `moves`, the lines that they saw,
 * where the file has changed in others alone, such as by a proposal for the same file that was accepted before.
 */
export async function applyChange(
  context: ToolContext,
  propose: () => Promise<FileProposal | ToolFailure>,
  moves: boolean,
): Promise<AppliedChange | ToolFailure> {
  const proposal = context.proposal ?? unseen(await propose());
  if (isFailure(proposal)) return proposal;
  if (proposal.userModified && proposal.base && proposal.text === proposal.base.text) return nothingLeft(proposal);
  const seenByUser = proposal.approved || proposal.userModified;
  let written = await writeProposal(proposal, context);
  if (seenByUser) {
    for (let renewal = 0; moves && renewal < MAX_RENEWALS && 'changed' in written; renewal++) {
      const moved = movedTo(written.changed.current, proposal);
      if (moved === undefined) break;
      written = await writeProposal(moved, context);
    }
    return keepingChanges(finished(written, proposal.path), proposal);
  }
  for (let renewal = 0; renewal < MAX_RENEWALS && 'changed' in written; renewal++) {
    const renewed = unseen(await propose());
    if (isFailure(renewed)) return renewed;
    written = await writeProposal(renewed, context);
  }
  return finished(written, proposal.path);
}

type TooLate = Omit<Extract<WriteOutcome, { outcome: 'changed' }>, 'outcome'> & { base: TextFile | undefined };
type Written = AppliedChange | ToolFailure | { changed: TooLate };

async function writeProposal(proposal: AcceptedProposal, context: ToolContext): Promise<Written> {
  context.signal.throwIfAborted();
  const { path, base, text, approved } = proposal;
  const before = context.ports.diagnostics.current([path]);
  const outcome = await context.ports.files.writeText({ path, base, text, approved });
  switch (outcome.outcome) {
    case 'written':
      return report(proposal, outcome, before, context);
    case 'changed':
      return { changed: { base, ...outcome } };
    case 'refused':
      return writeFailure(outcome);
  }
}

/** The accepted proposal for the file as it is now; undefined where a line that the user saw is not there as it was. */
function movedTo(current: TextFile | undefined, proposal: AcceptedProposal): AcceptedProposal | undefined {
  const { base, text, proposedText } = proposal;
  if (base === undefined || current === undefined) return undefined;
  const moved = fitAgain(base.text, text, current.text);
  const proposed = fitAgain(base.text, proposedText, current.text);
  return moved === undefined || proposed === undefined
    ? undefined
    : { ...proposal, base: current, text: moved, proposedText: proposed };
}

function finished(written: Written, path: Path): AppliedChange | ToolFailure {
  return 'changed' in written ? changedFailure(path, written.changed.base, written.changed) : written;
}

/** A proposal that nobody has seen. */
function unseen(proposal: FileProposal | ToolFailure): AcceptedProposal | ToolFailure {
  if (isFailure(proposal)) return proposal;
  return { ...proposal, userModified: false, proposedText: proposal.text, approved: false };
}

async function report(
  proposal: AcceptedProposal,
  { file, notes }: { file: TextFile; notes: string[] },
  before: Diagnostic[],
  context: ToolContext,
): Promise<AppliedChange> {
  const { path, base } = proposal;
  const diff = diffTexts(base?.text ?? '', file.text);
  const userChanges = proposal.userModified ? changesOfUser(proposal) : '';
  const seen = context.session.readState.get(path);
  const gitDiff = await gitDiffOf(path, base === undefined, diff, MAX_PATCH_LINES, context.ports.files);
  const stale = base !== undefined && seen !== undefined && seen.hash !== base.hash;
  const output: ChangeOutput = {
    filePath: path,
    created: base === undefined,
    ...(base !== undefined && base.text.length <= MAX_ORIGINAL ? { originalFile: base.text } : {}),
    structuredPatch: capHunks(diff.hunks, MAX_PATCH_LINES).hunks,
    ...(gitDiff && { gitDiff }),
    added: diff.added,
    removed: diff.removed,
    userModified: proposal.userModified,
    ...(userChanges === '' ? {} : { userChanges }),
    notes: [
      ...(stale ? [`${path} had changed since you read it; this edit still matched exactly.`] : []),
      ...backslashNote(base?.text ?? '', file.text),
      ...notes,
    ],
    newDiagnostics: await newDiagnostics(path, before, context),
    hash: file.hash,
  };
  return { output, before: base?.text, file, diff, asked: proposal.text, stale };
}

/** It may have been copied from what the model was shown of another file. */
function backslashNote(before: string, text: string): string[] {
  const added = addedNeutralTag(before, text);
  if (added === undefined) return [];
  const advice = 'If you copied it from what you were shown, replace it by the tag without the backslash.';
  return [`${added}> is in the file now as you wrote it, with the backslash. ${advice}`];
}

/** The approval's view of a proposal. */
export function previewOf(proposal: FileProposal): ToolPreview {
  const { path, base, text } = proposal;
  return { view: diffView(path, base === undefined, diffTexts(base?.text ?? '', text)), proposal };
}

export function changeView({ filePath, created, structuredPatch, added, removed }: ChangeOutput): DiffView {
  return diffView(filePath, created, { hunks: structuredPatch, added, removed });
}

export function changeDetail({ added, removed }: ChangeOutput): string {
  return `+${added} −${removed}`;
}

/** The user accepted, but left nothing of it. */
export function nothingLeft(proposal: AcceptedProposal): ToolFailure {
  const what = `The user undid every change of the proposal before accepting it, so ${proposal.path} is unchanged.`;
  return { failure: { code: 'nothing-left', message: `${what}\n\n${changesOfUser(proposal)}`, stopped: true } };
}

/** What the user typed into a proposal that could not be written is in no other place than its failure. */
export function keepingChanges<Outcome extends object>(
  outcome: Outcome | ToolFailure,
  proposal: AcceptedProposal | undefined,
): Outcome | ToolFailure {
  const changes = isFailure(outcome) && proposal?.userModified === true ? changesOfUser(proposal) : '';
  if (!isFailure(outcome) || changes === '') return outcome;
  const { failure } = outcome;
  return {
    failure: {
      ...failure,
      message: words`${failure.message}\n\nThe user had changed your proposal before accepting it. If you redo it, keep their changes:\n${changes}`,
    },
  };
}

/** From the proposal to the accepted text, as a unified diff. */
export function changesOfUser(proposal: AcceptedProposal): string {
  return unifiedDiff(proposal.proposedText, proposal.text, 'proposed', 'accepted');
}
