// Distinguishes what somebody else wrote right before or after a command from what the command did, by the times of the files.

/** File systems put times a little before the clock's. */
const clockMs = 20;

export interface RunTimes {
  /** When the look before the command began. */
  before: number;
  since: number;
  until: number;
  /** When the look after it had ended. */
  now: number;
}

/**
 * It was changed before the command began or after it had ended, between the two looks: somebody else did that. Times that
 * only another machine's clock can have made say nothing.
 */
export function isOutside(changedAt: number | undefined, { before, since, until, now }: RunTimes): boolean {
  if (changedAt === undefined) return false;
  return (changedAt >= before && changedAt < since - clockMs) || (changedAt > until && changedAt <= now);
}
