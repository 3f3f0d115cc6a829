// Keeps what was made out of a log, and reads on from there: a long one is asked about many times before each request.
import { type SessionRecord } from '../ports/record';
import { isSameRecord } from './light-records';

/** The function gives what `next` makes of all records of a log, in order, and looks only at those that were appended since its last call. */
export function followLog<State>(
  begin: State,
  next: (state: State, record: SessionRecord) => State,
): (log: readonly SessionRecord[]) => State {
  /** By the log's array, which its session appends to. */
  const known = new WeakMap<
    readonly SessionRecord[],
    { state: State; read: number; last: SessionRecord | undefined }
  >();
  return (log) => {
    const before = known.get(log);
    const isSame = before !== undefined && before.read <= log.length && isSameRecord(log[before.read - 1], before.last);
    const at = isSame ? before : { state: begin, read: 0, last: undefined };
    if (at.read === log.length && isSame) return at.state;
    let { state } = at;
    for (let index = at.read; index < log.length; index++) {
      const record = log[index];
      if (record !== undefined) state = next(state, record);
    }
    known.set(log, { state, read: log.length, last: log.at(-1) });
    return state;
  };
}
