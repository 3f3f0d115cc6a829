// What the chat says of plugins by itself: those that wait for the user, and those that settings name and that are not there.
import { visible } from '../../core/settings/grant-text';
import { type LoadedPlugins } from '../../node/plugins/load-plugins';
import { type NoticeItem } from '../../shared/chat';
import { shortened } from '../../shared/cut-text';

const shownNames = 6;

export function pluginNotices({ plugins, missing, problems }: LoadedPlugins): NoticeItem[] {
  const waiting = plugins
    .filter(({ on, agreed, refused }) => on && !agreed && refused === undefined)
    .map(({ plugin }) => plugin.id);
  const notice = (id: string, level: 'info' | 'warning', title: string, detail: string): NoticeItem => ({
    kind: 'notice',
    id: `plugins:${id}`,
    level,
    title,
    detail,
    action: { label: 'Show plugins', command: 'managePlugins' },
  });
  return [
    ...(waiting.length === 0
      ? []
      : [
          notice(
            'waiting',
            'info',
            waiting.length === 1 ? 'A plugin waits for you.' : `${waiting.length} plugins wait for you.`,
            `They contain hooks, servers or programs whose current form you have not agreed to: ${names(waiting)}`,
          ),
        ]),
    ...(missing.length === 0
      ? []
      : [
          notice(
            'missing',
            'info',
            missing.length === 1
              ? 'Settings name a plugin that is not installed.'
              : `Settings name ${missing.length} plugins that are not installed.`,
            names(missing),
          ),
        ]),
    ...(problems.length === 0
      ? []
      : [notice('problems', 'warning', 'Some plugins cannot be used.', problems.slice(0, 4).join('\n'))]),
  ];
}

function names(ids: readonly string[]): string {
  const more = ids.length - shownNames;
  return `${ids
    .slice(0, shownNames)
    .map((id) => shortened(visible(id), 80))
    .join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
