// A fingerprint of all that a plugin runs or allows: what is written, its programs, and the scripts that it plainly names.
import { createHash } from 'node:crypto';
import path from 'node:path';
import { scriptPaths } from '../../core/hooks/hook-scripts';
import { type Plugin } from '../../core/plugins/plugin';
import { type PluginParts } from '../../core/plugins/plugin-parts';
import { readRegularFile } from '../regular-file';

const maxScriptBytes = 64 * 1024 * 1024;

/** Empty where nothing runs. The same wherever the plugin lies. */
export async function pluginFingerprint({ root, bin }: Pick<Plugin, 'root' | 'bin'>, { code, handlers }: Pick<PluginParts, 'code' | 'handlers'>): Promise<string> {
  if (code === '') return '';
  const named = handlers.flatMap((handler) => scriptPaths(handler, { folder: root, project: root })).filter((file) => file.startsWith(`${root}/`));
  const programs = (bin?.programs ?? []).map((name) => `${bin?.folder ?? ''}/${name}`);
  const files = [...new Set([...named, ...programs])].sort();
  const hashes = await Promise.all(files.map(async (file) => [path.posix.relative(root, file), await contentOf(file)]));
  return createHash('sha256').update(JSON.stringify([code, hashes])).digest('hex');
}

async function contentOf(file: string): Promise<string> {
  const read = await readRegularFile(file, maxScriptBytes);
  return read.outcome === 'read' ? createHash('sha256').update(read.bytes).digest('hex') : read.code;
}
