// What two chats must share to look the same to a user: everything but made-up ids of texts and the start times of calls.
import { type ChatItem, type ChatState } from '../../../../src/shared/chat';

export function visibleChat({ items, ...state }: ChatState): unknown {
  return { ...state, items: items.map(visibleItem) };
}

function visibleItem(item: ChatItem): unknown {
  if (item.kind === 'text' || item.kind === 'thinking') {
    const { id: _id, ...visible } = item;
    return visible;
  }
  if (item.kind !== 'tool') return item;
  const { startedAt: _startedAt, ...visible } = item;
  return visible;
}
