// What is said of a command that no allow rule covers: the rule that comes nearest to it, and why it does not cover it.
import { type PermissionRule } from '../../../shared/permission';
import { allowPattern } from '../rules/command-pattern';
import { formatRule, shortened } from '../rules/rule-syntax';
import { type PermissionContext } from '../rules/verdict';
import { commandRules } from './command-rules';
import { coverOf, uncoveredAssignment } from './rule-cover';
import { unwrap } from './shell-wrappers';
import { commandName, type SimpleCommand, textOf } from './simple-command';

/** Sentences, for a command that no allow rule covers. */
export function uncoveredReason(command: SimpleCommand, context: PermissionContext): string {
  const rules = commandRules(context, 'allow');
  const matching = rules.find(({ value }) => coverOf(value.ruleContent ?? '', command) !== undefined);
  if (matching !== undefined)
    return `The rule \`${formatRule(matching.value)}\` does not cover \`${shortened(command.text)}\`: ${missOf(matching.value.ruleContent ?? '', command)}.`;
  const none = `No rule matches \`${shortened(commandName(command.words) === undefined ? command.text : programOf(command))}\`.`;
  const nearest = nearestOf(rules, command);
  return nearest === undefined
    ? none
    : `${none} The nearest is \`${shortened(formatRule(nearest.value))}\`, but ${missOf(nearest.value.ruleContent ?? '', command)}.`;
}

/** Why an allow rule does not cover the command, as a clause. */
export function missOf(content: string, command: SimpleCommand): string {
  const exclusion = coverOf(content, command)?.exclusion;
  if (exclusion !== undefined) return exclusion;
  const { assignments, pattern } = allowPattern(content);
  const stray = uncoveredAssignment(content, command);
  const matches = coverOf(content, { ...command, assignments: [] }) !== undefined;
  if (stray !== undefined && (matches || assignments.length > 0))
    return `it does not name \`${shortened(stray.text)}\`, which stands in front of the command`;
  if (assignments.length > 0 && command.assignments.length < assignments.length)
    return 'it names variables that do not stand in front of the command';
  if (pattern.exact) return `the command is not exactly \`${shortened(content)}\``;
  const head = pattern.fixedWords.join(' ');
  const isPrefix = /(:| )\*$/.test(content) && !content.slice(0, -2).includes('*') && head !== '';
  if (!isPrefix) return `the command does not match \`${shortened(content)}\``;
  const { words } = unwrap(command.words);
  const own = textOf({ words: words.slice(0, pattern.fixedWords.length) });
  return `the command begins with \`${shortened(own)}\`, not \`${shortened(head)}\``;
}

/** The one that shares the most words with the command, at least its first. */
function nearestOf(rules: readonly PermissionRule[], command: SimpleCommand): PermissionRule | undefined {
  const words = unwrap(command.words).words.map(({ text }) => text);
  let nearest: PermissionRule | undefined;
  let most = 0;
  for (const rule of rules) {
    const { fixedWords } = allowPattern(rule.value.ruleContent ?? '').pattern;
    const differs = fixedWords.findIndex((word, index) => word !== words[index]);
    const shared = differs < 0 ? fixedWords.length : differs;
    if (shared <= most) continue;
    nearest = rule;
    most = shared;
  }
  return nearest;
}

/** The program, with its subcommand. */
function programOf(command: SimpleCommand): string {
  const [first, second] = unwrap(command.words).words;
  const isSubcommand = second?.kind === 'literal' && /^[a-z][\w:-]*$/.test(second.value);
  return [first?.text, ...(isSubcommand ? [second.text] : [])].join(' ');
}
