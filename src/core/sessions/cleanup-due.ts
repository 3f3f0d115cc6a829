// Whether old sessions are deleted now: unless the user has set how long they are kept, a notice comes a week before the first ones go, and without anybody to read it none do.

export interface CleanupState {
  /** Milliseconds since the epoch; 0 for never. */
  lastCleanup: number;
  announced: number | undefined;
  /** Somebody has set how long sessions are kept. */
  set: boolean;
  /** There is somebody to tell. */
  canAsk: boolean;
  /** The user keeps them all. */
  keepAll: boolean;
}

const dayMs = 86_400_000;
export const noticeDays = 7;
/** Where nobody has set it. */
export const defaultKeptDays = 30;

/** `wouldGo`: how many sessions are old. Nothing is due as long as there is nothing to report. */
export function cleanupDue(
  now: number,
  { lastCleanup, announced, set, canAsk, keepAll }: CleanupState,
  wouldGo: number,
): 'announce' | 'clean' | 'nothing' {
  if (keepAll || now - lastCleanup < dayMs) return 'nothing';
  if (set || lastCleanup > 0) return 'clean';
  if (announced !== undefined) return now - announced < noticeDays * dayMs ? 'nothing' : 'clean';
  return wouldGo > 0 && canAsk ? 'announce' : 'nothing';
}
