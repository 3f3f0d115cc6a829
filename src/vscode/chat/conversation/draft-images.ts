// Keeps the images of messages that are being written, in a file each: a webview's own state is copied whole with every change of it.
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type ComposerImage } from '../../../shared/written-message';

/** What nobody has asked for so long belongs to a draft that is gone. */
const KEPT_MS = 30 * 24 * 3_600_000;

export interface DraftImages {
  keep(id: string, image: ComposerImage): Promise<void>;
  /** Those that are there, in the order of `ids`. */
  read(ids: readonly string[]): Promise<{ id: string; image: ComposerImage }[]>;
  drop(ids: readonly string[]): Promise<void>;
}

/** Calls take effect in their order. */
export function createDraftImages(folder: string): DraftImages {
  let last: Promise<unknown> = removeOld(folder);
  const inOrder = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
  const fileOf = (id: string): string => path.join(folder, `${id}.json`);
  return {
    keep: (id, image) =>
      inOrder(async () => {
        await mkdir(folder, { recursive: true });
        await writeFile(fileOf(id), JSON.stringify(image), { mode: 0o600 });
      }),
    read: (ids) =>
      inOrder(async () => {
        const found = await Promise.all(ids.map(async (id) => ({ id, image: await readImage(fileOf(id)) })));
        return found.flatMap(({ id, image }) => (image === undefined ? [] : [{ id, image }]));
      }),
    drop: (ids) => inOrder(async () => void (await Promise.all(ids.map((id) => rm(fileOf(id), { force: true }))))),
  };
}

/** Undefined also for a file whose writing was cut off. What is asked for stays. */
async function readImage(file: string): Promise<ComposerImage | undefined> {
  try {
    const image = JSON.parse(await readFile(file, 'utf8')) as ComposerImage;
    const now = new Date();
    await utimes(file, now, now).catch(() => undefined);
    return image;
  } catch {
    return undefined;
  }
}

async function removeOld(folder: string): Promise<void> {
  const names = await readdir(folder).catch((): string[] => []);
  for (const name of names) {
    const file = path.join(folder, name);
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Infinity }));
    if (mtimeMs < Date.now() - KEPT_MS) await rm(file, { force: true }).catch(() => undefined);
  }
}
