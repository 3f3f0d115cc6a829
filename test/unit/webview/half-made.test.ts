// What is half made in a card that waits is kept for the time that the page is gone, and no longer than its card.
import assert from 'node:assert/strict';
import { emptyChat } from '../../../src/shared/chat';
import { chat, received } from '../../../webview-ui/state/chat';
import { followCards, halfForm, keepForm, restoreHalfMade } from '../../../webview-ui/state/half-made';

describe('half-made answers', () => {
  const page = globalThis as { acquireVsCodeApi?: unknown };
  let state: unknown;

  before(() => {
    page.acquireVsCodeApi = () => ({ postMessage: () => undefined, getState: () => state, setState: (next: unknown) => (state = next) });
  });
  after(() => {
    delete page.acquireVsCodeApi;
  });

  it('stay in the form of a server that still waits, and no longer', () => {
    received.ready.value = true;
    followCards(() => undefined);
    const request = { kind: 'form' as const, id: 'r1', server: 'odd', message: 'Which number?', fields: [] };
    chat.load({ ...emptyChat('s1', 'default', ''), mcpRequests: [request] });
    keepForm('r1', { number: '7' });
    restoreHalfMade();
    assert.deepEqual(halfForm('r1'), { number: '7' });
    chat.load(emptyChat('s1', 'default', ''));
    assert.equal(halfForm('r1'), undefined);
    restoreHalfMade();
    assert.equal(halfForm('r1'), undefined);
  });
});
