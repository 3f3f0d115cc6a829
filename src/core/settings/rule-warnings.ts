// Rules that are understood but do less than they seem to: a sentence for the settings banner.
import { type PermissionRule } from '../../shared/permission';
import { canonicalToolName, formatRule, isBare, olderToolNames } from '../permissions/rules/rule-syntax';
import { neverMatched } from '../permissions/rules/tool-rules';

export function ruleWarning(rule: PermissionRule): string | undefined {
  const name = canonicalToolName(rule.value.toolName);
  const text = `\`${formatRule(rule.value)}\``;
  if (!isBare(rule.value) && neverMatched.has(name)) {
    const other = name === 'Glob' ? 'Read' : 'Edit';
    return `${text} never matches: write \`${formatRule({ ...rule.value, toolName: other })}\`, which also applies to ${name}.`;
  }
  if (name.includes('*')) {
    return rule.behavior !== 'allow' || /^mcp__[^*]+?__/.test(name)
      ? undefined
      : `${text} is ignored: an allow rule must name the tool, or an MCP server followed by \`*\`.`;
  }
  if (!name.includes('_') && !knownTools.has(name)) return `${text} names a tool that Deft does not have.`;
  return undefined;
}

/** Includes tools that this version lacks: users' files name them. */
const knownTools = new Set([...Object.keys(olderToolNames), 'MultiEdit', 'Cd', 'Monitor']);
