// A permission update as an edit of a settings file's text: comments, order, indentation and line endings stay as they are.
import {
  applyEdits,
  findNodeAtLocation,
  type JSONPath,
  modify,
  type Node,
  type ParseError,
  parseTree,
} from 'jsonc-parser';
import { formatRule, parseRule } from '../permissions/rules/rule-syntax';
import { type PermissionUpdate } from '../../shared/permission';

export type SettingsEdit =
  | { outcome: 'changed'; text: string }
  /** The file says so already. */
  | { outcome: 'same' }
  /** `message` completes "… was not changed: ". */
  | { outcome: 'refused'; message: string };

export function editSettings(before: string, update: PermissionUpdate): SettingsEdit {
  return editObject(before, (text, tree) => {
    const unfit = unfitPart(tree, update);
    return unfit === undefined ? edit(text, tree, update) : refused(unfit);
  });
}

/** A file that does not parse is never touched: what stands in it might get lost. */
export function editObject(before: string, edited: (text: string, tree: Node) => string | SettingsEdit): SettingsEdit {
  const mark = before.startsWith('\ufeff') ? '\ufeff' : '';
  const text = before.slice(mark.length);
  const start = text.trim() === '' ? `{}${eolOf(text)}` : text;
  const errors: ParseError[] = [];
  const tree = parseTree(start, errors, { allowTrailingComma: true });
  if (errors.length > 0 || tree?.type !== 'object') return refused('it is not valid JSON');
  const after = edited(start, tree);
  if (typeof after !== 'string') return after;
  return after === start ? { outcome: 'same' } : { outcome: 'changed', text: mark + after };
}

function edit(text: string, tree: Node, update: PermissionUpdate): string {
  if (update.type === 'setMode') {
    const path = ['permissions', 'defaultMode'];
    return findNodeAtLocation(tree, path)?.value === update.mode ? text : change(text, path, update.mode);
  }
  const path = listPath(update);
  const items = (findNodeAtLocation(tree, path)?.children ?? []).map(({ value }): unknown => value);
  const same = 'rules' in update ? ruleText : (item: unknown): unknown => item;
  const named: readonly unknown[] = 'rules' in update ? update.rules.map(formatRule) : update.directories;
  switch (update.type) {
    case 'replaceRules':
      return items.length === named.length && items.every((item, index) => same(item) === named[index])
        ? text
        : change(text, path, [...new Set(named)]);
    case 'removeRules':
    case 'removeDirectories':
      // From the end, so that the places of the others stay.
      return items.reduceRight<string>(
        (rest, item, index) => (named.includes(same(item)) ? change(rest, [...path, index], undefined) : rest),
        text,
      );
    case 'addRules':
    case 'addDirectories': {
      const present = new Set(items.map(same));
      const missing = [...new Set(named)].filter((item) => !present.has(item));
      const exists = findNodeAtLocation(tree, path) !== undefined;
      if (missing.length === 0) return text;
      if (!exists) return change(text, path, missing);
      return missing.reduce<string>(
        (rest, item, index) => change(rest, [...path, items.length + index], item, true),
        text,
      );
    }
  }
}

function listPath(update: Exclude<PermissionUpdate, { type: 'setMode' }>): string[] {
  return ['permissions', 'rules' in update ? update.behavior : 'additionalDirectories'];
}

export function change(text: string, path: JSONPath, value: unknown, isArrayInsertion = false): string {
  return applyEdits(
    text,
    modify(text, path, value, { isArrayInsertion, formattingOptions: { ...indentationOf(text), eol: eolOf(text) } }),
  );
}

/** What of the file is not what it has to be for this update. */
function unfitPart(tree: Node, update: PermissionUpdate): string | undefined {
  const permissions = findNodeAtLocation(tree, ['permissions']);
  if (countOf(tree, 'permissions') > 1) return 'it has `permissions` twice';
  if (permissions === undefined) return undefined;
  if (permissions.type !== 'object') return 'its `permissions` is not an object';
  if (update.type === 'setMode') return undefined;
  const [, name = ''] = listPath(update);
  if (countOf(permissions, name) > 1) return `it has \`permissions.${name}\` twice`;
  const list = findNodeAtLocation(permissions, [name]);
  return list === undefined || list.type === 'array' ? undefined : `its \`permissions.${name}\` is not a list`;
}

/** How often a name stands in an object. */
export function countOf(object: Node, name: string): number {
  return (object.children ?? []).filter(({ children }) => children?.[0]?.value === name).length;
}

/** Rules that mean the same, however they are written, are the same. */
function ruleText(item: unknown): unknown {
  const rule = typeof item === 'string' ? parseRule(item) : undefined;
  return rule === undefined ? item : formatRule(rule);
}

function eolOf(text: string): string {
  return /\r\n|\r|\n/.exec(text)?.[0] ?? '\n';
}

function indentationOf(text: string): { insertSpaces: boolean; tabSize: number } {
  const first = /^([ \t]+)\S/m.exec(text)?.[1];
  if (first === undefined) return { insertSpaces: true, tabSize: 2 };
  return first.startsWith('\t') ? { insertSpaces: false, tabSize: 4 } : { insertSpaces: true, tabSize: first.length };
}

export function refused(message: string): SettingsEdit {
  return { outcome: 'refused', message };
}
