// A hook's answer to a permission question: what of it holds, read field by field.
import {
  permissionDestinations,
  permissionModes,
  type PermissionDestination,
  type PermissionUpdate,
} from '../../shared/permission';
import { isObject } from '../../shared/plain-object';
import { parseRule } from '../permissions/rules/rule-syntax';
import { type PermissionAnswer } from './hook-outcome';

/** Takes a sentence about what does not hold. */
type Report = (sentence: string) => void;

/** Undefined where it is no answer. */
export function readPermissionAnswer(value: unknown, report: Report): PermissionAnswer | undefined {
  if (!isObject(value))
    return void report('`decision` of a PermissionRequest hook must be an object with a `behavior`.');
  const { behavior, message, interrupt, updatedInput, updatedPermissions } = value;
  if (behavior !== 'allow' && behavior !== 'deny')
    return void report('`behavior` of a PermissionRequest hook must be "allow" or "deny".');
  return {
    behavior,
    interrupt: interrupt === true,
    updates: behavior === 'allow' ? readUpdates(updatedPermissions, report) : [],
    ...(typeof message === 'string' ? { message } : {}),
    ...(isObject(updatedInput) ? { updatedInput } : {}),
  };
}

/** What cannot be read is not granted, and reported. No hook switches all questions off. */
function readUpdates(value: unknown, report: Report): PermissionUpdate[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) {
    report('`updatedPermissions` must be a list.');
    return [];
  }
  return value.flatMap((one: unknown) => {
    const update = isObject(one) ? readUpdate(one) : undefined;
    if (typeof update === 'object') return [update];
    report(`\`updatedPermissions\` has an entry that is not applied: ${update ?? 'it is not an object'}.`);
    return [];
  });
}

/** What is wrong with it, where it cannot be applied as a whole. */
function readUpdate(update: Record<string, unknown>): PermissionUpdate | string {
  const { type } = update;
  const destination = destinationOf(update['destination']);
  if (destination === undefined) return `there is no destination ${JSON.stringify(update['destination'])}`;
  switch (type) {
    case 'addRules':
    case 'replaceRules':
    case 'removeRules': {
      const behavior = (['allow', 'ask', 'deny'] as const).find((one) => one === update['behavior']);
      if (behavior === undefined) return '`behavior` must be "allow", "ask" or "deny"';
      const rules = listOf(update['rules']).map(readRule);
      const read = rules.filter((rule) => rule !== undefined);
      if (read.length < rules.length || (read.length === 0 && type !== 'replaceRules'))
        return '`rules` must be a list of rules with a `toolName`';
      return { type, behavior, rules: read, destination };
    }
    case 'setMode': {
      const mode = permissionModes.find((one) => one === update['mode']);
      if (mode === 'bypassPermissions') return 'no hook can set the mode bypassPermissions';
      return mode === undefined ? '`mode` must be a permission mode' : { type, mode, destination };
    }
    case 'addDirectories':
    case 'removeDirectories': {
      const directories = listOf(update['directories']);
      const narrow = directories.filter((one): one is string => typeof one === 'string' && isNarrow(one));
      if (narrow.length === 0 || narrow.length < directories.length)
        return '`directories` must be absolute paths, and not of a root, a top folder or a home folder';
      return { type, directories: narrow, destination };
    }
    default:
      return `there is no type ${JSON.stringify(type)}`;
  }
}

/** Whoever names none means the session, and so does what a command line says. */
function destinationOf(value: unknown): PermissionDestination | undefined {
  return value === undefined || value === 'cliArg' ? 'session' : permissionDestinations.find((one) => one === value);
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
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
  if (!isObject(value) || typeof value['toolName'] !== 'string') return undefined;
  const parsed = parseRule(value['toolName']);
  // An empty condition would widen the rule to the whole tool.
  if (parsed === undefined || value['ruleContent'] === '') return undefined;
  return { ...parsed, ...(typeof value['ruleContent'] === 'string' ? { ruleContent: value['ruleContent'] } : {}) };
}
