// Folds a long log ahead of its first request, in slices: the request's fold continues from there and makes nobody wait.
import { foldLog } from './fold-log';
import { indexOf } from './log-index';
import { type SessionRecord } from '../ports/record';
import { readStateFromRecords } from './read-state-from-records';
import { type Slices } from './slices';

/** Folded in a few milliseconds; a shorter log is not worth it. */
const sliceRecords = 4_000;
/** A slice that takes this long does not go on from the one before: calls repeat, or a record changes what was sent. */
const tooLongMs = 60;

/** The same records, in the array that the session is to append to. */
export async function foldInSlices(records: SessionRecord[], { pause, now }: Slices): Promise<SessionRecord[]> {
  if (records.length <= sliceRecords) return records;
  const folded: SessionRecord[] = [];
  let quick = true;
  while (folded.length < records.length) {
    // Between turns every call has its result.
    let end = Math.min(folded.length + sliceRecords, records.length);
    while (end < records.length && !endsTurn(records[end - 1])) end++;
    folded.push(...records.slice(folded.length, end));
    const started = now();
    if (quick) foldLog(folded);
    if (quick) readStateFromRecords(folded);
    indexOf(folded);
    if (now() - started > tooLongMs) quick = false;
    await pause();
  }
  return folded;
}

function endsTurn(record: SessionRecord | undefined): boolean {
  return record?.type === 'system' && record.subtype === 'turn_end';
}
