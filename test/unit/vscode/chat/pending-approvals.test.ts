// The approvals of one chat: asked, shown, decided once, withdrawn by Stop.
import assert from 'node:assert/strict';
import { HostClosed } from '../../../../src/core/loop/host-closed';
import { type ApprovalRequest } from '../../../../src/core/ports/approver';
import {
  createPendingApprovals,
  type PendingApprovals,
  type ProposalEditor,
} from '../../../../src/vscode/chat/conversation/pending-approvals';

const request = (id: string, proposal = false): ApprovalRequest => ({
  id,
  toolUseId: `t-${id}`,
  toolName: 'Edit',
  title: 'Edit a.ts',
  view: { kind: 'json', text: '' },
  reason: 'No rule matches.',
  suggestions: [{ label: 'Always', updates: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }] }],
  ...(proposal ? { proposal: { path: '/w/a.ts', base: undefined, text: 'new' } } : {}),
});

describe('pending approvals', () => {
  let calls: string[];
  let asked: string[];
  let approvals: PendingApprovals;
  const signal = (): AbortSignal => new AbortController().signal;
  const make = (editor: Partial<ProposalEditor> = {}): void => {
    calls = [];
    asked = [];
    approvals = createPendingApprovals(
      {
        open: async ({ id }) => void calls.push(`open ${id}`),
        textOf: async (id) => (calls.push(`text ${id}`), 'changed'),
        close: async (id, kept) => void calls.push(`${kept === true ? 'leave' : 'close'} ${id}`),
        ...editor,
      },
      ({ id }) => void asked.push(id),
    );
  };
  beforeEach(() => make());

  it('accepts a call as it is', async () => {
    const answer = approvals.ask(request('a'), signal(), () => true);
    assert.deepEqual(asked, ['a']);
    assert.deepEqual(
      approvals.requests.map(({ id }) => id),
      ['a'],
    );
    assert.equal(await approvals.decide('a', { behavior: 'accept' }), true);
    assert.deepEqual(await answer, { behavior: 'allow' });
    assert.deepEqual(approvals.requests, []);
    assert.deepEqual(calls, []);
  });

  it('passes on what the user wrote to it, whichever the answer', async () => {
    const accepted = approvals.ask(request('a'), signal(), () => true);
    await approvals.decide('a', { behavior: 'accept', words: ' name it parseDay ' });
    assert.deepEqual(await accepted, { behavior: 'allow', comment: 'name it parseDay' });
    const rejected = approvals.ask(request('b'), signal(), () => true);
    await approvals.decide('b', { behavior: 'reject', feedback: 'not here' });
    assert.deepEqual(await rejected, { behavior: 'deny', interrupt: false, message: 'not here' });
  });

  it('accepts a proposal as the user left it, and closes its diff', async () => {
    const answer = approvals.ask(request('a', true), signal(), () => true);
    await approvals.decide('a', { behavior: 'accept' });
    assert.deepEqual(await answer, { behavior: 'allow', text: 'changed' });
    assert.deepEqual(calls, ['open a', 'text a', 'close a']);
  });

  it('settles what a new grant covers, and asks on for the rest', async () => {
    let granted = false;
    const decided = approvals.ask(request('a'), signal(), () => true);
    const covered = approvals.ask(request('b', true), signal(), () => !granted);
    void approvals.ask(request('c'), signal(), () => true);
    void decided.then(() => (granted = true));
    await approvals.decide('a', { behavior: 'always', suggestion: 0 });
    assert.deepEqual(await covered, { behavior: 'allow', covered: true, text: 'changed' });
    assert.deepEqual(
      approvals.requests.map(({ id }) => id),
      ['c'],
    );
  });

  it('rejects with a reason, or ends the turn without one', async () => {
    const reasoned = approvals.ask(request('a', true), signal(), () => true);
    await approvals.decide('a', { behavior: 'reject', feedback: ' Use B. ' });
    assert.deepEqual(await reasoned, { behavior: 'deny', message: 'Use B.', interrupt: false });
    const plain = approvals.ask(request('b'), signal(), () => true);
    await approvals.decide('b', { behavior: 'reject', feedback: '  ' });
    assert.deepEqual(await plain, { behavior: 'deny', interrupt: true });
  });

  it('saves the rule of the suggestion that was chosen', async () => {
    const answer = approvals.ask(request('a'), signal(), () => true);
    await approvals.decide('a', { behavior: 'always', suggestion: 0 });
    assert.deepEqual(await answer, { behavior: 'allow', updates: request('a').suggestions[0]?.updates });
    const none = approvals.ask(request('b'), signal(), () => true);
    await approvals.decide('b', { behavior: 'always', suggestion: 7 });
    assert.deepEqual(await none, { behavior: 'allow' });
  });

  it('decides each one once, whatever is clicked', async () => {
    const answer = approvals.ask(request('a', true), signal(), () => true);
    await Promise.all([
      approvals.decide('a', { behavior: 'reject', feedback: '' }),
      approvals.decide('a', { behavior: 'accept' }),
    ]);
    assert.equal((await answer).behavior, 'deny');
    assert.equal(await approvals.decide('a', { behavior: 'accept' }), false);
    assert.equal(await approvals.decide('nobody', { behavior: 'accept' }), false);
  });

  it('holds several at once', async () => {
    const answers = [
      approvals.ask(request('a'), signal(), () => true),
      approvals.ask(request('b'), signal(), () => true),
    ];
    await approvals.decide('b', { behavior: 'accept' });
    await answers[1];
    assert.deepEqual(
      approvals.requests.map(({ id }) => id),
      ['a'],
    );
    await approvals.decide('a', { behavior: 'accept' });
    await answers[0];
  });

  it('is withdrawn by Stop', async () => {
    const controller = new AbortController();
    const answer = approvals.ask(request('a', true), controller.signal, () => true);
    controller.abort(new DOMException('Stopped.', 'AbortError'));
    await assert.rejects(answer, { name: 'AbortError' });
    assert.deepEqual([approvals.requests, calls.at(-1)], [[], 'close a']);
    await assert.rejects(
      approvals.ask(request('b'), controller.signal, () => true),
      { name: 'AbortError' },
    );
    assert.deepEqual(asked, ['a']);
  });

  it('is left as it is by a window that goes away, which asks again', async () => {
    const controller = new AbortController();
    const answer = approvals.ask(request('a', true), controller.signal, () => true);
    controller.abort(new HostClosed());
    await assert.rejects(answer, { name: 'AbortError' });
    assert.deepEqual([approvals.requests, calls.at(-1)], [[], 'leave a']);
  });

  it('works without a diff editor that works', async () => {
    make({
      open: async () => {
        throw new Error('no window');
      },
      close: async () => {
        throw new Error('no window');
      },
    });
    const answer = approvals.ask(request('a', true), signal(), () => true);
    await approvals.decide('a', { behavior: 'accept' });
    assert.equal((await answer).behavior, 'allow');
  });
});
