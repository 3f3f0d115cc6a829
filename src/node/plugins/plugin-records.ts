// What Deft has installed and what the user has agreed to, in a file of Deft's own: both hosts read it.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod/v3';
import { messageOf } from '../../core/text/errors';
import { type FetchSource } from '../../core/plugins/marketplace-source';
import { type PluginManifest } from '../../core/plugins/manifest';
import { errorCode } from '../files/file-error';
import { writePrivateFile } from '../files/replace-file';

const git = z.object({
  kind: z.literal('git'),
  url: z.string(),
  ref: z.string().optional(),
  sha: z.string().optional(),
  folder: z.string().optional(),
});
const source = z.union([git, z.object({ kind: z.literal('folder'), path: z.string() })]);

const shape = z.object({
  marketplaces: z.record(z.object({ source, root: z.string(), updatedAt: z.string() })).default({}),
  plugins: z
    .record(
      z.object({
        root: z.string(),
        source,
        commit: z.string().optional(),
        entry: z.object({ strict: z.boolean(), manifest: z.record(z.unknown()) }).optional(),
        installedAt: z.string(),
      }),
    )
    .default({}),
  agreed: z.record(z.string()).default({}),
});

export interface StoredMarketplace {
  source: FetchSource;
  root: string;
  updatedAt: string;
}

export interface StoredPlugin {
  root: string;
  /** Of the plugin itself: the folder or repository that it was copied from. */
  source: FetchSource;
  commit?: string;
  entry?: { strict: boolean; manifest: PluginManifest };
  installedAt: string;
}

export interface PluginRecords {
  marketplaces: Record<string, StoredMarketplace>;
  plugins: Record<string, StoredPlugin>;
  /** By the plugin's id: a fingerprint of all that it runs or allows. */
  agreed: Record<string, string>;
}

/** Where Deft keeps plugins: nothing in it belongs to another program. */
export function pluginsFolder(home: string): string {
  return path.join(home, '.deft', 'plugins');
}

/** Where a plugin writes what is its own. */
export function dataFolder(home: string, id: string): string {
  return path.join(pluginsFolder(home), 'data', id.replace(/[^\w.@-]/g, '-'));
}

export function recordsFile(home: string): string {
  return path.join(pluginsFolder(home), 'plugins.json');
}

/** A sentence where the file is there and cannot be read: it is not written over then. */
export async function readRecords(home: string): Promise<PluginRecords | string> {
  const file = recordsFile(home);
  try {
    return shape.parse(JSON.parse(await readFile(file, 'utf8'))) as PluginRecords;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return { marketplaces: {}, plugins: {}, agreed: {} };
    return `${file} cannot be read, so no plugin that Deft installed is used: ${error instanceof z.ZodError ? 'its format is unknown' : messageOf(error)}. Fix it, or move it away.`;
  }
}

let last: Promise<unknown> = Promise.resolve();

/** One change after the other, each of what is there now. A sentence where it did not work. */
export function changeRecords(home: string, change: (records: PluginRecords) => void): Promise<string | undefined> {
  const changed = last.then(async () => {
    const records = await readRecords(home);
    if (typeof records === 'string') return records;
    change(records);
    try {
      await writePrivateFile(recordsFile(home), `${JSON.stringify(records, undefined, 2)}\n`);
      return undefined;
    } catch (error) {
      return `${recordsFile(home)} could not be written: ${messageOf(error)}`;
    }
  });
  last = changed;
  return changed;
}
