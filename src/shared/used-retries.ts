// Buttons that continue from a point of the conversation: they go once it has gone on, or the newest one would be started by any of them.
import { type ChatEvent, type ChatItem, type NoticeItem } from './chat';

/** The notices that lose such a button with this event, as they are afterwards. `newestFirst`: what was there before; an item of the event is not among it. */
export function usedRetries(event: ChatEvent, newestFirst: Iterable<ChatItem>): NoticeItem[] {
  if (!goesOn(event)) return [];
  const used: NoticeItem[] = [];
  for (const item of newestFirst) {
    if (item.kind === 'compaction' || item.kind === 'ledger') continue;
    if (item.kind !== 'notice') break;
    if (offersRetry(item)) used.push(withoutRetry(item));
  }
  return used;
}

function goesOn(event: ChatEvent): boolean {
  if (event.type === 'status') return event.status === 'working';
  if (event.type !== 'item' || event.item.kind === 'compaction' || event.item.kind === 'ledger') return false;
  return event.item.kind !== 'notice' || offersRetry(event.item);
}

type Action = NonNullable<NoticeItem['action']>;

const isRetry = (action: Action): boolean => 'command' in action && action.command === 'retry';

function offersRetry({ action, more = [] }: NoticeItem): boolean {
  return [action, ...more].some((one) => one !== undefined && isRetry(one));
}

function withoutRetry({ action, more = [], ...rest }: NoticeItem): NoticeItem {
  const [first, ...others] = [...(action === undefined ? [] : [action]), ...more].filter((one) => !isRetry(one));
  const further = others.filter((one) => 'command' in one);
  return {
    ...rest,
    ...(first === undefined ? {} : { action: first }),
    ...(further.length > 0 ? { more: further } : {}),
  };
}
