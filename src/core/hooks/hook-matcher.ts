// Which hooks of an event run: names, lists of names, or an expression; and the rule of an `if`.
import { type PermissionRuleValue } from '../../shared/permission';
import { decide } from '../permissions/decide';
import { mayHide } from '../permissions/bash/unread-command';
import { canonicalToolName } from '../permissions/rules/rule-syntax';
import { type PermissionCall, type PermissionContext } from '../permissions/rules/verdict';
import { type HookEntry } from './hook-entry';
import { type HookEvent, hookEvents } from '../ports/hook-events';

type Test = (value: string) => boolean;

/** By entry: an expression is compiled once. */
const tests = new WeakMap<HookEntry, Test>();

/** `value` is what the event has to compare with; undefined where it has nothing. */
export function matches(entry: HookEntry, value: string | undefined): boolean {
  if (value === undefined) return hookEvents[entry.event].matched === undefined || isAll(entry.matcher);
  let test = tests.get(entry);
  if (test === undefined) tests.set(entry, (test = createTest(entry.event, entry.matcher)));
  return test(value);
}

/** A sentence where the matcher is not an expression that can be read. */
export function invalidMatcher(event: HookEvent, matcher: string): string | undefined {
  if (hookEvents[event].exactMatcher || isAll(matcher) || isList(matcher)) return undefined;
  try {
    new RegExp(matcher);
    return undefined;
  } catch {
    return `\`matcher\` ${JSON.stringify(matcher)} is neither a list of names nor a regular expression.`;
  }
}

/** The names that a matcher lists; none where it is an expression or stands for all. */
export function listedNames({ event, matcher }: Pick<HookEntry, 'event' | 'matcher'>): string[] {
  const { exactMatcher } = hookEvents[event];
  if (isAll(matcher) || (!exactMatcher && !isList(matcher))) return [];
  return matcher
    .split(exactMatcher ? '|' : /[|,]/)
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function createTest(event: HookEvent, matcher: string): Test {
  if (isAll(matcher)) return () => true;
  if (hookEvents[event].exactMatcher || isList(matcher)) {
    const names = new Set(
      listedNames({ event, matcher }).flatMap((name) =>
        hookEvents[event].matched === 'tool_name' ? [name, canonicalToolName(name)] : [name],
      ),
    );
    return (value) => names.has(value);
  }
  const expression = new RegExp(matcher);
  return (value) => expression.test(value);
}

function isAll(matcher: string): boolean {
  return matcher.trim() === '' || matcher.trim() === '*';
}

function isList(matcher: string): boolean {
  return /^[A-Za-z0-9_\- ,|]*$/.test(matcher);
}

/**
 * The rule covers the call, as a deny rule would: one command of a line is enough. What the rules cannot read counts as
 * covered: a hook that guards must not be passed by with a line that nobody understands.
 */
export function conditionHolds(
  condition: PermissionRuleValue,
  call: PermissionCall,
  context: PermissionContext,
): boolean {
  const root = context.folders[0] ?? context.cwd;
  const { brokenSettings: _, ...known } = context;
  const verdict = decide(call, {
    ...known,
    mode: 'bypassPermissions',
    trusted: true,
    rules: [{ behavior: 'deny', value: condition, source: 'session', root }],
  });
  const hidden =
    call.tool === 'Bash' &&
    condition.toolName === 'Bash' &&
    call.targets.some((target) => target.kind === 'command' && mayHide(condition.ruleContent ?? '', target.command));
  return (
    hidden ||
    verdict.rule !== undefined ||
    (verdict.code === 'rule' && verdict.behavior === 'ask') ||
    (verdict.code === 'unparsed-command' && condition.toolName === call.tool)
  );
}
