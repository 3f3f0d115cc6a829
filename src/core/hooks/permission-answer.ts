// A hook's answer to a permission question: what of it holds, read field by field.
import { permissionModes, type PermissionUpdate } from '../../shared/permission';
import { parseRule } from '../permissions/rules/rule-syntax';
import { type PermissionAnswer } from './hook-outcome';
import { isObject } from '../../shared/plain-object';

/** A sentence where it is not an answer. */
export function readPermissionAnswer(value: unknown): PermissionAnswer | string {
  if (!isObject(value)) return '`decision` of a PermissionRequest hook must be an object with a `behavior`.';
  const { behavior, message, interrupt, updatedInput, updatedPermissions } = value;
  if (behavior !== 'allow' && behavior !== 'deny')
    return '`behavior` of a PermissionRequest hook must be "allow" or "deny".';
  return {
    behavior,
    interrupt: interrupt === true,
    updates: behavior === 'allow' ? readUpdates(updatedPermissions) : [],
    ...(typeof message === 'string' ? { message } : {}),
    ...(isObject(updatedInput) ? { updatedInput } : {}),
  };
}

/** They hold for the session, whatever destination they name: a hook writes no settings. No hook switches all questions off. */
function readUpdates(value: unknown): PermissionUpdate[] {
  return (Array.isArray(value) ? (value as unknown[]) : []).flatMap((update): PermissionUpdate[] => {
    if (!isObject(update)) return [];
    switch (update['type']) {
      case 'addRules': {
        const behavior = (['allow', 'ask', 'deny'] as const).find((one) => one === update['behavior']);
        const rules = (Array.isArray(update['rules']) ? (update['rules'] as unknown[]) : []).flatMap(readRule);
        return behavior === undefined || rules.length === 0
          ? []
          : [{ type: 'addRules', behavior, rules, destination: 'session' }];
      }
      case 'setMode': {
        const mode = permissionModes.find((one) => one === update['mode']);
        return mode === undefined || mode === 'bypassPermissions'
          ? []
          : [{ type: 'setMode', mode, destination: 'session' }];
      }
      case 'addDirectories': {
        const directories = (Array.isArray(update['directories']) ? (update['directories'] as unknown[]) : []).filter(
          (one): one is string => typeof one === 'string' && isNarrow(one),
        );
        return directories.length === 0 ? [] : [{ type: 'addDirectories', directories, destination: 'session' }];
      }
      default:
        return [];
    }
  });
}

/** Absolute, and no root, top folder or home folder. */
function isNarrow(path: string): boolean {
  return (
    /^(\/|[A-Za-z]:[\\/])/.test(path) &&
    path.split(/[\\/]/).filter((name) => name !== '' && name !== '.').length > 2 &&
    !path.includes('..')
  );
}

function readRule(value: unknown) {
  if (!isObject(value) || typeof value['toolName'] !== 'string') return [];
  const parsed = parseRule(value['toolName']);
  // An empty condition would widen the rule to the whole tool.
  if (parsed === undefined || value['ruleContent'] === '') return [];
  return [{ ...parsed, ...(typeof value['ruleContent'] === 'string' ? { ruleContent: value['ruleContent'] } : {}) }];
}
