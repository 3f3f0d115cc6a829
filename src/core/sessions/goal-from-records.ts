// The goal that holds at the end of a log.
import { type SessionRecord } from '../ports/record';

/** Empty for none. */
export function goalFromRecords(records: readonly SessionRecord[]): string {
  const last = records.findLast((record) => record.type === 'system' && record.subtype === 'goal');
  return last?.type === 'system' && last.subtype === 'goal' ? goalAfter(last) : '';
}

/** What holds behind this record. */
export function goalAfter({ condition, state }: { condition: string; state: string }): string {
  return state === 'met' || state === 'cleared' ? '' : condition;
}
