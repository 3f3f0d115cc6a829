// A rewind of files: a checkpoint of what is there now comes first, then each file is put back.
import {
  type CheckpointEntry,
  type FileState,
  type RewindOutcome,
  type RewindStep,
} from '../../core/ports/checkpoints';
import { changedSince, planRewind, sameState } from '../../core/rewind/plan-rewind';
import { type BlobStore } from './blob-store';
import { keepFiles } from './call-files';
import { pointEntry } from './checkpoint-log';
import { type CheckpointStore } from './checkpoint-store';
import { putBack } from './put-back';

export interface WantedRewind {
  /** The checkpoint. */
  to: string;
  /** The files that the user wants back, as the preview had them. */
  steps: readonly { path: string; from?: FileState }[];
  /** The id of the new checkpoint: rewinding to it takes the rewind back. */
  undo: string;
}

export async function rewindFiles(store: CheckpointStore, { to, steps, undo }: WantedRewind): Promise<RewindOutcome> {
  const { log, blobs } = store;
  const wanted = new Map(steps.map(({ path: one, from }) => [one, from]));
  const disk = await keepFiles(
    blobs,
    changedSince(log.entries, to).filter((one) => wanted.has(one)),
  );
  const found = (planRewind(log.entries, to, disk)?.steps ?? []).filter(
    (step) => wanted.has(step.path) && isKept(step.to, blobs),
  );
  const isAsShown = ({ path: one, from }: RewindStep): boolean => sameState(from, wanted.get(one) ?? from);
  const planned = found.filter(isAsShown);
  const changed = found
    .filter((step) => !isAsShown(step))
    .map((step) => ({
      path: step.path,
      message: `${step.path} was left alone: it has changed in the meantime.`,
    }));
  await blobs.sync(planned.flatMap(({ from }) => (from.kind === 'file' ? [from.hash] : [])));
  // First what is there, so that a rewind which is cut short can be repeated, and taken back.
  await log.append([
    pointEntry('rewind', undo),
    ...planned.flatMap(({ path: one, from, to: target }): CheckpointEntry[] => [
      { type: 'before', by: undo, path: one, state: from },
      { type: 'after', by: undo, path: one, state: target },
    ]),
  ]);
  const { done, failed } = await putBack(planned, store.folders, blobs);
  return { undo, done, failed: [...changed, ...failed] };
}

function isKept(state: FileState, blobs: BlobStore): boolean {
  return state.kind !== 'file' || blobs.has(state.hash);
}
