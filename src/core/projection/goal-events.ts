// What the chat shows of a goal: which one holds, and the card that a check leaves behind.
import { type ChatEvent, type NoticeItem } from '../../shared/chat';
import { type SystemRecord } from '../ports/record';
import { goalAfter } from '../sessions/goal-from-records';

type GoalRecord = Extract<SystemRecord, { subtype: 'goal' }>;

export function goalEvents(record: GoalRecord): ChatEvent[] {
  const item = goalNotice(record);
  return [{ type: 'goal', goal: goalAfter(record) }, ...(item === undefined ? [] : [{ type: 'item' as const, item }])];
}

/** Undefined where the strip above the composer says it already. */
function goalNotice({ uuid: id, condition, state, reason = '' }: GoalRecord): NoticeItem | undefined {
  const notice = (level: NoticeItem['level'], title: string, detail: string): NoticeItem => ({
    kind: 'notice',
    id,
    level,
    title,
    detail: `${condition}\n${detail}`.trim(),
  });
  switch (state) {
    case 'met':
      return reason.startsWith('Stuck:')
        ? notice('warning', 'The goal needs you.', reason)
        : notice('info', 'The goal is reached.', reason);
    case 'unmet':
      return notice(
        'warning',
        'The goal is not reached yet.',
        `${reason} Deft has reached its limit of retries for one message. Send a message to continue, or type /goal clear.`,
      );
    case 'unchecked':
      return notice(
        'warning',
        'The goal could not be checked.',
        `${reason} The goal is still set: send a message to continue, or type /goal clear.`,
      );
    case 'set':
    case 'cleared':
      return undefined;
  }
}
