// Read and Edit rules with a path: gitignore patterns below the folder that their anchor names.
import ignore, { type Ignore } from 'ignore';
import { type PermissionRule, type RuleBehavior } from '../../../shared/permission';
import { type PermissionContext } from './verdict';
import { canonicalToolName, isBare } from './rule-syntax';
import { selectRules } from './select-rules';
import { firstRule } from './first-rule';
import { isInsideAny, normalPath, pathBelow, rulePath } from './workspace-path';

/** The path and what it resolves to, where that differs. */
export type PathNames = readonly string[];

/** The first deny or ask rule that covers any of the names. Bare rules count too. */
export function restrictingRule(
  behavior: 'deny' | 'ask',
  access: 'read' | 'write',
  names: PathNames,
  context: PermissionContext,
): PermissionRule | undefined {
  // A file that may not be read may not be edited either.
  const tools = access === 'read' ? ['Read'] : behavior === 'deny' ? ['Edit', 'Read'] : ['Edit'];
  const places = names.map((name) => new Place(name, context));
  const rules = rulesOf(context.rules, behavior, tools);
  return firstRule(rules, behavior, names[0] ?? '', context.recorder, (rule) =>
    places.some((place) => covers(rule, place)),
  );
}

/** The first `Cd(path)` rule that covers the folder. */
export function folderRule(
  behavior: RuleBehavior,
  folder: string,
  context: PermissionContext,
): PermissionRule | undefined {
  const place = new Place(folder, context);
  return firstRule(folderRules(behavior, context), behavior, folder, context.recorder, (rule) => covers(rule, place));
}

export function folderRules(behavior: RuleBehavior, { rules }: PermissionContext): readonly PermissionRule[] {
  return rulesOf(rules, behavior, ['Cd']);
}

/** An allow rule for each of the names, or undefined. Who may edit a file may read it. */
export function allowingRule(
  access: 'read' | 'write',
  names: PathNames,
  context: PermissionContext,
): PermissionRule | undefined {
  const rules = rulesOf(context.rules, 'allow', access === 'read' ? ['Read', 'Edit'] : ['Edit']);
  const found = names.map((name) => {
    const place = new Place(name, context);
    return firstRule(rules, 'allow', name, context.recorder, (rule) => covers(rule, place));
  });
  return found.every((rule) => rule !== undefined) ? found[0] : undefined;
}

/** True for a path that a Read deny rule covers. */
export function isReadDenied(path: string, context: PermissionContext): boolean {
  return restrictingRule('deny', 'read', [path], context) !== undefined;
}

/** The Read deny rule that covers one of the paths, or whose last name, without pattern, is just `name`. */
export function readDenialOf(
  paths: readonly string[],
  name: string,
  context: PermissionContext,
): PermissionRule | undefined {
  const places = paths.map((path) => new Place(path, context));
  const fold = (text: string): string => (context.ignoreCase ? text.toLowerCase() : text);
  return rulesOf(context.rules, 'deny', ['Read']).find((rule) => {
    if (places.some((place) => covers(rule, place))) return true;
    const last =
      (rule.value.ruleContent ?? '')
        .replace(/(\/\*\*)?\/?$/, '')
        .split(/[\\/]/)
        .at(-1) ?? '';
    return last.length > 2 && !/[*?[~]/.test(last) && fold(last) === fold(name);
  });
}

/** The first deny rule with a path: what it forbids may be anywhere below a folder. */
export function denyRuleWithPath(access: 'read' | 'write', context: PermissionContext): PermissionRule | undefined {
  return rulesOf(context.rules, 'deny', access === 'read' ? ['Read'] : ['Edit', 'Read'])[0];
}

/** An absolute path as the content of a rule that covers only it. */
export function exactPathContent(path: string): string {
  return `/${rulePath(path)
    .replace(/[\\*?[\]!#]/g, '\\$&')
    .replace(/ $/, '\\ ')}`;
}

function rulesOf(
  rules: readonly PermissionRule[],
  behavior: RuleBehavior,
  tools: readonly string[],
): readonly PermissionRule[] {
  return selectRules(
    rules,
    `${behavior} ${tools.join(' ')}`,
    ({ behavior: own, value }) => own === behavior && tools.includes(canonicalToolName(value.toolName)),
  );
}

/** A path seen from the folders that rules start at; each is worked out once. */
class Place {
  private readonly path: string;
  private readonly below = new Map<string, string | undefined>();

  constructor(
    path: string,
    readonly context: PermissionContext,
  ) {
    this.path = rulePath(path);
  }

  /** Undefined where the path is not below the folder. */
  from(root: string): string | undefined {
    if (!this.below.has(root)) this.below.set(root, pathBelow(this.path, rulePath(root), this.context.ignoreCase));
    return this.below.get(root);
  }
}

function covers(rule: PermissionRule, place: Place): boolean {
  if (isBare(rule.value)) return true;
  const { anchor, matches } = compile(rule, place.context.ignoreCase);
  return rootsOf(rule, anchor, place.context).some((root, index, roots) => {
    if (roots.indexOf(root) !== index) return false;
    const below = place.from(root);
    return below !== undefined && matches(below);
  });
}

type Anchor = 'absolute' | 'home' | 'source' | 'cwd';

function rootsOf(rule: PermissionRule, anchor: Anchor, context: PermissionContext): string[] {
  if (anchor === 'absolute') return ['/'];
  if (anchor === 'home') return [context.home];
  if (anchor === 'source') return [rule.root];
  // A command may have moved the session's folder: what is forbidden stays so wherever the rule could mean it.
  return rule.behavior === 'allow' ? [allowRoot(rule, context)] : [context.cwd, rule.root, ...context.folders];
}

/** Nor does what is allowed carry over to an added folder: the rule still means the folder that the session began in. */
function allowRoot(rule: PermissionRule, { cwd, folders, ignoreCase }: PermissionContext): string {
  const [first] = folders;
  return first === undefined || isInsideAny(cwd, [first, rule.root], ignoreCase) ? cwd : first;
}

interface CompiledRule {
  anchor: Anchor;
  ignoreCase: boolean;
  /** Takes the path below the anchor's folder. */
  matches(below: string): boolean;
}

const compiledRules = new WeakMap<PermissionRule, CompiledRule>();

function compile(rule: PermissionRule, ignoreCase: boolean): CompiledRule {
  let compiled = compiledRules.get(rule);
  if (compiled?.ignoreCase !== ignoreCase) {
    const { anchor, pattern } = anchored(windowsContent(rule.value.ruleContent ?? ''));
    compiled = { anchor, ignoreCase, matches: matcher(gitignorePattern(pattern, anchor, rule.behavior), ignoreCase) };
    compiledRules.set(rule, compiled);
  }
  return compiled;
}

function anchored(content: string): { anchor: Anchor; pattern: string } {
  if (content.startsWith('//')) return { anchor: 'absolute', pattern: content.slice(1) };
  if (content === '~' || content.startsWith('~/')) return { anchor: 'home', pattern: content.slice(1) || '/**' };
  if (content.startsWith('/')) return { anchor: 'source', pattern: content };
  if (content.startsWith('./')) return { anchor: 'cwd', pattern: content.slice(1) };
  return { anchor: 'cwd', pattern: content };
}

/** `C:\x` is written `//c/x`. */
function windowsContent(content: string): string {
  return /^[A-Za-z]:[\\/]/.test(content) ? `/${rulePath(content.replaceAll('\\', '/'))}` : content;
}

/**
 * `folder/**` also means the folder itself. Where only one name stands before the stars, permission is given for that
 * folder alone, but what is forbidden is so in any depth.
 */
function gitignorePattern(pattern: string, anchor: Anchor, behavior: RuleBehavior): string {
  const folder = /^(.+?)\/\*\*$/.exec(pattern)?.[1];
  if (folder === undefined || /[*?[]/.test(folder)) return pattern;
  if (anchor === 'cwd' && !folder.includes('/')) return behavior === 'allow' ? `/${folder}` : folder;
  return folder.startsWith('/') ? folder : `/${folder}`;
}

/** `ignore` remembers every path it saw; past this many it starts afresh. */
const maxRemembered = 5000;

function matcher(pattern: string, ignoreCase: boolean): (below: string) => boolean {
  if (pattern.startsWith('!')) return () => false;
  const text = pattern.startsWith('#') ? `\\${pattern}` : pattern;
  let rules: Ignore | undefined;
  let seen = 0;
  return (below) => {
    if (below === '') return /^\/?\*{1,2}(\/\*{1,2})?$/.test(text);
    if (rules === undefined || seen++ > maxRemembered) {
      rules = ignore({ ignorecase: ignoreCase, allowRelativePaths: true }).add(text);
      seen = 0;
    }
    // A pattern that ends in a slash also covers the folder itself.
    return rules.ignores(below) || (text.endsWith('/') && rules.ignores(`${below}/`));
  };
}

/** Names to check rules against: one where the path is not a link. */
export function pathNames(path: string, realPath: string): PathNames {
  const [first, second] = [normalPath(path), normalPath(realPath)];
  return first === second ? [first] : [first, second];
}
