// What the webview posts and the host cannot take: the card that it answers waits again, and the user is notified.
import assert from 'node:assert/strict';
import { type HostMessage } from '../../../../src/shared/host-messages';
import { type WebviewMessage } from '../../../../src/shared/protocol';
import { takeMessage } from '../../../../src/vscode/chat/messages/take-message';

async function take(value: unknown, handle: (message: WebviewMessage) => Promise<unknown> = () => Promise.resolve()) {
  const posted: HostMessage[] = [];
  const said: string[] = [];
  const logged: string[] = [];
  const message = takeMessage(value, {
    handle,
    post: (one) => posted.push(one),
    log: (_level, one) => logged.push(one),
    notice: (_level, title) => said.push(title),
  });
  await new Promise(setImmediate);
  return { message, posted, said, logged };
}

const answer = (text: string) => ({
  type: 'answer',
  request: 1,
  questionId: 'q',
  answer: { behavior: 'answered', answers: { 'Which?': text } },
});

describe('a message that the host takes', () => {
  it('goes to its handler', async () => {
    const handled: WebviewMessage[] = [];
    const { message, posted, said } = await take({ type: 'stop' }, async (one) => void handled.push(one));
    assert.deepEqual([handled, posted, said], [[message], [], []]);
  });

  it('answers a request with what its handler gives', async () => {
    const { posted } = await take({ type: 'slash', query: '', request: 3 }, async () => ['clear']);
    assert.deepEqual(posted, [{ type: 'answered', request: 3, answer: ['clear'] }]);
  });

  it('gives the card back where the answer is too long', async () => {
    const { message, posted, said } = await take(answer('x'.repeat(300_000)), () => assert.fail('it is handled'));
    assert.deepEqual(
      [message, posted, said],
      [undefined, [{ type: 'failed', request: 1 }], ['Your answer was not accepted.']],
    );
  });

  it('gives the card back where its handler fails', async () => {
    for (const [value, request] of [
      [answer('a'), 1],
      [{ type: 'decide', request: 2, approvalId: 'a', decision: { behavior: 'accept' } }, 2],
    ] as const) {
      const { posted, said, logged } = await take(value, () => Promise.reject(new Error('The disk is full.')));
      assert.deepEqual([posted, said], [[{ type: 'failed', request }], ['Your answer was not accepted.']]);
      assert.match(logged.join(), /The disk is full\./);
    }
  });

  it('says nothing of what answers no card, but to the log', async () => {
    for (const value of [undefined, 'x', { type: 'nothing' }, { type: 'mention', requestId: 3 }]) {
      const { posted, said, logged } = await take(value);
      assert.deepEqual([posted, said, logged.length], [[], [], 1]);
    }
    const { posted } = await take({ type: 'mention', requestId: 3, query: '' }, () => Promise.reject(new Error('No')));
    assert.deepEqual(posted, []);
  });
});
