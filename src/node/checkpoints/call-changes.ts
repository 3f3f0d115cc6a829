// What one call did to files, from the log of checkpoints: for a diff of that very call.
import { type CallChange, type CheckpointEntry } from '../../core/ports/checkpoints';

/** Ids may repeat in a log: of each path the last that the call did counts. */
export function changesOfCall(entries: readonly CheckpointEntry[], by: string): CallChange[] {
  const before = new Map(
    entries.flatMap((entry) =>
      entry.type === 'before' && entry.by === by ? [[entry.path, entry.state] as const] : [],
    ),
  );
  const after = new Map(
    entries.flatMap((entry) => (entry.type === 'after' && entry.by === by ? [[entry.path, entry.state] as const] : [])),
  );
  return [...before].flatMap(([path, was]) => {
    const left = after.get(path);
    return left === undefined ? [] : [{ path, before: was, after: left }];
  });
}
