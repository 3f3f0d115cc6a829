// Messages of the webview are checked: what is not exactly one of them is none.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseWebviewMessage, requestNumber, webviewMessages } from '../../../src/shared/protocol';

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
    { type: 'openLink', url: `https://a.test/${'x'.repeat(10_001)}` },
    { type: 'openLink', url: 'command:workbench.action.closeWindow' },
    { type: 'openLink', url: 'file:///etc/passwd' },
  ];
  for (const message of bad) {
    it(`refuses ${JSON.stringify(message)?.slice(0, 60)}`, () => assert.equal(parseWebviewMessage(message), undefined));
  }

  it('tells which request something that is no message was', () => {
    assert.equal(requestNumber({ type: 'x', request: 7 }), 7);
    for (const other of [undefined, null, 'x', {}, { request: '7' }, { request: 0.5 }, { request: null }])
      assert.equal(requestNumber(other), undefined);
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
