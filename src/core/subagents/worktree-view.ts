// What an agent in a worktree sees in place of the checkout: its folders, and the rules that hold for them.
import { type PermissionRule } from '../../shared/permission';
import { isInside, pathBelow } from '../permissions/workspace-path';
import { type FileSystem, type Notebooks } from '../ports';
import { type Path } from '../ports/path';
import { type Worktree } from '../ports/worktrees';

type Place = Pick<Worktree, 'path' | 'checkout'>;

/** The same place in the worktree; undefined where it does not lie in the checkout. */
export function inWorktree(path: Path, { path: root, checkout }: Place): Path | undefined {
  // Worktrees lie in the checkout: one in another is no part of that.
  if (isInside(path, root, false)) return path;
  const below = pathBelow(path, checkout, false);
  return below === undefined ? undefined : below === '' ? root : `${root}/${below}`;
}

/** Folders outside the checkout are none of the agent's: it works apart from what the person works on. */
export function worktreeFolders(folders: readonly Path[], worktree: Place): Path[] {
  const found = [...new Set(folders.flatMap((folder) => inWorktree(folder, worktree) ?? []))];
  return found.length === 0 ? [worktree.path] : found;
}

const mirrored = new WeakMap<readonly PermissionRule[], Map<Path, readonly PermissionRule[]>>();

/** With what rules about paths of the checkout mean for the worktree: what is forbidden there is forbidden in its copy. The same list for the same rules. */
export function worktreeRules(rules: readonly PermissionRule[], worktree: Place, home: Path): readonly PermissionRule[] {
  const known = mirrored.get(rules) ?? new Map<Path, readonly PermissionRule[]>();
  mirrored.set(rules, known);
  const made = known.get(worktree.path) ?? [...rules, ...rules.flatMap((rule) => mirror(rule, worktree, home) ?? [])];
  known.set(worktree.path, made);
  return made;
}

function mirror(rule: PermissionRule, worktree: Place, home: Path): PermissionRule | undefined {
  const content = rule.value.ruleContent ?? '';
  const absolute = content.startsWith('//') ? content.slice(1) : content.startsWith('~/') ? `${home}${content.slice(1)}` : undefined;
  if (absolute !== undefined) {
    const path = inWorktree(absolute, worktree);
    return path === undefined || path === absolute ? undefined : { ...rule, value: { ...rule.value, ruleContent: `/${path}` } };
  }
  const root = inWorktree(rule.root, worktree);
  return root === undefined || root === rule.root || !/^\.?\//.test(content) ? undefined : { ...rule, root };
}

/** Nobody reviews its edits in the editor: they are looked at when they are merged, and may be gone with the worktree before. */
export function worktreeFiles(files: FileSystem, { path }: Place): FileSystem {
  return {
    stat: (one) => files.stat(one),
    realPath: (one) => files.realPath(one),
    list: (one) => files.list(one),
    readBytes: (one, maxBytes) => files.readBytes(one, maxBytes),
    readText: (one, maxBytes) => files.readText(one, maxBytes),
    writeText: (change) => files.writeText(isInside(change.path, path, false) ? { ...change, approved: true } : change),
    writeOwnFile: (one, content) => files.writeOwnFile(one, content),
  };
}

export function worktreeNotebooks(notebooks: Notebooks, { path }: Place): Notebooks {
  return {
    unsaved: (one) => notebooks.unsaved(one),
    write: (change) => notebooks.write(isInside(change.path, path, false) ? { ...change, approved: true } : change),
  };
}
