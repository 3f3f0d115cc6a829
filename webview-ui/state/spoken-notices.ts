// Announces notices to screen readers that arrive while the chat is shown; those in a snapshot or an older page are not news.
import { type ChatEvent, type NoticeItem } from '../../src/shared/chat';
import { announce } from './announce';
import { type ChatReceiver, type ChatStore } from './chat-store';

export const noticeWords = { info: 'Note: ', warning: 'Warning: ', error: 'Error: ' } as const;

/** The same store; what events put into it is spoken. */
export function withSpokenNotices(store: ChatStore): ChatReceiver {
  return {
    load: (state) => store.load(state),
    prepend: (items, olderItems) => store.prepend(items, olderItems),
    apply(events) {
      const notices = events.flatMap((event) => noticesOf(store, event));
      store.apply(events);
      notices.forEach(announce);
    },
  };
}

function noticesOf(store: ChatStore, event: ChatEvent): string[] {
  if (event.type !== 'item' || event.item.kind !== 'notice') return [];
  // One that is sent again unchanged, such as those of settings, is announced once.
  const before = store.item(event.item.id)?.peek();
  const text = spoken(event.item);
  if (before?.kind !== 'notice') return [text];
  // Nor is each try of a request that is sent again and again.
  const sameWait =
    before.retryAt !== undefined && event.item.retryAt !== undefined && before.title === event.item.title;
  return sameWait || spoken(before) === text ? [] : [text];
}

function spoken({ level, title, detail }: NoticeItem): string {
  return `${noticeWords[level]}${title}${/[.!?…:]$/.test(title) || detail === '' ? '' : '.'} ${detail}`;
}
