// What the chat says of a project's hooks by itself: those that are off until the user has looked at them.
import { handlerText } from '../../core/hooks/hook-entry';
import { type JudgedHooks } from '../../core/hooks/hook-settings';
import { visible } from '../../core/settings/grant-text';
import { shortened } from '../../shared/cut-text';
import { type NoticeItem } from '../../shared/chat';

const shownHooks = 4;

export function hookNotices({ all }: Pick<JudgedHooks, 'all'>): NoticeItem[] {
  const waiting = all.filter(({ state }) => state === 'waiting').map(({ entry }) => entry);
  if (waiting.length === 0) return [];
  const lines = waiting
    .slice(0, shownHooks)
    .map(({ event, label, handler }) => shortened(visible(`${label ?? event}: ${handlerText(handler)}`), 120));
  const more = waiting.length - shownHooks;
  return [
    {
      kind: 'notice',
      id: 'hooks:waiting',
      level: 'info',
      title:
        waiting.length === 1 ? '1 hook of this project is off.' : `${waiting.length} hooks of this project are off.`,
      detail: [
        `Deft would run ${waiting.length === 1 ? 'it' : 'them'} automatically once you allow it:`,
        ...lines,
        ...(more > 0 ? [`${more} more.`] : []),
      ].join('\n'),
      action: { label: 'Review', command: 'showHooks' },
    },
  ];
}
