// What a chat says when its session goes on with another model, because the provider has none of the old name.
import { modelLabel } from '../../core/model/models';
import { type NoticeItem } from '../../shared/chat';

/** Title, detail and action of the notice. */
export function modelReplaced(before: string, now: string): [title: string, detail: string, action: NonNullable<NoticeItem['action']>] {
  return [`This session goes on with ${modelLabel(now)}.`, `The provider that answers now has no model ${modelLabel(before)}.`, { label: 'Pick another model', command: 'selectModel' }];
}
