// Finds a log's rare records, such as settings and grants, without going through all of it again: what was read once is kept by kind.
import { type SessionRecord, type SystemRecord } from '../ports/record';
import { isSameRecord } from './light-records';

interface LogIndex {
  /** Where they are: what they hold may be let go. */
  kinds: Map<string, number[]>;
  /** How many records were read, and the last of them. */
  read: number;
  last: SessionRecord | undefined;
}

/** By the log's array, which its session appends to. */
const indexes = new WeakMap<readonly SessionRecord[], LogIndex>();

/** The system records of this subtype, in order. */
export function systemRecords<Subtype extends SystemRecord['subtype']>(
  log: readonly SessionRecord[],
  subtype: Subtype,
): readonly Extract<SystemRecord, { subtype: Subtype }>[] {
  return recordsOf(log, `system:${subtype}`) as Extract<SystemRecord, { subtype: Subtype }>[];
}

/** What was typed while the agent worked, and what became of it, in order. */
export function queueRecords(
  log: readonly SessionRecord[],
): readonly Extract<SessionRecord, { type: 'queue-operation' }>[] {
  return recordsOf(log, 'queue-operation') as Extract<SessionRecord, { type: 'queue-operation' }>[];
}

function recordsOf(log: readonly SessionRecord[], kind: string): SessionRecord[] {
  const places = indexOf(log).kinds.get(kind) ?? [];
  return places.flatMap((at) => log[at] ?? []);
}

/** Reads on where the call before ended. */
export function indexOf(log: readonly SessionRecord[]): LogIndex {
  const before = indexes.get(log);
  const index =
    before !== undefined && before.read <= log.length && isSameRecord(log[before.read - 1], before.last)
      ? before
      : { kinds: new Map<string, number[]>(), read: 0, last: undefined };
  for (; index.read < log.length; index.read++) {
    const record = log[index.read];
    // Most records are these, and none is looked for by its kind alone.
    if (record === undefined || record.type === 'user' || record.type === 'assistant') continue;
    const kind = record.type === 'system' ? `system:${record.subtype}` : record.type;
    const same = index.kinds.get(kind);
    if (same === undefined) index.kinds.set(kind, [index.read]);
    else same.push(index.read);
  }
  index.last = log.at(-1);
  indexes.set(log, index);
  return index;
}
