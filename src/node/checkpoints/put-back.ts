// Carries out the steps of a rewind on the disk. Each file is replaced whole or not at all; doing it again changes nothing.
import { chmod, lstat, mkdir, readdir, realpath, rename, rm, rmdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type FileState, type RewindStep } from '../../core/ports/checkpoints';
import { DeftError } from '../../core/errors';
import { errorCode, fileErrorSentence } from '../file-error';
import { type BlobStore } from './blob-store';

export interface PutBack {
  done: string[];
  failed: { path: string; message: string }[];
}

/** `folders` stay, even where they end empty. */
export async function putBack(steps: readonly RewindStep[], folders: readonly string[], blobs: BlobStore): Promise<PutBack> {
  const result: PutBack = { done: [], failed: [] };
  const attempt = async (step: RewindStep, work: () => Promise<void>): Promise<void> => {
    try {
      await refuseMoved(path.normalize(step.path));
      await work();
      result.done.push(step.path);
    } catch (error) {
      result.failed.push({ path: step.path, message: error instanceof MovedFolder ? error.message : error instanceof DeftError ? `${step.path} was left alone. ${error.message}` : fileErrorSentence(error, step.path, 'write') });
    }
  };
  const gone = steps.filter(({ to }) => to.kind === 'absent');
  // What lies deeper first, so that folders are empty when it is their turn.
  for (const step of [...gone].sort((a, b) => b.path.length - a.path.length)) {
    await attempt(step, async () => {
      if ((await lstat(step.path).catch(() => undefined))?.isDirectory() === true) await rmdir(step.path).catch(unlessFull);
      else await rm(step.path, { force: true });
      await removeEmptyFolders(path.dirname(path.normalize(step.path)), folders);
    });
  }
  // A folder may stand where a file is now: before what goes into it.
  const back = steps.filter(({ to }) => to.kind !== 'absent').sort((a, b) => Number(b.to.kind === 'folder') - Number(a.to.kind === 'folder'));
  for (const step of back) await attempt(step, () => put(step.path, step.to, blobs));
  return result;
}

async function put(file: string, state: FileState, blobs: BlobStore): Promise<void> {
  const present = await lstat(file).catch(() => undefined);
  if (state.kind === 'folder') {
    if (present !== undefined && !present.isDirectory()) await rm(file);
    await mkdir(file, { recursive: true });
    return;
  }
  await mkdir(path.dirname(file), { recursive: true });
  // A command has put a folder in the file's place: what it had put inside is gone already, or somebody else's.
  if (present?.isDirectory() === true) await rmdir(file);
  const beside = path.join(path.dirname(file), `.${path.basename(file).slice(0, 100)}.deft-rewind`);
  await rm(beside, { force: true });
  if (state.kind === 'link') await symlink(state.target, beside);
  else if (state.kind === 'file') {
    await writeFile(beside, await blobs.read(state.hash), { mode: 0o600 });
    await chmod(beside, state.mode);
  } else return;
  await rename(beside, file).catch(async (error: unknown) => {
    await rm(beside, { force: true });
    throw error;
  });
}

/** What becomes empty was made with what was in it; folders that were empty before are made again. */
async function removeEmptyFolders(from: string, folders: readonly string[]): Promise<void> {
  for (let at = from; !folders.includes(at) && path.dirname(at) !== at; at = path.dirname(at)) {
    const inside = await readdir(at).catch(() => undefined);
    if (inside === undefined || inside.length > 0) return;
    await rmdir(at);
  }
}

/** It holds what Deft does not know, so it stays. */
function unlessFull(error: unknown): void {
  if (errorCode(error) !== 'ENOTEMPTY' && errorCode(error) !== 'EEXIST') throw error;
}

class MovedFolder extends Error {}

/** A folder on the way may have become a link since, and lead anywhere. */
async function refuseMoved(file: string): Promise<void> {
  for (let at = path.dirname(file); ; at = path.dirname(at)) {
    const real = await realpath(at).catch(() => undefined);
    if (real === undefined && path.dirname(at) !== at) continue;
    if (real !== undefined && real !== at) throw new MovedFolder(`${file} was left alone: ${at} leads to ${real} now.`);
    return;
  }
}
