// Compares a plugin with what the user agreed to, whenever something of it is used: its folder may have changed since it was read.
import { type PluginDisk } from '../../core/context/plugin-files';
import { type PluginCheck } from '../../core/ports/plugin-identity';
import { readPluginParts } from '../../core/plugins/plugin-parts';
import { readPlugin } from '../../core/plugins/read-plugin';
import { lookThrough } from './folder-content';
import { type PluginState } from './load-plugins';
import { pluginFingerprint } from './plugin-fingerprint';

export interface PluginCheckOptions {
  files: PluginDisk;
  /** Those that are on, as they were last read. */
  active: () => readonly PluginState[];
  /** One is not what it was: it is to be read anew, and the user asked. */
  changed: () => void;
}

/** Mostly a look at sizes and times; where one is another, the files are read. */
export function createPluginCheck({ files, active, changed }: PluginCheckOptions): PluginCheck {
  /** What the folder looked like when it was found to be what was agreed to, by what that is. */
  const seen = new Map<string, string>();
  const looking = new Map<string, Promise<string | undefined>>();

  const compare = async ({ plugin, fingerprint, request }: PluginState, key: string): Promise<string | undefined> => {
    // Before it is read: what changes meanwhile is seen at the next look.
    const look = await lookThrough(plugin.root);
    const stamp = 'stamp' in look ? look.stamp : undefined;
    if (stamp !== undefined && seen.get(key) === stamp) return undefined;
    const now = await readPlugin(request, files);
    const held = await pluginFingerprint(now, await readPluginParts(now, files));
    if ('fingerprint' in held && held.fingerprint === fingerprint) {
      if (stamp !== undefined) seen.set(key, stamp);
      return undefined;
    }
    changed();
    return `The plugin ${plugin.id} has changed since you agreed to what it runs${'problem' in held ? `. ${held.problem}` : '.'} Type /plugin to review it.`;
  };

  return async ({ id, root }) => {
    const state = active().find(({ plugin }) => plugin.id === id && plugin.root === root);
    if (state === undefined)
      return `The plugin ${id} is no longer on, or another version of it is. Type /plugin to see.`;
    if (!state.agreed) return `You have not agreed to what the plugin ${id} runs now. Type /plugin to read it.`;
    if (state.owner === 'command-line') return undefined;
    const key = `${root}\0${state.fingerprint}`;
    // All hooks of an event come at once.
    let running = looking.get(key);
    if (running === undefined) {
      running = compare(state, key).finally(() => looking.delete(key));
      looking.set(key, running);
    }
    return running;
  };
}
