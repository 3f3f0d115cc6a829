// A proposed change as it waits for the user, in memory and on disk.
import { diffTexts } from '../../core/edits/diff-hunks';
import { diffView } from '../../core/edits/diff-view';
import { keepLineEndings } from '../../core/edits/line-endings';
import { type ApprovalRequest } from '../../core/ports/approver';
import { type DiffView } from '../../shared/tool-view';
import { type Proposal } from './stored-shapes';

/** What the user made of a proposal, as the chat shows it. */
export interface ProposalChange {
  requestId: string;
  view: DiffView;
  /** False where it is again what was proposed. */
  byUser: boolean;
}

/** What the user made of the same proposal before a reload is taken over. Undefined for an approval without one. */
export function proposalOf(
  request: ApprovalRequest,
  uri: string,
  earlier: Proposal | undefined,
  now: number,
): Proposal | undefined {
  if (request.proposal === undefined) return undefined;
  const { path, base, text } = request.proposal;
  const original = base?.text ?? '';
  const same =
    earlier !== undefined && earlier.uri === uri && earlier.original === original && earlier.proposed === text;
  return {
    id: request.toolUseId,
    path,
    uri,
    created: base === undefined,
    original,
    proposed: text,
    shown: same ? earlier.shown : text,
    askedAt: now,
  };
}

/** The text to write: exactly the proposed one where the user left it alone; an editor knows only one kind of line ending. */
export function acceptedText({ proposed, shown }: Proposal): string {
  const lines = (text: string): string => text.replace(/\r\n|\r/g, '\n');
  return lines(shown) === lines(proposed) ? proposed : keepLineEndings(proposed, shown);
}

/** What Accept would do now. */
export function changeOf(proposal: Proposal): Omit<ProposalChange, 'requestId'> {
  const text = acceptedText(proposal);
  return {
    view: diffView(proposal.path, proposal.created, diffTexts(proposal.original, text)),
    byUser: text !== proposal.proposed,
  };
}
