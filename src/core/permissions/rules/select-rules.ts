// Picks the rules that one check looks at, once for each list of rules: every call asks for the same few picks.
import { type PermissionRule } from '../../../shared/permission';

const picks = new WeakMap<readonly PermissionRule[], Map<string, readonly PermissionRule[]>>();

/** Those of `rules` that are `wanted`, in their order. `check` names the pick: the same name always means the same rules. */
export function selectRules(
  rules: readonly PermissionRule[],
  check: string,
  wanted: (rule: PermissionRule) => boolean,
): readonly PermissionRule[] {
  let known = picks.get(rules);
  if (known === undefined) picks.set(rules, (known = new Map()));
  let picked = known.get(check);
  if (picked === undefined) known.set(check, (picked = rules.filter(wanted)));
  return picked;
}
