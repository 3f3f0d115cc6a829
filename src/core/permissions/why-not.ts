// Says in a few words why a rule does not match. Only words: whether it matches was decided by decide() itself.
import { type PermissionRule } from '../../shared/permission';
import { commandPattern } from './rules/command-pattern';
import { hostOf } from './rules/domain-rules';
import { canonicalToolName, formatRule, shortened } from './rules/rule-syntax';

/** `subject`: the command, path or address that the rule was held against. */
export function whyNot({ value, behavior }: PermissionRule, subject: string): string {
  const content = value.ruleContent ?? '';
  switch (canonicalToolName(value.toolName)) {
    case 'Bash':
    case 'PowerShell':
      return whyNoCommand(content, subject.trim(), behavior === 'allow');
    case 'Read':
    case 'Edit':
      return `\`${shortened(subject)}\` is not among \`${shortened(content)}\``;
    case 'WebFetch':
      return content.startsWith('domain:')
        ? `the host is \`${hostOf(subject) ?? subject}\`, not \`${content.slice('domain:'.length).trim()}\``
        : 'it names no `domain:`';
    default:
      return `it is about \`${shortened(formatRule(value))}\``;
  }
}

function whyNoCommand(content: string, command: string, allows: boolean): string {
  const pattern = commandPattern(content);
  if (allows && pattern.matches(command))
    return 'it matches, but is too general to cover code, another program or lost work';
  const several = /[;&|\n]/.test(command);
  if (pattern.exact)
    return several && !allows
      ? `no command of the line is \`${shortened(content)}\``
      : `the command is not exactly \`${shortened(content)}\``;
  const head = pattern.fixedWords.join(' ');
  const begins = /(:| )\*$/.test(content) && !content.slice(0, -2).includes('*') && head !== '';
  if (!begins) return `the command does not match \`${shortened(content)}\``;
  if (several && !allows) return `no command of the line begins with \`${shortened(head)}\``;
  const own = command.split(/\s+/).slice(0, pattern.fixedWords.length).join(' ');
  return own === head
    ? 'text before or inside the command hides what it is'
    : `the command begins with \`${shortened(own)}\`, not \`${shortened(head)}\``;
}
