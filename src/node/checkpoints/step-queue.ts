// Steps on the checkpoints of one session that run one after the other.
import { type CheckpointStore } from './checkpoint-store';

export interface StepQueue {
  add<Result>(step: (store: CheckpointStore) => Promise<Result>): Promise<Result>;
  idle(): Promise<unknown>;
}

/** One that fails holds up none. */
export function createStepQueue(store: () => Promise<CheckpointStore>, failed: (error: unknown) => void): StepQueue {
  let last: Promise<unknown> = Promise.resolve();
  return {
    add(step) {
      const next = last.then(async () => step(await store()));
      last = next.catch(failed);
      return next;
    },
    idle: () => last,
  };
}
