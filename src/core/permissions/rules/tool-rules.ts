// Rules about a tool as a whole: which rules govern which tools, and which tools a bare deny removes.
import { type PermissionRule, type RuleBehavior } from '../../../shared/permission';
import { canonicalToolName, isBare, matchesName } from './rule-syntax';
import { selectRules } from './select-rules';

/** Removes a tool from the request: a bare deny rule, also a glob, names it or the tool that governs it. */
export function isToolDenied(rules: readonly PermissionRule[], toolName: string): boolean {
  return bareRule(rules, 'deny', toolName) !== undefined;
}

/** The same for many tools at once: rules that name one tool are looked up. */
export function toolDenial(rules: readonly PermissionRule[]): (toolName: string) => boolean {
  const denying = rules.filter(({ behavior, value }) => behavior === 'deny' && isBare(value));
  const names = new Set(denying.map(({ value }) => canonicalToolName(value.toolName)));
  const wide = denying.filter(
    ({ value }) => value.toolName.includes('*') || !value.toolName.slice('mcp__'.length).includes('__'),
  );
  return (toolName) => names.has(toolName) || isToolDenied(wide, toolName);
}

/** The first rule without a condition that covers the tool. */
export function bareRule(
  rules: readonly PermissionRule[],
  behavior: RuleBehavior,
  toolName: string,
): PermissionRule | undefined {
  return selectRules(
    rules,
    `${behavior} ${toolName} as a whole`,
    (rule) => rule.behavior === behavior && isBare(rule.value) && coversTool(rule, toolName),
  )[0];
}

/** A condition on an input of Bash that is not its command. */
export const bashParameter = /^(run_in_background|timeout|description|dangerouslyDisableSandbox):/;

/** Whether the tool that the rule names is this one or governs it. */
export function coversTool(rule: PermissionRule, toolName: string): boolean {
  const name = canonicalToolName(rule.value.toolName);
  if (name === toolName) return true;
  if (name.includes('*')) {
    if (rule.behavior === 'allow' && !/^mcp__[^*]+?__/.test(name)) return false;
    return matchesName(name, toolName);
  }
  if (name.startsWith('mcp__')) return !name.slice(5).includes('__') && toolName.startsWith(`${name}__`);
  if (name === 'Edit') return editTools.has(toolName);
  if (name === 'Read') return readTools.has(toolName);
  // Its conditions are matched where a command is judged.
  if (name === 'Bash' && isBare(rule.value)) return bashTools.has(toolName);
  return false;
}

const editTools = new Set(['Edit', 'Write', 'NotebookEdit', 'MultiEdit', 'Refactor']);
const readTools = new Set(['Read', 'Grep', 'Glob', 'LSP', 'Problems']);
/** What they run is a command for bash. */
export const bashTools: ReadonlySet<string> = new Set(['Bash', 'Tests', 'RunTask']);
/** The same in some calls only, which rules for Bash cover: where no editor reports problems. */
export const bashCalls: ReadonlySet<string> = new Set(['Problems']);

/** The first rule without a condition that covers a call of these. No allow rule for reading covers what is run. */
export function bareRuleOfCall(
  rules: readonly PermissionRule[],
  behavior: RuleBehavior,
  toolName: string,
): PermissionRule | undefined {
  return selectRules(
    rules,
    `${behavior} commands of ${toolName}`,
    (rule) =>
      rule.behavior === behavior &&
      isBare(rule.value) &&
      (coversTool(rule, 'Bash') ||
        (coversTool(rule, toolName) && (behavior !== 'allow' || canonicalToolName(rule.value.toolName) !== 'Read'))),
  )[0];
}
/** Paths belong into Read and Edit rules; settings warn about these. */
export const neverMatched: ReadonlySet<string> = new Set(['Write', 'Glob', 'NotebookEdit', 'MultiEdit']);
