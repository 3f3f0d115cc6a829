// The files that a call names: kept before it changes them, and as it has left them.
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { type CallToGuard, type CheckpointEntry, type FileState } from '../../core/ports/checkpoints';
import { fullFolder, isFullFolder } from '../../core/rewind/plan-rewind';
import { portPath } from '../files/port-path';
import { type BlobStore } from './blob-store';
import { pointEntry } from './checkpoint-log';
import { type CheckpointStore } from './checkpoint-store';
import { isEmptyFolder, keepState, look } from './file-state';

export async function guardCall({ log, blobs }: CheckpointStore, call: CallToGuard): Promise<void> {
  const entries: CheckpointEntry[] = [pointEntry('call', call.id)];
  for (const file of call.files) {
    const state = await keepFile(blobs, file);
    if (!isFullFolder(state)) entries.push({ type: 'before', by: call.id, path: file, state });
    const emptied = state.kind === 'absent' ? await emptyParent(file) : undefined;
    if (emptied !== undefined)
      entries.push({ type: 'before', by: call.id, path: emptied, state: await keepFile(blobs, emptied) });
  }
  if (call.anything) entries.push({ type: 'began', by: call.id });
  await log.append(entries);
}

export function leftByCall({ blobs }: CheckpointStore, call: CallToGuard): Promise<CheckpointEntry[]> {
  return Promise.all(
    call.files.map(async (file): Promise<CheckpointEntry> => ({
      type: 'after',
      by: call.id,
      path: file,
      state: await keepFile(blobs, file),
    })),
  );
}

/** What is at these paths now, all of it kept. */
export async function keepFiles(blobs: BlobStore, paths: readonly string[]): Promise<Map<string, FileState>> {
  const states = new Map<string, FileState>();
  for (const one of paths) states.set(one, await keepFile(blobs, one));
  return states;
}

async function keepFile(blobs: BlobStore, file: string): Promise<FileState> {
  const stats = await look(file);
  // Of folders only the empty ones count.
  if (stats?.isDirectory() === true && !(await isEmptyFolder(file))) return fullFolder;
  return keepState(file, stats, blobs);
}

/** The empty folder above that a new file ends: it would go with the file. */
async function emptyParent(file: string): Promise<string | undefined> {
  for (let at = path.dirname(file); path.dirname(at) !== at; at = path.dirname(at)) {
    const stats = await stat(at).catch(() => undefined);
    if (stats !== undefined) return stats.isDirectory() && (await isEmptyFolder(at)) ? portPath(at) : undefined;
  }
  return undefined;
}
