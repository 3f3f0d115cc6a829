// Says in a few words why a rule does not match. Only words: whether it matches was decided by decide() itself.
import { type PermissionRule } from '../../shared/permission';
import { missOf } from './bash/near-rules';
import { parseShell } from './bash/shell-command';
import { powerShellMiss } from './power-shell/power-shell-answers';
import { commandPattern } from './rules/command-pattern';
import { hostOf } from './rules/domain-rules';
import { canonicalToolName, formatRule, shortened } from './rules/rule-syntax';

/** `subject`: the command, path or address that the rule was held against. */
export function whyNot({ value, behavior }: PermissionRule, subject: string): string {
  const content = value.ruleContent ?? '';
  switch (canonicalToolName(value.toolName)) {
    case 'Bash':
      return whyNoCommand(content, subject.trim(), 'Bash', behavior === 'allow');
    case 'PowerShell':
      return whyNoCommand(content, subject.trim(), 'PowerShell', behavior === 'allow');
    case 'Read':
    case 'Edit':
      return `\`${shortened(subject)}\` is not among \`${shortened(content)}\``;
    case 'WebFetch':
    case 'Page':
      return content.startsWith('domain:')
        ? `the host is \`${hostOf(subject) ?? subject}\`, not \`${content.slice('domain:'.length).trim()}\``
        : 'it names no `domain:`';
    default:
      return `it is about \`${shortened(formatRule(value))}\``;
  }
}

function whyNoCommand(content: string, command: string, shell: 'Bash' | 'PowerShell', allows: boolean): string {
  if (allows) {
    const why = shell === 'Bash' ? whyNoBash(content, command) : powerShellMiss(content, command);
    if (why !== undefined) return why;
  }
  const pattern = commandPattern(content);
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

/** Undefined for a line of several commands, each of which is traced by itself. */
function whyNoBash(content: string, text: string): string | undefined {
  const [command, ...others] = parseShell(text).commands;
  return command === undefined || others.length > 0 ? undefined : missOf(content, command);
}
