// What is half written in a card that goes away with the window goes back to the person, in its session alone.
import assert from 'node:assert/strict';
import { emptyChat } from '../../../src/shared/chat';
import { chat, received } from '../../../webview-ui/state/chat';
import { followCards, halfForm, keepForm, restoreHalfMade, writeWords } from '../../../webview-ui/state/half-made';

describe('half-made words', () => {
  const page = globalThis as { acquireVsCodeApi?: unknown };
  let state: unknown;

  before(() => {
    page.acquireVsCodeApi = () => ({ postMessage: () => undefined, getState: () => state, setState: (next: unknown) => (state = next) });
  });
  after(() => {
    delete page.acquireVsCodeApi;
  });

  const reloaded = (sessionId: string): string[] => {
    const left: string[] = [];
    received.ready.value = false;
    chat.load(emptyChat('', 'default', ''));
    restoreHalfMade();
    followCards((text) => left.push(text));
    chat.load(emptyChat(sessionId, 'default', ''));
    received.ready.value = true;
    return left;
  };

  it('are handed over where a reload has settled their card', () => {
    chat.load(emptyChat('s1', 'default', ''));
    writeWords('a1', 'use the other one, since');
    assert.deepEqual(reloaded('s1'), ['use the other one, since']);
    assert.deepEqual(reloaded('s1'), []);
  });

  it('stay in the form of a server that still waits, and no longer', () => {
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

  it('are not brought into another session', () => {
    chat.load(emptyChat('s1', 'default', ''));
    writeWords('a2', 'for s1 only');
    assert.deepEqual(reloaded('s2'), []);
  });
});
