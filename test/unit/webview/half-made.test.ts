// What is half made in a card that waits is kept for the time that the page is gone, and no longer than its card.
import assert from 'node:assert/strict';
import { emptyChat } from '../../../src/shared/chat';
import { openWebviewPage } from '../../support/webview-page';
import { keptState } from '../../../webview-ui/host/vscode-api';
import { chat, received } from '../../../webview-ui/state/chat';
import {
  followCards,
  halfForm,
  keepForm,
  restoreHalfMade,
  wordsOf,
  wordsSent,
  writeWords,
} from '../../../webview-ui/state/half-made';

describe('half-made answers', () => {
  before(openWebviewPage);
  after(() => leavePage());

  const approval = {
    id: 'a1',
    toolUseId: 't1',
    toolName: 'Edit',
    title: 'Edit a.ts',
    view: { kind: 'json' as const, text: '{}' },
    reason: '',
    suggestions: [],
    hasDiff: false,
  };
  let leavePage = (): void => undefined;
  /** The page goes and comes, and shows this session without any card. */
  const reloaded = (sessionId: string): string[] => {
    const left: string[] = [];
    leavePage();
    received.ready.value = false;
    chat.load(emptyChat('', 'default', ''));
    restoreHalfMade();
    leavePage = followCards((text) => left.push(text));
    received.ready.value = true;
    chat.load(emptyChat(sessionId, 'default', ''));
    return left;
  };
  const written = (text: string): void => {
    received.ready.value = true;
    chat.load({ ...emptyChat('s1', 'default', ''), approvals: [approval] });
    writeWords('a1', text);
  };

  it('are handed over once where a reload has settled their card', () => {
    written('use the other one, since');
    assert.deepEqual(reloaded('s1'), ['use the other one, since']);
    assert.equal(wordsOf('a1'), '');
    assert.deepEqual(reloaded('s1'), []);
  });

  it('are not brought into another session', () => {
    written('for s1 only');
    assert.deepEqual(reloaded('s2'), []);
  });

  it('are not handed over where they were sent before the reload', () => {
    written('no, the other file');
    wordsSent('a1');
    assert.deepEqual(keptState()?.words, {});
    assert.deepEqual(reloaded('s1'), []);
  });

  it('stay in the form of a server that still waits, and no longer', () => {
    leavePage();
    received.ready.value = true;
    leavePage = followCards(() => undefined);
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
