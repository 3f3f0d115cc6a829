// Changes that the user proposes: asked about outside any turn, and dropped with the session.
import assert from 'node:assert/strict';
import { type SessionEvent } from '../../../../src/core/events/session-event';
import { type ApprovalRequest } from '../../../../src/core/ports/approver';
import { createPendingApprovals } from '../../../../src/vscode/chat/conversation/pending-approvals';
import { createUserProposals } from '../../../../src/vscode/chat/conversation/user-proposals';

const request: ApprovalRequest = {
  id: 'p',
  toolUseId: 'p',
  toolName: 'Apply',
  title: 'Apply code to a.ts',
  view: { kind: 'diff', path: '/w/a.ts', created: false, added: 1, removed: 0, hunks: [], truncated: false },
  reason: 'You asked for it.',
  suggestions: [],
  byUser: true,
  proposal: { path: '/w/a.ts', base: undefined, text: 'proposed' },
};

describe('changes that the user proposes', () => {
  const start = () => {
    const events: SessionEvent[] = [];
    const closed: string[] = [];
    const approvals = createPendingApprovals(
      {
        open: async () => undefined,
        textOf: async () => 'as the user left it',
        close: async (id) => void closed.push(id),
      },
      () => undefined,
    );
    const proposals = createUserProposals(
      () => approvals,
      (event) => events.push(event),
    );
    return { approvals, proposals, closed, types: () => events.map(({ type }) => type) };
  };

  it('are accepted with the text that the user left', async () => {
    const { approvals, proposals, closed, types } = start();
    const answer = proposals.propose(request);
    assert.deepEqual(types(), ['approval_asked']);
    await approvals.decide('p', { behavior: 'accept' });
    assert.deepEqual(await answer, { behavior: 'allow', text: 'as the user left it' });
    assert.deepEqual(types(), ['approval_asked', 'approval_settled']);
    assert.deepEqual(closed, ['p']);
  });

  it('are dropped with what waits, and the next one waits anew', async () => {
    const { approvals, proposals, types } = start();
    const first = proposals.propose(request);
    proposals.drop();
    assert.equal(await first, undefined);
    assert.deepEqual(types(), ['approval_asked', 'approval_settled']);
    assert.equal(await approvals.decide('p', { behavior: 'accept' }), false);
    const second = proposals.propose(request);
    await approvals.decide('p', { behavior: 'reject', feedback: '' });
    assert.equal((await second)?.behavior, 'deny');
  });
});
