// Keeps a session's checkpoints within bounds: the last hundred prompts, and the bytes that these still need.
import { promptPoints } from '../../core/rewind/plan-rewind';
import { type BlobStore } from './blob-store';
import { type CheckpointLog } from './checkpoint-log';
import { type Snapshot } from './snapshot';

const keptPrompts = 100;
/** Pruning reads and writes the whole log: not with every prompt. */
const slack = 10;

export async function pruneCheckpoints({
  log,
  blobs,
  snapshot,
}: {
  log: CheckpointLog;
  blobs: BlobStore;
  snapshot: Snapshot;
}): Promise<void> {
  const points = promptPoints(log.entries);
  if (points.length <= keptPrompts + slack) return;
  const first = points.at(-keptPrompts);
  await log.dropBefore(log.entries.findIndex((entry) => entry.type === 'point' && entry.id === first?.id));
  const wanted = new Set(snapshot.hashes());
  for (const entry of log.entries) if ('state' in entry && entry.state.kind === 'file') wanted.add(entry.state.hash);
  await blobs.removeAllBut(wanted);
}
