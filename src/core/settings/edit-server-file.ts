// An MCP server put into, or taken out of, a file that names servers: every other byte of the file stays as it is.
import { findNodeAtLocation, type Node } from 'jsonc-parser';
import { change, countOf, editObject, refused, type SettingsEdit } from './edit-settings';

/** Where the servers stand: `[]` for a file's own `mcpServers`, `['projects', folder]` for those of one project in the shared file. */
export type ServerPlace = readonly string[];

/** A name that is there already is not written over. */
export function addServer(before: string, place: ServerPlace, name: string, entry: Record<string, unknown>): SettingsEdit {
  return editServers(before, place, (text, servers) => {
    if (servers !== undefined && countOf(servers, name) > 0) return refused(`it names a server “${name}” already`);
    return change(text, [...place, 'mcpServers', name], entry);
  });
}

export function removeServer(before: string, place: ServerPlace, name: string): SettingsEdit {
  return editServers(before, place, (text, servers) => {
    const count = servers === undefined ? 0 : countOf(servers, name);
    if (count > 1) return refused(`“${name}” stands in it twice`);
    return count === 0 ? text : change(text, [...place, 'mcpServers', name], undefined);
  });
}

/** A name put into one list and taken out of another: what is switched on and off. */
export function moveName(before: string, name: string, into: string, outOf: string): SettingsEdit {
  return editObject(before, (text, tree) => {
    const lists = [into, outOf].map((list) => ({ list, node: findNodeAtLocation(tree, [list]), count: countOf(tree, list) }));
    const unfit = lists.find(({ node, count }) => count > 1 || (node !== undefined && node.type !== 'array'));
    if (unfit !== undefined) return refused(unfit.count > 1 ? `\`${unfit.list}\` stands in it twice` : `its \`${unfit.list}\` is no list`);
    const items = (list: string): unknown[] => (findNodeAtLocation(tree, [list])?.children ?? []).map(({ value }): unknown => value);
    const without = items(outOf).reduceRight<string>((rest, item, index) => (item === name ? change(rest, [outOf, index], undefined) : rest), text);
    const present = items(into);
    if (present.includes(name)) return without;
    return present.length === 0 ? change(without, [into], [name]) : change(without, [into, present.length], name, true);
  });
}

function editServers(before: string, place: ServerPlace, edit: (text: string, servers: Node | undefined) => string | SettingsEdit): SettingsEdit {
  return editObject(before, (text, tree) => {
    const path = [...place, 'mcpServers'];
    for (let length = 1; length <= path.length; length++) {
      const parent = length === 1 ? tree : findNodeAtLocation(tree, path.slice(0, length - 1));
      const name = path[length - 1] ?? '';
      if (parent !== undefined && countOf(parent, name) > 1) return refused(`\`${name}\` stands in it twice`);
      const node = findNodeAtLocation(tree, path.slice(0, length));
      if (node !== undefined && node.type !== 'object') return refused(`its \`${name}\` is no object`);
    }
    return edit(text, findNodeAtLocation(tree, path));
  });
}
