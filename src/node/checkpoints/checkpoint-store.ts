// What the checkpoints of one session consist of on the disk, in `<session folder>/checkpoints/`.
import { mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type BlobStore, openBlobStore } from './blob-store';
import { type CheckpointLog, openCheckpointLog } from './checkpoint-log';
import { type SnapshotLimits } from './manifest';
import { openSnapshot, type Snapshot, snapshotLimits } from './snapshot';

export interface CheckpointStore {
  log: CheckpointLog;
  blobs: BlobStore;
  snapshot: Snapshot;
  /** All that were ever of the workspace. */
  folders: string[];
}

export interface CheckpointStoreOptions {
  ripgrep: () => Promise<string | undefined>;
  limits?: SnapshotLimits;
}

/** In the folder of all sessions: the one whose snapshot the next one starts from. */
const latestName = 'latest-checkpoints';

export function checkpointsFolder(sessionFolder: string): string {
  return path.join(sessionFolder, 'checkpoints');
}

export async function openCheckpointStore(
  sessionFolder: string,
  id: string,
  folders: readonly string[],
  { ripgrep, limits = snapshotLimits }: CheckpointStoreOptions,
): Promise<CheckpointStore> {
  const directory = checkpointsFolder(sessionFolder);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const [log, blobs, real] = await Promise.all([
    openCheckpointLog(path.join(directory, 'log.jsonl')),
    openBlobStore(path.join(directory, 'blobs')),
    realFolders(folders),
  ]);
  const snapshot = await openSnapshot({
    file: path.join(directory, 'snapshot.json'),
    seed: await seedOf(path.dirname(sessionFolder), id),
    folders: real,
    blobs,
    ripgrep,
    limits,
  });
  return { log, blobs, snapshot, folders: real };
}

export function realFolders(folders: readonly string[]): Promise<string[]> {
  return Promise.all(folders.map((folder) => realpath(folder).catch(() => path.normalize(folder))));
}

/** The next session starts from the snapshot of this one. */
export async function markAsLatest(sessionFolder: string, id: string): Promise<void> {
  await writeFile(path.join(path.dirname(sessionFolder), latestName), id, { mode: 0o600 });
}

async function seedOf(root: string, id: string): Promise<{ file: string; blobs: string } | undefined> {
  const latest = (await readFile(path.join(root, latestName), 'utf8').catch(() => '')).trim();
  // Part of a path: an id, and nothing else.
  if (!/^[A-Za-z0-9][A-Za-z0-9-]*$/.test(latest) || latest === id) return undefined;
  const other = checkpointsFolder(path.join(root, latest));
  return { file: path.join(other, 'snapshot.json'), blobs: path.join(other, 'blobs') };
}
