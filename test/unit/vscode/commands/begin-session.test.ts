// A chat that begins another session, and the one that may move out of it: only where its user lets it go.
import assert from 'node:assert/strict';
import { emptyChat, type ChatState } from '../../../../src/shared/chat';
import { beginsAnother, movableSession } from '../../../../src/vscode/commands/begin-session';

const items: ChatState['items'] = [{ kind: 'text', id: 't', text: 'Hello' } as ChatState['items'][number]];

function chatOf(agrees: boolean, own: Partial<ChatState> = {}, running = false) {
  const poster = { state: { ...emptyChat('s', 'default', 'm'), items, ...own } };
  return {
    running,
    poster,
    open: async () => {
      if (agrees) poster.state = emptyChat('next', 'default', 'm');
    },
  };
}

describe('a chat that begins another session', () => {
  it('says whether it has: its user may have kept the one that is there', async () => {
    assert.equal(await beginsAnother(chatOf(true)), true);
    assert.equal(await beginsAnother(chatOf(false)), false);
  });

  it('gives away only a session that rests and has a conversation', () => {
    assert.equal(movableSession(chatOf(true)), 's');
    assert.equal(movableSession(chatOf(true, {}, true)), undefined);
    assert.equal(movableSession(chatOf(true, { items: [] })), undefined);
    assert.equal(movableSession(undefined), undefined);
  });
});
