// Applies one permission update to what a session holds: its mode, and the rules and folders granted in it.
import {
  type PermissionMode,
  type PermissionRule,
  type PermissionRuleValue,
  type PermissionUpdate,
} from '../../../shared/permission';
import { formatRule } from './rule-syntax';

export interface SessionGrants {
  mode: PermissionMode;
  rules: readonly PermissionRule[];
  directories: readonly string[];
}

/** `root` is what `/` in path rules means. Another update of the same session is undone by its counterpart. */
export function applyUpdate(grants: SessionGrants, update: PermissionUpdate, root: string): SessionGrants {
  switch (update.type) {
    case 'setMode':
      return { ...grants, mode: update.mode };
    case 'addDirectories':
      return { ...grants, directories: [...new Set([...grants.directories, ...update.directories])] };
    case 'removeDirectories':
      return { ...grants, directories: grants.directories.filter((folder) => !update.directories.includes(folder)) };
    case 'addRules':
    case 'replaceRules':
    case 'removeRules': {
      const { behavior } = update;
      const named = new Set(update.rules.map(formatRule));
      const kept = grants.rules.filter(
        (rule) => rule.behavior !== behavior || (update.type !== 'replaceRules' && !named.has(formatRule(rule.value))),
      );
      const added =
        update.type === 'removeRules'
          ? []
          : update.rules.map((value: PermissionRuleValue) => ({ behavior, value, source: 'session' as const, root }));
      return { ...grants, rules: [...kept, ...added] };
    }
  }
}
