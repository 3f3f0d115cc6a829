// Gives a fork the checkpoints of its original, which may be open, closed, or written by another window: bytes are shared by hard links.
import { copyFile, link, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '../files/file-error';

/** Where the other has checkpoints of its own already, these stay; where there are none, nothing is made. */
export async function copyCheckpoints(from: string, to: string): Promise<void> {
  // Read before the bytes are listed: all that it names is kept by then, even where its session continues meanwhile.
  const log = await textOf(path.join(from, 'log.jsonl'));
  const snapshot = await textOf(path.join(from, 'snapshot.json'));
  if (log === undefined) return;
  const blobs = path.join(to, 'blobs');
  await mkdir(blobs, { recursive: true, mode: 0o700 });
  for (const name of await readdir(path.join(from, 'blobs'))) {
    if (!name.endsWith('.tmp')) await share(path.join(from, 'blobs', name), path.join(blobs, name));
  }
  // The log last: with it, all that it names is there.
  for (const [name, text] of [
    ['snapshot.json', snapshot],
    ['log.jsonl', log],
  ] as const) {
    if (text !== undefined) await writeFile(path.join(to, name), text, { flag: 'wx', mode: 0o600 }).catch(expected);
  }
}

async function textOf(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    expected(error);
    return undefined;
  });
}

async function share(from: string, to: string): Promise<void> {
  await link(from, to).catch(async (error: unknown) => {
    // Its session was pruned meanwhile: nothing can be restored from it, in the original either.
    if (errorCode(error) !== 'EEXIST') await copyFile(from, to).catch(expected);
  });
}

function expected(error: unknown): void {
  if (errorCode(error) !== 'ENOENT' && errorCode(error) !== 'EEXIST') throw error;
}
