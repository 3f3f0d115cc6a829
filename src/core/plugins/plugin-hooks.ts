// Hooks of a plugin: read as settings files write them, with its own folders put in.
import { type Node, parseTree } from 'jsonc-parser';
import { type HookEntry, type HookHandler } from '../hooks/hook-entry';
import { type FileHooks, readHookKey } from '../hooks/read-hooks';
import { isShellSafe, type PluginIdentity, putFoldersDeep } from './plugin-identity';

export function pluginHookEntries(entries: readonly HookEntry[], plugin: PluginIdentity): HookEntry[] {
  return entries.map((entry) => ({ ...entry, handler: putFoldersDeep(entry.handler, plugin) as HookHandler, plugin }));
}

/** `node` holds events. They run as the person's own do, once the person has agreed. */
export function readPluginHooks(node: Node, file: string, plugin: PluginIdentity, report: (offset: number, message: string) => void): HookEntry[] {
  const into: FileHooks = { entries: [] };
  readHookKey('hooks', node, into, { file, source: 'userSettings', root: plugin.root }, report);
  if (into.entries.some(({ handler }) => handler.type === 'command' && handler.args === undefined) && !(isShellSafe(plugin.root) && isShellSafe(plugin.data))) {
    report(node.offset, `Its commands do not run: a shell would read characters in ${plugin.root} as its own. Move it to a folder with a plain name.`);
    into.entries = into.entries.filter(({ handler }) => handler.type !== 'command' || handler.args !== undefined);
  }
  return pluginHookEntries(into.entries, plugin);
}

/** A manifest may hold the events themselves. */
export function inlineHooks(value: unknown): Node | undefined {
  return parseTree(JSON.stringify(value));
}
