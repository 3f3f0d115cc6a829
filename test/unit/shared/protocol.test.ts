// Messages of the webview are checked: what is not exactly one of them is none.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { answeredCard, parseWebviewMessage, webviewMessages } from '../../../src/shared/protocol';

describe('parseWebviewMessage', () => {
  const good: unknown[] = [
    { type: 'ready' },
    {
      type: 'send',
      text: 'Hi',
      images: [{ name: 'a.png', mediaType: 'image/png', data: 'AAAA' }],
      withSelection: true,
    },
    { type: 'decide', approvalId: 'a', decision: { behavior: 'accept' } },
    { type: 'decide', approvalId: 'a', decision: { behavior: 'reject', feedback: '' } },
    { type: 'decide', approvalId: 'a', decision: { behavior: 'always', suggestion: 0 } },
    { type: 'answer', questionId: 'q', answer: { behavior: 'answered', answers: { 'Which?': 'That one' } } },
    { type: 'answer', questionId: 'q', answer: { behavior: 'answered', answers: { 'Which?': 'x'.repeat(100_000) } } },
    { type: 'answer', questionId: 'q', answer: { behavior: 'dismissed' } },
    { type: 'recall', id: 'u' },
    { type: 'unqueue', id: 'q', edit: true },
    { type: 'openFile', path: 'src/a.ts', line: 3 },
    { type: 'setMode', mode: 'plan' },
    { type: 'review', action: 'keep' },
    { type: 'command', command: 'retry' },
  ];
  for (const message of good) {
    it(`takes ${JSON.stringify(message).slice(0, 200)}`, () => assert.deepEqual(parseWebviewMessage(message), message));
  }

  const bad: unknown[] = [
    undefined,
    null,
    'ready',
    {},
    { type: 'nothing' },
    { type: 'toString' },
    { type: '__proto__' },
    { type: 'send', text: 3, images: [], withSelection: true },
    { type: 'decide', approvalId: '', decision: { behavior: 'accept' } },
    { type: 'decide', approvalId: 'a', decision: { behavior: 'always', suggestion: -1 } },
    { type: 'decide', approvalId: 'a', decision: { behavior: 'allow everything' } },
    { type: 'answer', questionId: 'q', answer: { behavior: 'answered', answers: { 'Which?': ['That one'] } } },
    { type: 'answer', questionId: 'q', answer: { behavior: 'answered', answers: { 'Which?': 'x'.repeat(200_001) } } },
    { type: 'setMode', mode: 'yolo' },
    { type: 'command', command: 'workbench.action.closeWindow' },
    { type: 'openFile', path: '' },
    { type: 'openLink', url: 'x'.repeat(10_001) },
  ];
  for (const message of bad) {
    it(`refuses ${JSON.stringify(message)?.slice(0, 60)}`, () => assert.equal(parseWebviewMessage(message), undefined));
  }

  it('tells which card a refused message was to answer', () => {
    for (const name of ['approvalId', 'questionId', 'requestId'])
      assert.equal(answeredCard({ type: 'x', [name]: 'c' }), 'c');
    for (const other of [
      undefined,
      null,
      'x',
      {},
      { requestId: 3 },
      { questionId: '' },
      { approvalId: 'x'.repeat(201) },
    ])
      assert.equal(answeredCard(other), undefined);
  });

  it('drops fields that no message has', () => {
    assert.deepEqual(parseWebviewMessage({ type: 'stop', extra: 1 }), { type: 'stop' });
  });

  it('never throws', () => {
    const types = Object.keys(webviewMessages);
    const anything = fc.oneof(
      fc.anything(),
      fc.record({ type: fc.constantFrom(...types) }),
      fc.tuple(fc.constantFrom(...types), fc.object()).map(([type, rest]) => ({ ...rest, type })),
    );
    fc.assert(
      fc.property(anything, (value) => void parseWebviewMessage(value)),
      { numRuns: 500 },
    );
  });
});
