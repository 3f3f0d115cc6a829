// The card of what a hook says to the user, or of a hook that went wrong.
import { type NoticeItem } from '../../shared/chat';
import { type SystemRecord } from '../ports/record';

/** Each hook has one card for each thing it says: a hook that fails at every call must not fill the chat. */
export function hookNotice({
  hookName,
  level,
  message,
}: Extract<SystemRecord, { subtype: 'hook_notice' }>): NoticeItem {
  const failed = level === 'warning';
  return {
    kind: 'notice',
    id: `hook:${hookName}:${message}`,
    level: failed ? 'warning' : 'info',
    title: failed ? `The hook ${hookName} had a problem.` : `Hook ${hookName}`,
    detail: message,
  };
}
