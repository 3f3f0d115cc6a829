// Changes that the user proposes outside any turn: asked about by a card like those of calls.
import { type SessionEvent } from '../../../core/events/session-event';
import { type ApprovalDecision, type ApprovalRequest, type Approver } from '../../../core/ports/approver';

export interface UserProposals {
  /** Undefined where the session is left, or all that waits is dropped. */
  propose(request: ApprovalRequest): Promise<ApprovalDecision | undefined>;
  /** As when a turn is stopped: nothing of it waits any longer. */
  drop(): void;
}

export function createUserProposals(approver: () => Approver, emit: (event: SessionEvent) => void): UserProposals {
  let waiting = new AbortController();
  return {
    async propose(request) {
      const { signal } = waiting;
      emit({ type: 'approval_asked', request });
      try {
        return await approver().ask(request, signal, () => true);
      } catch (error) {
        if (signal.aborted) return undefined;
        throw error;
      } finally {
        emit({ type: 'approval_settled', requestId: request.id });
      }
    },
    drop() {
      waiting.abort();
      waiting = new AbortController();
    },
  };
}
