// A fact that the user should know: what happened, what Deft did about it, what they can do.
import { type NoticeItem } from '../../src/shared/chat';
import { post } from '../host/vscode-api';
import { Button } from '../parts/button';
import { Hidden } from '../parts/disclosure';
import { Icon } from '../parts/icon';
import { chat } from '../state/chat';
import { now } from '../state/now';
import { noticeWords } from '../state/spoken-notices';

const icons = { info: 'info', warning: 'warning', error: 'error' } as const;

export function NoticeCard({ notice }: { notice: NoticeItem }) {
  const action = notice.action;
  // What is long past is looked at no more: only the last card has a button that calls.
  const isNews = notice.level !== 'info' && isLastRow(notice.id);
  return (
    <div
      class={`notice notice-${notice.level}${notice.quiet === true ? ' notice-quiet' : ''}`}
      role="group"
      aria-label={notice.title}
    >
      <Icon name={icons[notice.level]} class="notice-icon" />
      <div class="notice-text">
        <div class="notice-title">
          <Hidden>{noticeWords[notice.level]}</Hidden>
          {notice.title}
        </div>
        {notice.detail !== '' && <div class="notice-detail">{notice.detail}</div>}
        {notice.retryAt !== undefined && <Countdown until={notice.retryAt} />}
        {action && (
          <div class="buttons">
            <Button
              kind={isNews ? 'primary' : 'secondary'}
              label={action.label}
              onClick={() =>
                post(
                  'open' in action
                    ? { type: 'openFile', ...action.open }
                    : { type: 'command', command: action.command },
                )
              }
            />
            {notice.more?.map(({ label, command }) => (
              <Button key={command} label={label} onClick={() => post({ type: 'command', command })} />
            ))}
          </div>
        )}
      </div>
    </div>
  );
}

function isLastRow(id: string): boolean {
  // Again with every row that comes or goes.
  void chat.rowsVersion.value;
  const last = chat.rows.at(-1)?.row;
  return last?.type === 'item' && last.id === id;
}

function Countdown({ until }: { until: number }) {
  const seconds = Math.ceil((until - now.value) / 1_000);
  return <div class="notice-detail countdown">{seconds > 0 ? `Next try in ${seconds} s` : 'Trying again…'}</div>;
}
