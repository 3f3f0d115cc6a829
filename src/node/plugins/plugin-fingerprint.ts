// A fingerprint of all that a plugin runs or allows: what is written, and where something starts from it, all that lies in its folder but words.
import { createHash } from 'node:crypto';
import { type Plugin } from '../../core/plugins/plugin';
import { type PluginParts } from '../../core/plugins/plugin-parts';
import { contentHash, type FolderLimits, lookThrough } from './folder-content';

/** Empty where nothing runs. The same wherever the plugin lies. `problem`: a sentence; nobody can agree to it then. */
export async function pluginFingerprint(
  { root }: Pick<Plugin, 'root'>,
  { code, starts }: Pick<PluginParts, 'code' | 'starts'>,
  limits?: FolderLimits,
): Promise<{ fingerprint: string } | { problem: string }> {
  if (code === '') return { fingerprint: '' };
  const look = starts ? await lookThrough(root, limits) : { files: [] };
  if ('problem' in look) return look;
  // A shell runs any file that a command names.
  const namesWords = /\.md\b|\.claude-plugin\b/i.test(code);
  const held = await contentHash(look, (name) => namesWords || !isWords(name));
  return {
    fingerprint: createHash('sha256')
      .update(JSON.stringify([code, held]))
      .digest('hex'),
  };
}

/** What counts of a manifest is in the text: its version and its description are new with every update. */
function isWords(name: string): boolean {
  return /\.md$/i.test(name) || /^\.claude-plugin\/(?:plugin|marketplace)\.json$/.test(name);
}
