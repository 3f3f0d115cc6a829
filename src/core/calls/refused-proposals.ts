// Proposals that make a change again which the user has rejected or undone: they are asked, whatever the mode allows.
import { type FileChange, type RefusedChanges } from '../tool/refused-changes';
import { type PermissionVerdict } from '../permissions/rules/verdict';
import { type ApprovalDecision, type FileProposal } from '../ports/approver';
import { type AcceptedProposal, type AnyTool, isFailure, type ToolContext } from '../tool/tool';

export async function asksOfRefused(
  tool: AnyTool,
  input: unknown,
  context: ToolContext,
): Promise<PermissionVerdict | undefined> {
  const { refusedChanges: refused } = context.session;
  if (refused === undefined) return undefined;
  const preview = await tool.preview?.(input, context);
  if (preview === undefined || isFailure(preview) || preview.proposal === undefined) return undefined;
  const reasons = filesOf(preview.proposal).flatMap((file) => refused.repeated(changeOf(file)) ?? []);
  return reasons[0] === undefined
    ? undefined
    : { behavior: 'ask', code: 'refused-change', reason: reasons[0], suggestions: [] };
}

/** Whoever says in words what is wrong with a proposal wants another one of it, not none. */
export function rememberRejected(
  proposal: FileProposal | undefined,
  { message = '', unasked }: Extract<ApprovalDecision, { behavior: 'deny' }>,
  refused: RefusedChanges | undefined,
): void {
  if (proposal === undefined || unasked === true || message.trim() !== '') return;
  for (const file of filesOf(proposal)) refused?.refuse(changeOf(file), 'rejected');
}

/** What the user left out of it is refused. */
export function rememberAccepted(proposal: AcceptedProposal | undefined, refused: RefusedChanges | undefined): void {
  if (proposal === undefined) return;
  for (const file of [proposal, ...(proposal.acceptedOthers ?? [])]) {
    refused?.accept(changeOf(file));
    if (file.userModified)
      refused?.refuse({ path: file.path, before: file.text, after: file.proposedText }, 'rejected');
  }
}

function filesOf(proposal: FileProposal): FileProposal[] {
  return [proposal, ...(proposal.others ?? [])];
}

function changeOf({ path, base, text, movedFrom }: FileProposal): FileChange {
  return { path, before: base?.text ?? (movedFrom === undefined ? undefined : ''), after: text };
}
