// The notices of one chat: what happened, and what its settings files say.
import { defined } from '../../../shared/defined';
import { type NoticeItem } from '../../../shared/chat';
import { type EventPoster } from './event-poster';

export type AddNotice = (
  level: NoticeItem['level'],
  title: string,
  detail: string,
  action?: NoticeItem['action'],
) => void;

export interface ChatNotices {
  add: AddNotice;
  /** A line without a frame, in place of an earlier one of this ID. */
  line(id: string, text: string): void;
  /** Shows what settings files say now, and removes notices that are fixed or answered. */
  settingsChanged(): void;
}

export function createChatNotices(poster: Pick<EventPoster, 'push'>, ofSettings: () => NoticeItem[]): ChatNotices {
  let count = 0;
  /** Ids of those of settings files that are shown. */
  let shown = new Set<string>();
  return {
    add(level, title, detail, action) {
      const item: NoticeItem = {
        kind: 'notice',
        id: `notice:${++count}`,
        level,
        title,
        detail,
        ...defined({ action }),
      };
      poster.push([{ type: 'item', item }]);
    },
    line: (id, title) =>
      poster.push([{ type: 'item', item: { kind: 'notice', id, level: 'info', title, detail: '', quiet: true } }]),
    settingsChanged() {
      const notices = ofSettings();
      const gone = [...shown].filter((id) => !notices.some((notice) => notice.id === id));
      shown = new Set(notices.map(({ id }) => id));
      poster.push([
        ...gone.map((id) => ({ type: 'remove' as const, id })),
        ...notices.map((item) => ({ type: 'item' as const, item })),
      ]);
    },
  };
}
