// Hooks of a plugin: read as settings files write them, with its own folders put in.
import { type Node, parseTree } from 'jsonc-parser';
import { type HookEntry, type HookHandler } from './hook-entry';
import { type FileHooks, readHookKey } from './read-hooks';
import { isShellSafe, type PluginIdentity, putFoldersDeep } from '../ports/plugin-identity';

/** Without lines for a shell that would read the folder's name as more than a name. */
export function pluginHookEntries(entries: readonly HookEntry[], plugin: PluginIdentity): HookEntry[] {
  const safe = isShellSafe(plugin.root) && isShellSafe(plugin.data);
  return entries
    .filter((entry) => safe || !isLine(entry))
    .map((entry) => ({ ...entry, handler: putFoldersDeep(entry.handler, plugin) as HookHandler, plugin }));
}

/** `node` holds events. They run as the user's own do, once the user has agreed. */
export function readPluginHooks(
  node: Node,
  file: string,
  plugin: PluginIdentity,
  report: (offset: number, message: string) => void,
): HookEntry[] {
  const into: FileHooks = { entries: [] };
  readHookKey('hooks', node, into, { file, source: 'userSettings', root: plugin.root }, report);
  const entries = pluginHookEntries(into.entries, plugin);
  if (entries.length < into.entries.length)
    report(
      node.offset,
      `Its commands do not run: the path ${plugin.root} has characters that are special to a shell. Move it to a folder with a plain name.`,
    );
  return entries;
}

function isLine({ handler }: HookEntry): boolean {
  return handler.type === 'command' && handler.args === undefined;
}

/** A manifest may hold the events themselves. */
export function inlineHooks(value: unknown): Node | undefined {
  return parseTree(JSON.stringify(value));
}
