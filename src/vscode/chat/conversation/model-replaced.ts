// What a chat says when its session continues with another model, because the provider has none of the old name.
import { type ProviderId } from '../../../core/wire/model-capabilities';
import { providerNames } from '../../../core/model/model-description';
import { modelLabel } from '../../../core/model/models';
import { type NoticeItem } from '../../../shared/chat';

/** Title, detail and action of the notice. */
export function modelReplaced(
  before: string,
  now: string,
  provider: ProviderId,
): [title: string, detail: string, action: NonNullable<NoticeItem['action']>] {
  return [
    `This session continues with ${modelLabel(now)}.`,
    `There is no ${modelLabel(before)} ${provider === 'vscode' ? 'among' : 'at'} ${providerNames[provider]}.`,
    { label: 'Pick another model', command: 'selectModel' },
  ];
}
