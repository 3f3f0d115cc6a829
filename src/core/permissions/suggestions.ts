// What "Always allow" offers: only what would really answer the question, said in full.
import { dirname } from 'pathe';
import { type PermissionRuleValue, type PermissionSuggestion, type PermissionUpdate } from '../../shared/permission';
import { callRisks } from './call-risks';
import { prefixRuleFor } from './prefix-suggestion';
import { type CommandLines, commandTool } from './command-lines';
import { type AllowedIn, coveringRules, fewest, fileRules, ruleTrial, type RuleTrial } from './covering-rules';
import { isCriticalPath } from './files/critical-paths';
import { applyUpdate } from './rules/apply-update';
import { escapeCommand, unescapeCommand } from './rules/command-pattern';
import { formatRule, isBare } from './rules/rule-syntax';
import { type PermissionCall, type PermissionContext } from './rules/verdict';

export interface Offers {
  suggestions: PermissionSuggestion[];
  /** The narrowest allow rules known after which the call runs, also where no button shows them; absent where none can. */
  coveredBy?: PermissionRuleValue[];
}

/** A suggestion after which the same call would still ask is left out. */
export function offersFor(
  call: PermissionCall,
  context: PermissionContext,
  { lines, allowedIn }: { lines: CommandLines; allowedIn: AllowedIn },
): Offers {
  const allows = ruleTrial(context, allowedIn);
  // Where only the organization's rules count, no other can answer.
  const sets = context.managedRulesOnly === true ? [] : coveringRules(call, lines, context, allows);
  const [coveredBy] = sets;
  const others = otherWays(call, context).filter(({ updates }) => allowedIn(updates.reduce(withUpdate, context)));
  const [target] = call.targets;
  if (coveredBy === undefined) return { suggestions: others };
  // What deletes or forces is looked at each time: whoever wants a rule for it writes one.
  if (callRisks(call.targets, lines, context).some(({ grave }) => grave === true))
    return { suggestions: others, coveredBy };
  // A whole tool is offered for what has no parts, and for what runs nothing.
  const isOffered = (rules: readonly PermissionRuleValue[]): boolean =>
    target === undefined || target.kind === 'url' || !rules.some(isBare);
  const exact = sets
    .filter(isOffered)
    .flatMap((rules) => withWords(rules, context))
    .slice(0, 1);
  if (target?.kind === 'file') {
    const rules = exact.map((offer) => inSession(offer));
    return { suggestions: target.access === 'write' ? [...others, ...rules] : [...rules, ...others], coveredBy };
  }
  // First what somebody would write themselves.
  const offers = [...prefixOffers(call, lines, context, allows), ...exact];
  const isSaved =
    target !== undefined ||
    call.names !== undefined ||
    call.tool.startsWith('mcp__') ||
    commandTool(call.tool) !== call.tool;
  return {
    suggestions: [
      ...(isSaved ? offers.flatMap((offer) => inProject(offer, context)) : []),
      ...offers.map((offer) => inSession(offer)),
    ],
    coveredBy,
  };
}

interface Offer {
  /** Follows "Always allow". */
  what: string;
  rules: readonly PermissionRuleValue[];
  /** The words do not say all that the rules allow. */
  shortened: boolean;
}

/** Longer rules cannot be shown whole. */
const maxShown = 160;
const maxRules = 5;
/** Longer words fill a narrow side bar: then the rules are shown below the button instead. */
const maxWords = 64;

/** Empty where there is too much to show. */
function withWords(rules: readonly PermissionRuleValue[], context: PermissionContext): Offer[] {
  const contents = rules.map(({ ruleContent = '' }) => ruleContent);
  if (rules.length > maxRules || contents.some((text) => text.length > maxShown || text.includes('\n'))) return [];
  const what = wordsOf(rules, context);
  const commands = rules.filter(({ toolName }) => isCommandTool(toolName)).length;
  const long = what.length > maxWords && commands > 0;
  return [{ what: long ? shortWords(rules.length, commands) : what, rules, shortened: long }];
}

function shortWords(count: number, commands: number): string {
  if (count === 1) return 'this command';
  return commands === count ? `these ${count} commands` : `what these ${count} rules say`;
}

function wordsOf(rules: readonly PermissionRuleValue[], context: PermissionContext): string {
  const commands = rules.filter(({ toolName, ruleContent }) => isCommandTool(toolName) && ruleContent !== undefined);
  const named = rules.filter(({ toolName }) => !isCommandTool(toolName) && !fileVerbs.has(toolName));
  return [
    ...commands.map(({ ruleContent = '' }) => `\`${unescapeCommand(ruleContent)}\``),
    ...named.map(namedWords),
    ...fileWords(rules, commands.length > 0 ? context.folders : []),
  ].join(' and ');
}

const fileVerbs = new Map([
  ['Edit', 'editing'],
  ['Read', 'reading'],
  ['Cd', 'entering'],
]);

/** Paths below one of the `folders` begin there. */
function fileWords(rules: readonly PermissionRuleValue[], folders: readonly string[]): string[] {
  return [...fileVerbs].flatMap(([tool, verb]) => {
    const paths = rules.flatMap(({ toolName, ruleContent }) => {
      if (toolName !== tool) return [];
      const path = (ruleContent ?? '').slice(1).replace(/\\(.)/g, '$1');
      const folder = folders.find((one) => path.startsWith(`${one}/`));
      return [`\`${folder === undefined ? path : path.slice(folder.length + 1)}\``];
    });
    return paths.length === 0 ? [] : [`${verb} ${paths.join(' and ')}`];
  });
}

function namedWords({ toolName, ruleContent }: PermissionRuleValue): string {
  if (ruleContent === undefined) return toolName;
  if (toolName === 'Agent') return `the agent \`${ruleContent}\``;
  if (toolName === 'Skill') return `the skill \`${ruleContent.replace(/ \*$/, '')}\``;
  return `${toolName} for \`${ruleContent.replace(/^domain:/, '')}\``;
}

function isCommandTool(tool: string): boolean {
  return tool === 'Bash' || tool === 'PowerShell';
}

/** Everything that starts as the commands of the line do; those that no prefix stands for, word for word. */
function prefixOffers(
  call: PermissionCall,
  lines: CommandLines,
  context: PermissionContext,
  allows: RuleTrial,
): Offer[] {
  const [target] = call.targets;
  const line = target?.kind === 'command' ? lines.get(target.command) : undefined;
  if (line?.shell !== 'Bash' || !line.parsed.ok) return [];
  const prefixes = new Set<string>();
  const contents = line.parsed.commands.map((one) => {
    const prefix = prefixRuleFor(one);
    if (prefix === undefined) return escapeCommand(one.text);
    prefixes.add(`${prefix} *`);
    return `${prefix} *`;
  });
  if (prefixes.size === 0) return [];
  const commands = [...new Set(contents)].map((ruleContent) => ({ toolName: commandTool(call.tool), ruleContent }));
  const rules = fewest([...commands, ...fileRules(call, lines, context)], allows);
  if (rules === undefined || rules.length > maxRules) return [];
  const starts = rules.filter(({ ruleContent = '' }) => prefixes.has(ruleContent)).length;
  if (starts === 0) return [];
  if (rules.some(({ ruleContent = '' }) => ruleContent.length > maxShown || ruleContent.includes('\n'))) return [];
  const what = wordsOf(rules, context);
  if (what.length <= maxWords) return [{ what, rules, shortened: false }];
  return [{ what: starts === 1 ? 'commands like this one' : 'commands like these', rules, shortened: true }];
}

/** What answers the question without a rule. */
function otherWays(call: PermissionCall, context: PermissionContext): PermissionSuggestion[] {
  const [target] = call.targets;
  if (target?.kind !== 'file') return [];
  if (target.access === 'write')
    return [
      {
        label: 'Always allow edits in this session',
        updates: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }],
      },
    ];
  const folders = [...new Set([dirname(target.path), dirname(target.realPath)])];
  if (folders.some((folder) => isCriticalPath(folder, context))) return [];
  return [
    {
      label: `Add ${folders.map((one) => `\`${one}\``).join(' and ')} to the folders of this session`,
      updates: [{ type: 'addDirectories', directories: folders, destination: 'session' }],
    },
  ];
}

/** Empty if there is no file to save to. */
function inProject({ what, rules }: Offer, { savesTo }: PermissionContext): PermissionSuggestion[] {
  if (savesTo === undefined) return [];
  const updates: PermissionUpdate[] = [
    { type: 'addRules', behavior: 'allow', rules: [...rules], destination: 'localSettings' },
  ];
  return [
    { label: `Always allow ${what} in this project`, updates, saves: { rules: rules.map(formatRule), file: savesTo } },
  ];
}

function inSession({ what, rules, shortened }: Offer): PermissionSuggestion {
  return {
    label: `Always allow ${what} in this session`,
    updates: [{ type: 'addRules', behavior: 'allow', rules: [...rules], destination: 'session' }],
    ...(shortened ? { saves: { rules: rules.map(formatRule) } } : {}),
  };
}

function withUpdate(context: PermissionContext, update: PermissionUpdate): PermissionContext {
  const { mode, rules, directories } = applyUpdate(
    { mode: context.mode, rules: context.rules, directories: context.folders },
    update,
    context.folders[0] ?? '/',
  );
  return { ...context, mode, rules, folders: [...directories] };
}
