// What hosts and the chat know of a goal without loading what keeps it: its key, its command, and what its records show.
import { type ChatEvent, type FeatureLine, type NoticeItem } from '../../../shared/chat';
import { type CommandFacts } from '../../feature/feature-command';
import { featureKey } from '../../feature/feature-key';
import { type SystemRecord } from '../../ports/record';

export type GoalRecord = Extract<SystemRecord, { subtype: 'goal' }>;

export interface SessionGoal {
  /** Empty for none. */
  readonly condition: string;
  set(condition: string): void;
  /** False where there was none. */
  clear(): boolean;
}

export const goal = featureKey<SessionGoal>('goal');

export const goalCommand: CommandFacts = {
  name: goal.name,
  description: 'Set a goal that the agent works toward until it is reached',
  argumentHint: '[goal | clear]',
};

/** The goal that holds after this record; empty for none. */
export function goalAfter({ condition, state }: Pick<GoalRecord, 'condition' | 'state'>): string {
  return state === 'met' || state === 'cleared' ? '' : condition;
}

/** Which goal holds, and the card that a check leaves behind. */
export function goalEvents(record: GoalRecord): ChatEvent[] {
  const item = goalNotice(record);
  return [
    { type: 'line', id: goal.name, line: goalLine(goalAfter(record)) },
    ...(item === undefined ? [] : [{ type: 'item' as const, item }]),
  ];
}

function goalLine(text: string): FeatureLine | null {
  return text === ''
    ? null
    : { id: goal.name, name: 'Goal', icon: 'target', text, stop: 'Clear the goal', stopped: 'Goal cleared' };
}

/** Undefined where the line says it already. */
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
