// What was seen of other programs' session files, in Deft's own folder: a file that has not changed is not read again.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod/v3';
import { writePrivateFile } from '../files/replace-file';

const seenFile = z.object({ size: z.number(), mtimeMs: z.number(), cwd: z.string(), title: z.string() });
export type SeenFile = z.infer<typeof seenFile>;

const indexName = '.external.json';
const index = z.object({ version: z.literal(1), files: z.record(seenFile) });

/** By path; empty where it is missing or broken: it is only a cache. */
export async function readExternalIndex(folder: string): Promise<Map<string, SeenFile>> {
  try {
    return new Map(Object.entries(index.parse(JSON.parse(await readFile(path.join(folder, indexName), 'utf8'))).files));
  } catch {
    return new Map();
  }
}

export async function writeExternalIndex(folder: string, files: readonly [string, SeenFile][]): Promise<void> {
  await writePrivateFile(
    path.join(folder, indexName),
    JSON.stringify({ version: 1, files: Object.fromEntries(files) }),
  );
}
