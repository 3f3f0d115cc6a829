// Proposals that make a change again which the user has rejected or undone: they are asked, whatever the mode allows.
import { keepLineEndings } from '../edits/line-endings';
import { type FileChange, type RefusedChanges } from '../tool/refused-changes';
import { type PermissionVerdict } from '../permissions/rules/verdict';
import { type ApprovalDecision, type FileProposal } from '../ports/approver';
import { type AnyTool, isFailure, type ToolContext } from '../tool/tool';

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
export function rememberAnswer(
  proposal: FileProposal | undefined,
  decision: ApprovalDecision,
  refused: RefusedChanges | undefined,
): void {
  if (proposal === undefined || refused === undefined) return;
  for (const file of filesOf(proposal)) {
    const change = changeOf(file);
    if (decision.behavior === 'deny') {
      if (decision.unasked !== true && (decision.message ?? '').trim() === '') refused.refuse(change, 'rejected');
      continue;
    }
    const left = file === proposal ? decision.text : decision.texts?.[file.path];
    const text = left === undefined ? file.text : keepLineEndings(file.text, left);
    refused.accept({ ...change, after: text });
    if (text !== file.text) refused.refuse({ ...change, before: text }, 'rejected');
  }
}

function filesOf(proposal: FileProposal): FileProposal[] {
  return [proposal, ...(proposal.others ?? [])];
}

function changeOf({ path, base, text, movedFrom }: FileProposal): FileChange {
  return { path, before: base?.text ?? (movedFrom === undefined ? undefined : ''), after: text };
}
