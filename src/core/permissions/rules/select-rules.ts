// Picks the rules that one check looks at, once for each list of rules: every call asks for the same few picks.
import { type PermissionRule } from '../../../shared/permission';

const picks = new WeakMap<readonly PermissionRule[], Map<string, readonly PermissionRule[]>>();
const additions = new WeakMap<readonly PermissionRule[], { to: readonly PermissionRule[]; more: PermissionRule[] }>();

/** A list with `more` at its end: only those are picked anew, so that many such lists can be tried. */
export function withMoreRules(rules: readonly PermissionRule[], more: PermissionRule[]): readonly PermissionRule[] {
  const all = [...rules, ...more];
  additions.set(all, { to: rules, more });
  return all;
}

/** Those of `rules` that are `wanted`, in their order. `check` names the pick: the same name always means the same rules. */
export function selectRules(
  rules: readonly PermissionRule[],
  check: string,
  wanted: (rule: PermissionRule) => boolean,
): readonly PermissionRule[] {
  let known = picks.get(rules);
  if (known === undefined) picks.set(rules, (known = new Map()));
  let picked = known.get(check);
  if (picked === undefined) known.set(check, (picked = pick(rules, check, wanted)));
  return picked;
}

function pick(
  rules: readonly PermissionRule[],
  check: string,
  wanted: (rule: PermissionRule) => boolean,
): readonly PermissionRule[] {
  const added = additions.get(rules);
  if (added === undefined) return rules.filter(wanted);
  const before = selectRules(added.to, check, wanted);
  const after = added.more.filter(wanted);
  return after.length === 0 ? before : [...before, ...after];
}
