// Sets one key of a settings file: every other byte of the file stays as it is.
import { findNodeAtLocation, getNodeValue } from 'jsonc-parser';
import { change, countOf, editObject, refused, type SettingsEdit } from './edit-settings';

/** Undefined takes the key out. */
export function setKey(before: string, name: string, value: unknown): SettingsEdit {
  return editObject(before, (text, tree) => {
    if (countOf(tree, name) > 1) return refused(`it has \`${name}\` twice`);
    const node = findNodeAtLocation(tree, [name]);
    if (node === undefined ? value === undefined : JSON.stringify(getNodeValue(node)) === JSON.stringify(value))
      return text;
    return change(text, [name], value);
  });
}
