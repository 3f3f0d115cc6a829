// Gives a fork the checkpoints of its original: bytes are shared by hard links, the log and the snapshot copied.
import { constants } from 'node:fs';
import { copyFile, link, mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '../file-error';

/** Where the other has checkpoints of its own already, these stay. */
export async function copyCheckpoints(from: string, to: string): Promise<void> {
  const blobs = path.join(to, 'blobs');
  await mkdir(blobs, { recursive: true, mode: 0o700 });
  for (const name of await readdir(path.join(from, 'blobs'))) {
    if (!name.endsWith('.tmp')) await share(path.join(from, 'blobs', name), path.join(blobs, name));
  }
  // The log last: with it, all that it names is there.
  for (const name of ['snapshot.json', 'log.jsonl']) await copyFile(path.join(from, name), path.join(to, name), constants.COPYFILE_EXCL).catch(expected);
}

async function share(from: string, to: string): Promise<void> {
  await link(from, to).catch(async (error: unknown) => {
    if (errorCode(error) !== 'EEXIST') await copyFile(from, to);
  });
}

function expected(error: unknown): void {
  if (errorCode(error) !== 'ENOENT' && errorCode(error) !== 'EEXIST') throw error;
}
