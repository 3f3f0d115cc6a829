// Carries out the steps of a rewind on the disk. Each file is replaced whole or not at all; doing it again changes nothing.
import { createHash } from 'node:crypto';
import {
  chmod,
  chown,
  lstat,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { type FileState, type RewindStep } from '../../core/ports/checkpoints';
import { DeftError } from '../../core/text/errors';
import { errorCode, fileErrorSentence } from '../files/file-error';
import { replaceFile } from '../files/replace-file';
import { type BlobStore } from './blob-store';

export interface PutBack {
  done: string[];
  failed: { path: string; message: string }[];
}

/** `folders` stay, even where they end empty. */
export async function putBack(
  steps: readonly RewindStep[],
  folders: readonly string[],
  blobs: BlobStore,
): Promise<PutBack> {
  const result: PutBack = { done: [], failed: [] };
  const attempt = async (step: RewindStep, work: () => Promise<void>): Promise<void> => {
    try {
      await refuseMoved(path.normalize(step.path));
      await work();
      result.done.push(step.path);
    } catch (error) {
      result.failed.push({
        path: step.path,
        message:
          error instanceof MovedFolder
            ? error.message
            : error instanceof DeftError
              ? `${step.path} was left alone. ${error.message}`
              : fileErrorSentence(error, step.path, 'write'),
      });
    }
  };
  const gone = steps.filter(({ to }) => to.kind === 'absent');
  // What lies deeper first, so that folders are empty when it is their turn.
  for (const step of [...gone].sort((a, b) => b.path.length - a.path.length)) {
    await attempt(step, async () => {
      if ((await lstat(step.path).catch(() => undefined))?.isDirectory() === true)
        await rmdir(step.path).catch(unlessFull);
      else await rm(step.path, { force: true });
      await removeEmptyFolders(path.dirname(path.normalize(step.path)), folders);
    });
  }
  // A folder may be where a file is now: before what goes into it.
  const back = steps
    .filter(({ to }) => to.kind !== 'absent')
    .sort((a, b) => Number(b.to.kind === 'folder') - Number(a.to.kind === 'folder'));
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
  if (state.kind === 'file' && present?.isFile() === true && (await putInPlace(file, state, blobs))) return;
  // The same one when a rewind is repeated, and never longer than a name may be.
  const temporary = path.join(
    path.dirname(file),
    `.${createHash('sha256').update(path.basename(file)).digest('hex').slice(0, 16)}.deft-rewind`,
  );
  await rm(temporary, { force: true });
  if (state.kind === 'link') await symlink(state.target, temporary);
  else if (state.kind === 'file') {
    await writeFile(temporary, await blobs.read(state.hash), { mode: 0o600 });
    // Of a file that is another's, as far as the system lets us: before the mode, which that may take bits of.
    if (present?.isFile() === true) await chown(temporary, present.uid, present.gid).catch(() => undefined);
    await chmod(temporary, state.mode);
  } else return;
  await rename(temporary, file).catch(async (error: unknown) => {
    await rm(temporary, { force: true });
    throw error;
  });
}

/**
 * A file that had other names then, and is the same one still, has to have them afterwards: what an edit changed below all
 * of them comes back below all of them. One that a command has linked to something else is not written through.
 */
async function putInPlace(
  file: string,
  state: Extract<FileState, { kind: 'file' }>,
  blobs: BlobStore,
): Promise<boolean> {
  if (state.inode === undefined) return false;
  const { ino, nlink } = await lstat(file, { bigint: true });
  if (nlink < 2n || String(ino) !== state.inode) return false;
  const present = await stat(file);
  await replaceFile(file, await blobs.read(state.hash), await readFile(file), present);
  await chmod(file, state.mode);
  return true;
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
