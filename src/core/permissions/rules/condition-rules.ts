// Rules with a condition on a call's input: `Tool(parameter:value)`, `Agent(Name)`, `Skill(name *)`, `Debug(program:a.js *)`.
import { type PermissionRule, type RuleBehavior } from '../../../shared/permission';
import { commandPattern, escapeCommand, firstWordOf } from './command-pattern';
import { canonicalToolName, isBare, matchesName } from './rule-syntax';
import { selectRules } from './select-rules';
import { bashParameter, coversTool } from './tool-rules';
import { type PermissionCall, type RunName } from './verdict';

/** `unknown`: Deft cannot check the condition for this call. */
type Finding = 'matches' | 'passes' | 'unknown';

/** The first rule whose condition the call's input meets. Allow rules know only names: of agents, of skills, and of what a call runs. */
export function conditionRule(
  behavior: RuleBehavior,
  call: PermissionCall,
  rules: readonly PermissionRule[],
): PermissionRule | undefined {
  if (behavior === 'allow' && call.names !== undefined) return allowingEach(call.names, call.tool, rules);
  if (behavior === 'allow' && call.tool !== 'Agent' && call.tool !== 'Skill') return undefined;
  return conditional(behavior, call.tool, rules).find((rule) => findingOf(rule, call) === 'matches');
}

/** The last of the rules that together allow all of it; undefined where one of the names has none. */
function allowingEach(
  names: readonly RunName[],
  tool: string,
  rules: readonly PermissionRule[],
): PermissionRule | undefined {
  const allowing = conditional('allow', tool, rules);
  const found = names.map((name) => allowing.find(({ value }) => matchesRun(value.ruleContent ?? '', name, 'allow')));
  return found.includes(undefined) ? undefined : found.at(-1);
}

/** Without arguments where it allows, with any where it forbids; `name *` is always with any. */
function matchesRun(content: string, { name, args = '' }: RunName, behavior: RuleBehavior): boolean {
  const pattern = commandPattern(content.trim());
  const matches = (text: string): boolean => pattern.matches(text.replaceAll('\n', ' '));
  return matches(args === '' ? name : `${name} ${args}`) || (behavior !== 'allow' && matches(name));
}

/** A deny or ask rule whose condition nobody can check: it must not be skipped, so the caller asks. */
export function uncheckedRule(call: PermissionCall, rules: readonly PermissionRule[]): PermissionRule | undefined {
  return [...conditional('deny', call.tool, rules), ...conditional('ask', call.tool, rules)].find(
    (rule) => findingOf(rule, call) === 'unknown',
  );
}

function conditional(
  behavior: RuleBehavior,
  tool: string,
  rules: readonly PermissionRule[],
): readonly PermissionRule[] {
  return selectRules(
    rules,
    `${behavior} conditions of ${tool}`,
    (rule) => rule.behavior === behavior && !isBare(rule.value) && coversTool(rule, tool),
  );
}

function findingOf({ value, behavior }: PermissionRule, call: PermissionCall): Finding {
  const name = canonicalToolName(value.toolName);
  const content = value.ruleContent ?? '';
  const has = (kind: 'command' | 'file' | 'url'): boolean => call.targets.some((target) => target.kind === kind);
  if (call.names?.some((one) => matchesRun(content, one, behavior)) === true) return 'matches';
  if (name === 'Agent' || name === 'Skill') return nameFinding(name, content, behavior, call.input);
  // Its conditions are names of tasks, which have colons of their own.
  if (name === 'RunTask') return 'passes';
  // Elsewhere an allow rule needs a command, a path or a domain, which are matched where those are judged.
  if (behavior === 'allow') return 'passes';
  if ((name === 'Bash' || name === 'PowerShell') && has('command') && !bashParameter.test(content)) return 'passes';
  if ((name === 'WebFetch' || name === 'Page') && has('url') && content.startsWith('domain:')) return 'passes';
  const found = parameterFinding(content, call.input);
  // To these a text with a colon is a path first.
  return pathTools.has(name) && found === 'unknown' ? 'passes' : found;
}

const pathTools = new Set(['Read', 'Edit', 'Write', 'Glob', 'NotebookEdit', 'MultiEdit']);
/** Rules about these are written as commands, paths and domains. */
const reserved = new Set(['command', 'file_path', 'path', 'notebook_path', 'url']);

function parameterFinding(content: string, input: unknown): Finding {
  const [, name = '', pattern = ''] = /^([A-Za-z_]\w*):\s*(.*)$/s.exec(content) ?? [];
  if (name === '' || reserved.has(name) || !isRecord(input)) return 'unknown';
  if (!Object.hasOwn(input, name) || input[name] === undefined) return 'passes';
  const value = input[name];
  if (value !== null && !['string', 'number', 'boolean'].includes(typeof value)) return 'unknown';
  return matchesText(pattern, String(value)) ? 'matches' : 'passes';
}

function nameFinding(tool: 'Agent' | 'Skill', content: string, behavior: RuleBehavior, input: unknown): Finding {
  if (!isRecord(input)) return 'unknown';
  const name = given(tool, input);
  if (typeof name !== 'string') return 'unknown';
  const named = tool === 'Agent' ? matchesText(content, name) : matchesSkill(content, name, input['args'], behavior);
  if (named) return 'matches';
  return behavior !== 'allow' && parameterFinding(content, input) === 'matches' ? 'matches' : 'passes';
}

/** What allow rules name to cover what the call runs: just that, with just those arguments. */
export function runContents(names: readonly RunName[]): string[] {
  return names.map(({ name, args = '' }) => escapeCommand(args === '' ? name : `${name} ${args}`));
}

/** What an allow rule names to cover the call: the agent, or the skill and, where it has some, any arguments. */
export function namedByInput(tool: string, input: unknown): string | undefined {
  if (!isRecord(input)) return undefined;
  if (tool === 'Agent') return typeof given('Agent', input) === 'string' ? String(given('Agent', input)) : undefined;
  const skill = tool === 'Skill' ? given('Skill', input) : undefined;
  if (typeof skill !== 'string') return undefined;
  const [name = '', ...rest] = skillText(skill, input['args']).split(' ');
  return name === '' ? undefined : `${escapeCommand(name)}${rest.length === 0 ? '' : ' *'}`;
}

/** Its name, as the model gave it. */
function given(tool: 'Agent' | 'Skill', input: Record<string, unknown>): unknown {
  return tool === 'Agent' ? (input['subagent_type'] ?? defaultAgent) : (input['skill'] ?? input['command']);
}

/** What the Agent tool starts where it is given no name. */
const defaultAgent = 'general-purpose';

/** `name` means no arguments where it allows, any where it forbids; `name *` always any. */
function matchesSkill(content: string, given: string, args: unknown, behavior: RuleBehavior): boolean {
  const text = skillText(given, args);
  const pattern = commandPattern(withoutSlash(content));
  return pattern.matches(text) || (behavior !== 'allow' && pattern.matches(firstWordOf(text)));
}

/** The name and all arguments. */
function skillText(given: string, args: unknown): string {
  const words = withoutSlash(given).split(/\s+/);
  return [...words, ...(typeof args === 'string' && args.trim() !== '' ? [args.trim()] : [])].join(' ');
}

function withoutSlash(text: string): string {
  return text.trim().replace(/^\//, '');
}

function matchesText(pattern: string, text: string): boolean {
  return pattern === text || (pattern.includes('*') && matchesName(pattern, text.replaceAll('\n', ' ')));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
