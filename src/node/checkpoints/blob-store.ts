// Bytes of files under the hash of what is in them: each is kept once, and sessions share them by hard links.
import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { copyFile, link, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DeftError } from '../../core/text/errors';

export interface BlobStore {
  keep(bytes: Uint8Array): Promise<string>;
  /** For files that do not go through memory: copied first, so that the hash is that of what was kept. */
  keepFile(file: string): Promise<string>;
  has(hash: string): boolean;
  pathOf(hash: string): string;
  /** Takes it over from another session's store. False where it is not there. */
  linkFrom(directory: string, hash: string): Promise<boolean>;
  /** Rejects where the bytes are not those of the hash. */
  read(hash: string): Promise<Uint8Array>;
  /** On the disk when it resolves, whatever happens to the power. */
  sync(hashes: Iterable<string>): Promise<void>;
  all(): Iterable<string>;
  removeAllBut(wanted: ReadonlySet<string>): Promise<void>;
}

const hashPattern = /^[0-9a-f]{64}$/;

export async function openBlobStore(directory: string): Promise<BlobStore> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const names = await readdir(directory);
  const known = new Set(names.filter((name) => hashPattern.test(name)));
  // Left by a process that ended in the middle.
  await Promise.all(
    names.filter((name) => !hashPattern.test(name)).map((name) => rm(path.join(directory, name), { force: true })),
  );
  const pathOf = (hash: string): string => path.join(directory, hash);
  let count = 0;
  const temporary = (): string => path.join(directory, `${++count}.tmp`);
  const settle = async (from: string, hash: string): Promise<string> => {
    await rename(from, pathOf(hash));
    known.add(hash);
    return hash;
  };
  return {
    async keep(bytes) {
      const hash = createHash('sha256').update(bytes).digest('hex');
      if (known.has(hash)) return hash;
      const at = temporary();
      await writeFile(at, bytes, { mode: 0o600 });
      return settle(at, hash);
    },
    async keepFile(file) {
      const at = temporary();
      // Shares the disk blocks where the file system can.
      await copyFile(file, at, constants.COPYFILE_FICLONE);
      const hash = await hashOf(at);
      if (!known.has(hash)) return settle(at, hash);
      await rm(at, { force: true });
      return hash;
    },
    has: (hash) => known.has(hash),
    pathOf,
    async linkFrom(other, hash) {
      if (known.has(hash)) return true;
      try {
        await link(path.join(other, hash), pathOf(hash));
      } catch {
        return false;
      }
      known.add(hash);
      return true;
    },
    async read(hash) {
      const bytes = await readFile(pathOf(hash));
      if (createHash('sha256').update(bytes).digest('hex') === hash) return bytes;
      // Torn by a power loss: the next one that is kept takes its place.
      known.delete(hash);
      throw new DeftError('checkpoint-torn', 'Its saved copy is damaged.', { audience: 'user' });
    },
    async sync(hashes) {
      for (const hash of hashes) {
        const kept = await open(pathOf(hash), 'r');
        await kept.sync().finally(() => kept.close());
      }
    },
    all: () => known,
    async removeAllBut(wanted) {
      for (const hash of [...known].filter((one) => !wanted.has(one))) {
        known.delete(hash);
        await rm(pathOf(hash), { force: true });
      }
    },
  };
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
