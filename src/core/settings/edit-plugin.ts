// A plugin switched on or off in a settings file, with the marketplace that it comes from: every other byte stays as it is.
import { findNodeAtLocation, type Node } from 'jsonc-parser';
import { change, countOf, editObject, refused, type SettingsEdit } from './edit-settings';

export interface PluginSwitch {
  id: string;
  /** Undefined takes it out of the file. */
  on: boolean | undefined;
  /** Written down too, for others who have the file. */
  marketplace?: { name: string; source: Record<string, string> };
}

export function switchPlugin(before: string, { id, on, marketplace }: PluginSwitch): SettingsEdit {
  return editObject(before, (text, tree) => {
    for (const name of ['enabledPlugins', 'extraKnownMarketplaces']) {
      if (countOf(tree, name) > 1) return refused(`it has \`${name}\` twice`);
      const node = findNodeAtLocation(tree, [name]);
      if (node !== undefined && node.type !== 'object') return refused(`its \`${name}\` is not an object`);
    }
    const node: Node | undefined = findNodeAtLocation(tree, ['enabledPlugins', id]);
    const same = on === undefined ? node === undefined : node?.value === on;
    const switched = same ? text : change(text, ['enabledPlugins', id], on);
    if (
      marketplace === undefined ||
      findNodeAtLocation(tree, ['extraKnownMarketplaces', marketplace.name]) !== undefined
    )
      return switched;
    return change(switched, ['extraKnownMarketplaces', marketplace.name], { source: marketplace.source });
  });
}
