// A proposed change as it waits for the user, in memory and on disk.
import { diffTexts } from '../../core/edits/diff-hunks';
import { changesView } from '../../core/edits/changes-view';
import { diffView } from '../../core/edits/diff-view';
import { keepLineEndings } from '../../core/edits/line-endings';
import { type FileProposal } from '../../core/ports/approver';
import { type ChangesView, type DiffView } from '../../shared/tool-view';
import { editorLines, lineHunks, replaceLines } from '../files/line-hunks';
import { type Proposal } from './stored-shapes';

/** What the user made of a proposal, as the chat shows it. */
export interface ProposalChange {
  requestId: string;
  view: DiffView | ChangesView;
  /** False where it is again what was proposed. */
  byUser: boolean;
}

/** What the user made of the same proposal before a reload is taken over. */
export function proposalOf(
  id: string,
  { path, base, text }: FileProposal,
  uri: string,
  earlier: Proposal | undefined,
): Proposal {
  const original = base?.text ?? '';
  const same =
    earlier !== undefined && earlier.uri === uri && earlier.original === original && earlier.proposed === text;
  return {
    id,
    path,
    uri,
    created: base === undefined,
    original,
    proposed: text,
    shown: same ? earlier.shown : text,
    askedAt: Date.now(),
  };
}

/** The text to write: exactly the proposed one where the user left it alone; an editor knows only one kind of line ending. */
export function acceptedText({ proposed, shown }: Proposal): string {
  const lines = (text: string): string => text.replace(/\r\n|\r/g, '\n');
  return lines(shown) === lines(proposed) ? proposed : keepLineEndings(proposed, shown);
}

/** What Accept would do now, in all files of a proposal. */
export function changeOf(proposals: readonly Proposal[]): Omit<ProposalChange, 'requestId'> {
  const files = proposals.map((proposal) => {
    const { path, created, original } = proposal;
    return { path, created, diff: diffTexts(original, acceptedText(proposal)) };
  });
  const [only, ...others] = files;
  return {
    view: only !== undefined && others.length === 0 ? diffView(only.path, only.created, only.diff) : changesView(files),
    byUser: proposals.some((proposal) => acceptedText(proposal) !== proposal.proposed),
  };
}

/** Of the new text, zero-based, the end excluded. */
export interface NewLines {
  start: number;
  end: number;
}

/** Without its changes that touch these lines of `now`; undefined where none does. */
export function withoutChanges(original: string, now: string, { start, end }: NewLines): string | undefined {
  const touched = lineHunks(original, now, true).filter(
    // What only removes lines is where they were.
    ({ newStart, newEnd }) => newStart < end && Math.max(newEnd, newStart + 1) > start,
  );
  if (touched.length === 0) return undefined;
  const before = editorLines(original);
  const lines = touched.reduceRight(
    (text, { oldStart, oldEnd, newStart, newEnd }) =>
      replaceLines(text, newStart, newEnd, before.slice(oldStart, oldEnd)),
    editorLines(now),
  );
  return lines.join('');
}
