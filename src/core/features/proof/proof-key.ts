// The key by which hosts run what a ledger offers. It imports types alone, so that naming it loads nothing.
import { featureKey } from '../../feature/feature-key';

export interface UserRun {
  /** A call of the log once more, what a `verify` entry names, or what sets a worktree up. */
  of: { toolUseId: string } | { run: string } | { task: string } | { setUp: string };
  signal: AbortSignal;
  /** It writes output now, under this id. */
  began?: (toolUseId: string) => void;
  /** It ran, well or not. */
  ended?: (succeeded: boolean, output: string) => void;
}

export interface Proof {
  /** As the user's own act: rules, hooks and the user judge it like any call. Returns a sentence where nothing ran. */
  run(run: UserRun): Promise<string | undefined>;
}

export const proof = featureKey<Proof>('proof');
