// An MCP server put into, or taken out of, a file that names servers: every other byte of the file stays as it is.
import { findNodeAtLocation, type Node } from 'jsonc-parser';
import { change, countOf, editObject, refused, type SettingsEdit } from './edit-settings';

/** Where the servers stand: `[]` for a file's own `mcpServers`, `['projects', folder]` for those of one project in the shared file. */
export type ServerPlace = readonly string[];

/** A name that is there already is not written over. */
export function addServer(
  before: string,
  place: ServerPlace,
  name: string,
  entry: Record<string, unknown>,
): SettingsEdit {
  return editServers(before, place, (text, servers) => {
    if (servers !== undefined && countOf(servers, name) > 0) return refused(`it already has a server “${name}”`);
    return change(text, [...place, 'mcpServers', name], entry);
  });
}

export function removeServer(before: string, place: ServerPlace, name: string): SettingsEdit {
  return editServers(before, place, (text, servers) => {
    const count = servers === undefined ? 0 : countOf(servers, name);
    if (count > 1) return refused(`it has “${name}” twice`);
    return count === 0 ? text : change(text, [...place, 'mcpServers', name], undefined);
  });
}

/** Takes a name out of a list of names. */
export function takeName(before: string, list: string, name: string): SettingsEdit {
  return editObject(before, (text, tree) => {
    const node = findNodeAtLocation(tree, [list]);
    if (countOf(tree, list) > 1) return refused(`it has \`${list}\` twice`);
    if (node !== undefined && node.type !== 'array') return refused(`its \`${list}\` is not a list`);
    // From the end, so that the places of the others stay.
    return (node?.children ?? []).reduceRight<string>(
      (rest, { value }, index) => (value === name ? change(rest, [list, index], undefined) : rest),
      text,
    );
  });
}

function editServers(
  before: string,
  place: ServerPlace,
  edit: (text: string, servers: Node | undefined) => string | SettingsEdit,
): SettingsEdit {
  return editObject(before, (text, tree) => {
    const path = [...place, 'mcpServers'];
    for (let length = 1; length <= path.length; length++) {
      const parent = length === 1 ? tree : findNodeAtLocation(tree, path.slice(0, length - 1));
      const name = path[length - 1] ?? '';
      if (parent !== undefined && countOf(parent, name) > 1) return refused(`it has \`${name}\` twice`);
      const node = findNodeAtLocation(tree, path.slice(0, length));
      if (node !== undefined && node.type !== 'object') return refused(`its \`${name}\` is not an object`);
    }
    return edit(text, findNodeAtLocation(tree, path));
  });
}
