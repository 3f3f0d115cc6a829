// Which allow rules would answer a question: found by trying them on the same call.
import { type PermissionRuleValue } from '../../shared/permission';
import { redirectedFiles } from './bash/command-scope';
import { type CommandLine, type CommandLines, commandTool } from './command-lines';
import { namedByInput, runContents } from './rules/condition-rules';
import { escapeCommand } from './rules/command-pattern';
import { hostOf } from './rules/domain-rules';
import { exactPathContent } from './rules/path-rules';
import { formatRule } from './rules/rule-syntax';
import { withMoreRules } from './rules/select-rules';
import { type PermissionCall, type PermissionContext, type PermissionTarget } from './rules/verdict';

/** Judges the call again with other rules, another mode or other folders. */
export type AllowedIn = (context: PermissionContext) => boolean;

export type RuleTrial = (rules: readonly PermissionRuleValue[]) => boolean;

/** Whether the call runs with these allow rules in addition. */
export function ruleTrial(context: PermissionContext, allowedIn: AllowedIn): RuleTrial {
  const root = context.folders[0] ?? '/';
  return (values) => {
    const added = values.map((value) => ({ behavior: 'allow' as const, value, source: 'session' as const, root }));
    return allowedIn({ ...context, rules: withMoreRules(context.rules, added) });
  };
}

/**
 * Sets of rules after which the call runs, the narrowest first, two at most. Empty where no allow rule can answer the
 * question: then not even the widest do, and more allow rules never make a verdict stricter.
 */
export function coveringRules(
  call: PermissionCall,
  lines: CommandLines,
  context: PermissionContext,
  allows: RuleTrial,
): PermissionRuleValue[][] {
  const exact = wholeLines(call);
  const widest = [{ toolName: call.tool }, ...exact, ...everyFile, ...narrowRules(call)];
  if (!allows(widest)) return [];
  const files = fileRules(call, lines, context);
  const candidates = [
    [...partRules(call, lines), ...files],
    [...exact, ...files],
    [{ toolName: call.tool }, ...files],
    [...exact, ...everyFile],
    widest,
  ];
  // One that names a part of the call is worth a second one, in case it is too long to show.
  const found: PermissionRuleValue[][] = [];
  for (const candidate of candidates) {
    const rules = found.length > 1 ? undefined : fewest(candidate, allows);
    if (rules !== undefined) found.push(rules);
  }
  return found;
}

const everyFile: PermissionRuleValue[] = [
  { toolName: 'Read' },
  { toolName: 'Edit' },
  { toolName: 'Cd', ruleContent: '//**' },
];

/** Beyond this many parts, rules for each are not worth looking for. */
const maxTried = 30;

/** Without those that the call does not need, the last ones first; undefined where all of them do not suffice. */
export function fewest(rules: readonly PermissionRuleValue[], allows: RuleTrial): PermissionRuleValue[] | undefined {
  const unlike = [...new Map(rules.map((rule) => [formatRule(rule), rule])).values()];
  if (unlike.length === 0 || unlike.length > maxTried || !allows(unlike)) return undefined;
  return unlike.reduceRight<PermissionRuleValue[]>((kept, rule) => {
    const rest = kept.filter((one) => one !== rule);
    return rest.length > 0 && allows(rest) ? rest : kept;
  }, unlike);
}

/** For what the call is besides its command lines and files: an address, an agent, a skill, the tool. */
export function narrowRules({ tool, targets, input, names = [] }: PermissionCall): PermissionRuleValue[] {
  const hosts = targets.flatMap((target) => (target.kind === 'url' ? (hostOf(target.url) ?? []) : []));
  if (hosts.length > 0) return hosts.map((host) => ({ toolName: tool, ruleContent: `domain:${host}` }));
  if (targets.length > 0) return [];
  if (names.length > 0) return runContents(names).map((ruleContent) => ({ toolName: tool, ruleContent }));
  const name = namedByInput(tool, input);
  return [{ toolName: tool, ...(name === undefined ? {} : { ruleContent: name }) }];
}

/** Each command of the lines by itself. */
function partRules(call: PermissionCall, lines: CommandLines): PermissionRuleValue[] {
  const texts = commandTexts(call).flatMap((text) => commandsOf(lines.get(text)));
  return [
    ...texts.map((text) => ({ toolName: commandTool(call.tool), ruleContent: escapeCommand(text) })),
    ...narrowRules(call),
  ];
}

function commandsOf(line: CommandLine | undefined): string[] {
  return line?.parsed.ok === true ? line.parsed.commands.map(({ text }) => text) : [];
}

/** The line word for word, and what its words stand for. */
function wholeLines(call: PermissionCall): PermissionRuleValue[] {
  return commandTexts(call).map((text) => ({
    toolName: commandTool(call.tool),
    ruleContent: escapeCommand(text.trim()),
  }));
}

function commandTexts({ targets }: PermissionCall): string[] {
  return targets.flatMap((target) =>
    target.kind === 'command' ? [target.command, ...(target.means ?? []).map(({ text }) => text)] : [],
  );
}

/** The files of the call, and those that the output of its commands goes to. */
export function fileRules(
  { targets }: PermissionCall,
  lines: CommandLines,
  { home }: PermissionContext,
): PermissionRuleValue[] {
  return targets.flatMap((target): PermissionRuleValue[] => {
    if (target.kind === 'file') return rulesFor(target);
    const line = target.kind === 'command' ? lines.get(target.command) : undefined;
    if (target.kind !== 'command' || line?.shell !== 'Bash') return [];
    return line.parsed.commands
      .flatMap((command) => redirectedFiles(command, target.cwd, home).files)
      .flatMap((file) => rulesFor({ kind: 'file', ...file }));
  });
}

function rulesFor({ access, path, realPath }: Extract<PermissionTarget, { kind: 'file' }>): PermissionRuleValue[] {
  const toolName = access === 'write' ? 'Edit' : 'Read';
  return [...new Set([path, realPath])].map((one) => ({ toolName, ruleContent: exactPathContent(one) }));
}
