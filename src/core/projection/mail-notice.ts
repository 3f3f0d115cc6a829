// A message between members of a team, as the chat shows it.
import { type NoticeItem } from '../../shared/chat';
import { shortened } from '../../shared/cut-text';
import { visibleText } from '../../shared/visible-text';
import { type MailRecord } from '../sessions/team-from-records';

const maxShown = 2_000;

export function mailNotice({ uuid: id, from, to, text, summary }: MailRecord): NoticeItem {
  const about = summary.replace(/\s+/g, ' ').trim();
  return {
    kind: 'notice',
    id,
    level: 'info',
    title: visibleText(`${from} to ${to}${about === '' ? '' : `: ${about}`}`),
    detail: visibleText(shortened(text.trim(), maxShown)),
  };
}
