// What an agent in a worktree sees in place of the checkout: its folders, and the rules that hold for them.
import { dirname } from 'pathe';
import { type PermissionRule } from '../../shared/permission';
import { absolutePath, isInside, pathBelow, rulePath } from '../permissions/rules/workspace-path';
import { type FileSystem } from '../ports/files';
import { type Notebooks } from '../ports/notebooks';
import { type Path } from '../ports/path';
import { type Worktree } from '../ports/worktrees';

export interface WorktreeView extends Worktree {
  /** What the workspace and the rules call folders of the checkout by way of links, and the same below `checkout`, whose own links are resolved. */
  names: readonly { named: Path; real: Path }[];
  ignoreCase: boolean;
}

export type WorktreePlace = Pick<WorktreeView, 'path' | 'checkout' | 'names' | 'ignoreCase'>;

/** `said`: the paths by which the workspace, its rules and the session may speak of the checkout. */
export async function viewWorktree(
  worktree: Worktree,
  said: readonly Path[],
  { realPath, ignoreCase }: { realPath: FileSystem['realPath']; ignoreCase: boolean },
): Promise<WorktreeView> {
  const root = await realPath(worktree.checkout);
  const names = new Map<Path, Path>();
  for (const path of new Set([worktree.checkout, ...said])) {
    // Rules may be further up than the folder that is open.
    for (let named = path; ; named = dirname(named)) {
      const below = pathBelow(await realPath(named), root, ignoreCase);
      const real = below === '' ? worktree.checkout : `${worktree.checkout}/${below}`;
      if (below !== undefined) for (const name of [named, rulePath(named)]) if (name !== real) names.set(name, real);
      if (below === undefined || dirname(named) === named) break;
    }
  }
  return { ...worktree, names: [...names].map(([named, real]) => ({ named, real })), ignoreCase };
}

/** The same place in the worktree; undefined where it is not in the checkout. */
export function inWorktree(path: Path, { path: root, checkout, names, ignoreCase }: WorktreePlace): Path | undefined {
  const resolved = names.flatMap(({ named, real }) => {
    const rest = pathBelow(path, named, ignoreCase);
    return rest === undefined ? [] : [rest === '' ? real : `${real}/${rest}`];
  });
  for (const one of [path, ...resolved]) {
    // Worktrees are in the checkout: one in another is no part of that.
    if (isInside(one, root, ignoreCase)) return one;
    const below = pathBelow(one, checkout, ignoreCase);
    if (below !== undefined) return below === '' ? root : `${root}/${below}`;
  }
  return undefined;
}

/** Folders outside the checkout are none of the agent's: it works apart from what the user works on. */
export function worktreeFolders(folders: readonly Path[], worktree: WorktreePlace): Path[] {
  return [...new Set(folders.flatMap((folder) => inWorktree(folder, worktree) ?? []))];
}

/** With what rules about paths of the checkout mean for the worktree: what is forbidden there is forbidden in its copy. The same list for the same rules. */
export const worktreeRules = oncePerTree((rules, worktree, home) => [
  ...rules,
  ...rules.flatMap((rule) => mirror(rule, worktree, home) ?? []),
]);

/** The same for a session whose own place it is: what may be done in the checkout unasked may be done in the copy instead. */
export const movedRules = oncePerTree((rules, worktree, home) =>
  rules.flatMap((rule) => {
    const copy = mirror(rule, worktree, home);
    if (copy === undefined) return [rule];
    return rule.behavior === 'allow' ? [copy] : [rule, copy];
  }),
);

type RulesInTree = (rules: readonly PermissionRule[], worktree: WorktreePlace, home: Path) => readonly PermissionRule[];

function oncePerTree(make: RulesInTree): RulesInTree {
  const made = new WeakMap<readonly PermissionRule[], WeakMap<WorktreePlace, readonly PermissionRule[]>>();
  return (rules, worktree, home) => {
    const known = made.get(rules) ?? new WeakMap<WorktreePlace, readonly PermissionRule[]>();
    made.set(rules, known);
    const inTree = known.get(worktree) ?? make(rules, worktree, home);
    known.set(worktree, inTree);
    return inTree;
  };
}

function mirror(rule: PermissionRule, worktree: WorktreePlace, home: Path): PermissionRule | undefined {
  const content = rule.value.ruleContent ?? '';
  const anchored = /^\.?\//.test(content);
  const absolute = content.startsWith('//')
    ? content.slice(1)
    : content.startsWith('~/')
      ? `${home}${content.slice(1)}`
      : undefined;
  const root = absolute === undefined && anchored ? inWorktree(rule.root, worktree) : undefined;
  if (root !== undefined) return root === rule.root ? undefined : { ...rule, root };
  // A rule of a folder above the checkout may name something in it.
  const meant = absolute ?? (anchored ? absolutePath(content.replace(/^\.?\//, ''), rule.root) : undefined);
  const path = meant === undefined ? undefined : inWorktree(meant, worktree);
  return path === undefined || path === meant
    ? undefined
    : { ...rule, value: { ...rule.value, ruleContent: `/${rulePath(path)}` } };
}

/** Nobody reviews its edits in the editor: they are looked at when they are merged, and may be gone with the worktree before. */
export function worktreeFiles(files: FileSystem, { path, ignoreCase }: WorktreePlace): FileSystem {
  return {
    stat: (one) => files.stat(one),
    realPath: (one) => files.realPath(one),
    list: (one) => files.list(one),
    readBytes: (one, maxBytes) => files.readBytes(one, maxBytes),
    readText: (one, maxBytes) => files.readText(one, maxBytes),
    writeText: (change) =>
      files.writeText(isInside(change.path, path, ignoreCase) ? { ...change, approved: true } : change),
    writeOwnFile: (one, content) => files.writeOwnFile(one, content),
  };
}

export function worktreeNotebooks(notebooks: Notebooks, { path, ignoreCase }: WorktreePlace): Notebooks {
  return {
    unsaved: (one) => notebooks.unsaved(one),
    write: (change) =>
      notebooks.write(isInside(change.path, path, ignoreCase) ? { ...change, approved: true } : change),
  };
}
