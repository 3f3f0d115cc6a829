// The approvals that wait for the user: the approver of one chat.
import { defined } from '../../../shared/defined';
import { HostClosed } from '../../../core/loop/host-closed';
import { type ApprovalDecision, type ApprovalRequest, type Approver } from '../../../core/ports/approver';

/** What the diff editor adds to an approval: showing the proposal and reading what the user made of it. */
export interface ProposalEditor {
  open(request: ApprovalRequest): Promise<void>;
  /** The proposal as it is in the editor, or as it was proposed where none is open. */
  textOf(requestId: string): Promise<string | undefined>;
  /** The same for the other files of a proposal that has several, by path. */
  otherTextsOf?(requestId: string): Promise<Record<string, string>>;
  /** `kept`: it is asked again later, as the user leaves it now. */
  close(requestId: string, kept?: boolean): Promise<void>;
  /** What the user wrote along with a plan that they accept. */
  remarks?(requestId: string): Promise<string>;
  /** All that goes back with a plan that they do not accept. */
  feedback?(requestId: string, words: string): Promise<string>;
}

/** `words`: what the user wrote to it, for the agent. */
export type UserDecision =
  | { behavior: 'accept'; words?: string | undefined }
  | { behavior: 'reject'; feedback: string }
  | { behavior: 'always'; suggestion: number; words?: string | undefined };

export interface PendingApprovals extends Approver {
  readonly requests: readonly ApprovalRequest[];
  /** False where it was settled already. */
  decide(requestId: string, decision: UserDecision): Promise<boolean>;
}

interface Pending {
  request: ApprovalRequest;
  stillNeeded: () => boolean;
  settle: (decision: ApprovalDecision) => void;
}

export function createPendingApprovals(
  editor: ProposalEditor,
  asked: (request: ApprovalRequest) => void,
): PendingApprovals {
  const pending = new Map<string, Pending>();

  const textsOf = async ({
    id,
    proposal,
  }: ApprovalRequest): Promise<{ text?: string; texts?: Record<string, string> }> =>
    proposal === undefined
      ? {}
      : defined({
          text: await editor.textOf(id),
          texts: proposal.others === undefined ? undefined : await editor.otherTextsOf?.(id),
        });

  /** What the new grant covers need not be asked any more. */
  const settleCovered = async (): Promise<void> => {
    // The grant takes effect when the decided call continues.
    await new Promise<void>((resolve) => setImmediate(resolve));
    for (const { request, settle, stillNeeded } of [...pending.values()]) {
      if (stillNeeded()) continue;
      settle({ behavior: 'allow', covered: true, ...(await textsOf(request)) });
    }
  };

  return {
    get requests() {
      return [...pending.values()].map(({ request }) => request);
    },
    async ask(request, signal, stillNeeded) {
      signal.throwIfAborted();
      try {
        return await new Promise<ApprovalDecision>((resolve, reject) => {
          const abort = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
          signal.addEventListener('abort', abort, { once: true });
          pending.set(request.id, {
            request,
            stillNeeded,
            settle: (decision) => {
              signal.removeEventListener('abort', abort);
              resolve(decision);
            },
          });
          asked(request);
          // A preview that cannot be shown never fails the edit: the card in the chat decides as well.
          if (request.proposal !== undefined) editor.open(request).catch(() => undefined);
        });
      } finally {
        pending.delete(request.id);
        const kept = signal.reason instanceof HostClosed;
        if (request.proposal !== undefined) editor.close(request.id, kept).catch(() => undefined);
      }
    },
    async decide(requestId, decision) {
      const found = pending.get(requestId);
      if (found === undefined) return false;
      const { request, settle } = found;
      if (decision.behavior === 'reject') {
        const words = decision.feedback.trim();
        const message = request.plan === undefined ? words : ((await editor.feedback?.(requestId, words)) ?? words);
        settle({ behavior: 'deny', interrupt: message === '', ...(message === '' ? {} : { message }) });
        return true;
      }
      const texts = await textsOf(request);
      const remarks = request.plan === undefined ? '' : ((await editor.remarks?.(requestId)) ?? '');
      const comment = [remarks, decision.words?.trim() ?? ''].filter((part) => part !== '').join('\n\n');
      const updates = decision.behavior === 'always' ? request.suggestions[decision.suggestion]?.updates : undefined;
      settle({
        behavior: 'allow',
        ...texts,
        ...(comment === '' ? {} : { comment }),
        ...defined({ updates }),
      });
      if (updates !== undefined) await settleCovered();
      return true;
    },
  };
}
