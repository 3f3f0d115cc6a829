// An Approver that asks somebody outside this process: questions that a grant has answered meanwhile are withdrawn.
import { type ApprovalDecision, type ApprovalRequest, type Approver } from '../../core/ports/approver';

export interface AskingApprover extends Approver {
  /** Mode or rules have changed: what they allow now need not be asked any more. */
  recheck(): void;
}

/** `decide` rejects only on abort. `endsTurn` is called where a no about a call of the conversation is to end its turn. */
export function createAskingApprover(
  decide: (request: ApprovalRequest, signal: AbortSignal) => Promise<ApprovalDecision>,
  endsTurn: () => void,
): AskingApprover {
  const pending = new Set<{ stillNeeded: () => boolean; covered: AbortController }>();
  const recheck = (): void => {
    for (const { stillNeeded, covered } of [...pending]) if (!stillNeeded()) covered.abort();
  };
  return {
    recheck,
    async ask(request, signal, stillNeeded) {
      const entry = { stillNeeded, covered: new AbortController() };
      pending.add(entry);
      try {
        const decision = await decide(request, AbortSignal.any([signal, entry.covered.signal]));
        if (decision.behavior === 'deny' && decision.interrupt && request.agent === undefined) endsTurn();
        // The grant takes effect when the decided call continues.
        if (decision.behavior === 'allow' && decision.updates !== undefined) setImmediate(recheck);
        return decision;
      } catch (error) {
        if (entry.covered.signal.aborted && !signal.aborted) return { behavior: 'allow', covered: true };
        throw error;
      } finally {
        pending.delete(entry);
      }
    },
  };
}
