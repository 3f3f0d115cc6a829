// Notices are announced to screen readers as they arrive, once, and not those that were there before.
import assert from 'node:assert/strict';
import { emptyChat, type NoticeItem } from '../../../src/shared/chat';
import { announcements } from '../../../webview-ui/state/announce';
import { ChatStore } from '../../../webview-ui/state/chat-store';
import { withSpokenNotices } from '../../../webview-ui/state/spoken-notices';

const notice = (id: string, title: string, detail = '', level: NoticeItem['level'] = 'info'): NoticeItem => ({
  kind: 'notice',
  id,
  level,
  title,
  detail,
});

describe('notices for screen readers', () => {
  const start = () => {
    announcements.value = [];
    const store = new ChatStore();
    return { store: withSpokenNotices(store), plain: store, said: () => announcements.peek().map(({ text }) => text) };
  };

  it('are spoken with title and detail as they arrive', () => {
    const { store, plain, said } = start();
    store.apply([
      { type: 'item', item: notice('n1', 'Effort: high', 'From the next request on.') },
      { type: 'item', item: notice('n2', 'The key was refused.', '', 'error') },
    ]);
    assert.deepEqual(said(), ['Note: Effort: high. From the next request on.', 'Error: The key was refused.']);
    assert.equal(plain.item('n1')?.peek().kind, 'notice', 'it is in the chat too');
  });

  it('are spoken again only where their words have changed', () => {
    const { store, said } = start();
    store.apply([{ type: 'item', item: notice('n1', 'Overloaded', 'Try 1 of 10.') }]);
    store.apply([{ type: 'item', item: notice('n1', 'Overloaded', 'Try 1 of 10.') }]);
    store.apply([{ type: 'item', item: notice('n1', 'Overloaded', 'Try 2 of 10.') }]);
    assert.deepEqual(said(), ['Note: Overloaded. Try 1 of 10.', 'Note: Overloaded. Try 2 of 10.']);
  });

  it('of a snapshot or an older page are not', () => {
    const { store, said } = start();
    store.load({ ...emptyChat('s', 'default', 'm'), items: [notice('n1', 'Stopped by you')] });
    store.prepend([notice('n0', 'Older')], 0);
    store.apply([
      { type: 'item', item: notice('n1', 'Stopped by you') },
      { type: 'title', title: 'New' },
    ]);
    assert.deepEqual(said(), []);
  });
});
