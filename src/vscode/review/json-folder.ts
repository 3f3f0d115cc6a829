// A folder of small JSON files, one an entry: what has to survive a reload of the window.
import { createHash } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextTask } from 'node:timers/promises';
import { writePrivateFile } from '../../node/files/replace-file';

export interface JsonFolder<Entry> {
  /** All entries that can be read and are what `parse` takes; torn and external files are ignored. */
  load(): Promise<Entry[]>;
  /** Writes of one key happen in order. Rejects where the disk refuses. */
  put(key: string, entry: Entry): Promise<void>;
  remove(key: string): Promise<void>;
  /** Resolves when all that was asked for is on disk. */
  settled(): Promise<void>;
}

type Parse<Entry> = (value: unknown) => Entry | undefined | Promise<Entry | undefined>;

export function openJsonFolder<Entry>(folder: string, parse: Parse<Entry>): JsonFolder<Entry> {
  const fileOf = (key: string): string => path.join(folder, `${createHash('sha1').update(key).digest('hex')}.json`);
  let last: Promise<unknown> = Promise.resolve();
  const inOrder = (work: () => Promise<void>): Promise<void> => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
  return {
    async load() {
      // Asked for while the extension is being activated: the disk can come after that.
      await nextTask();
      const names = await readdir(folder).catch(() => []);
      const entries = await Promise.all(
        names.filter((name) => name.endsWith('.json')).map((name) => readEntry(path.join(folder, name), parse)),
      );
      return entries.filter((entry) => entry !== undefined);
    },
    put: (key, entry) => inOrder(() => writePrivateFile(fileOf(key), JSON.stringify(entry))),
    remove: (key) => inOrder(() => rm(fileOf(key), { force: true })),
    settled: async () => void (await last),
  };
}

async function readEntry<Entry>(file: string, parse: Parse<Entry>): Promise<Entry | undefined> {
  try {
    return await parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return undefined;
  }
}
