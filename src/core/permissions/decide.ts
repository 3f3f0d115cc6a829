// The one place that decides whether a call may run: pure, from the call and the session's modes, rules and folders.
import { defined } from '../../shared/defined';
import { type PermissionRule, type RuleBehavior } from '../../shared/permission';
import { withoutSuspendedRules } from './auto/suspended-rules';
import { bashAnswers } from './bash/bash-answers';
import { type CommandLines, readCommands } from './command-lines';
import { fileAnswers } from './files/file-answers';
import { refusedParts } from './line-parts';
import { powerShellAnswers } from './power-shell/power-shell-answers';
import { conditionRule, uncheckedRule } from './rules/condition-rules';
import { isDocumentation } from './rules/documentation-hosts';
import { isLocalAddress } from './rules/local-addresses';
import { allowingDomainRule, restrictingDomainRule } from './rules/domain-rules';
import { allow, ask, byRule, deny, type Judgment, notPlain, strictest } from './rules/judgment';
import { type Answers, climb, under } from './rules/ladder';
import { unasked } from './rules/refusal';
import { shortened } from './rules/rule-syntax';
import { bareRule, bareRuleOfCall, bashCalls } from './rules/tool-rules';
import {
  type PermissionCall,
  type PermissionContext,
  type PermissionTarget,
  type PermissionVerdict,
} from './rules/verdict';
import { offersFor } from './suggestions';

/** Each target climbs the ladder under its tool; where a call has several, the strictest verdict holds. */
export function decide(
  call: PermissionCall,
  context: PermissionContext,
  lines: CommandLines = readCommands(call),
): PermissionVerdict {
  const judgment = judge(call, context, lines);
  if (judgment.behavior === 'allow') return { ...judgment, suggestions: [] };
  const { recorder: _silent, ...quiet } = context;
  if (judgment.code === 'untrusted') return { ...judgment, suggestions: [] };
  const parts = refusedParts(call, context, lines, (part, its) => judge(part, quiet, its).behavior === 'allow');
  if (judgment.behavior === 'deny') return { ...judgment, ...defined({ parts }), suggestions: [] };
  const allowedIn = (tried: PermissionContext): boolean => judge(call, tried, lines).behavior === 'allow';
  return unasked({ ...judgment, ...defined({ parts }), ...offersFor(call, context, { lines, allowedIn }) }, context);
}

/** The verdict alone, which explain() hears the steps of; a question stays one, also where nobody is asked. */
export function judge(
  call: PermissionCall,
  given: PermissionContext,
  lines: CommandLines = readCommands(call),
): Judgment {
  const context = given.mode === 'auto' ? { ...given, rules: withoutSuspendedRules(given.rules) } : given;
  const tool = toolAnswers(call, context);
  const judgments = call.targets.flatMap((target) => {
    const judgment = judgeTarget(target, tool, { call, lines }, context);
    // Trust is about the call, not about what it touches.
    if (judgment !== undefined && judgment.code !== 'untrusted') context.recorder?.judged(subjectOf(target), judgment);
    return judgment ?? [];
  });
  return strictest(judgments) ?? climb(tool, context);
}

function subjectOf(target: PermissionTarget): string {
  if (target.kind === 'command') return target.command;
  return target.kind === 'url' ? target.url : target.path;
}

function judgeTarget(
  target: PermissionTarget,
  tool: Answers,
  { call, lines }: { call: PermissionCall; lines: CommandLines },
  context: PermissionContext,
): Judgment | undefined {
  if (target.kind === 'url') return climb(under(tool, addressAnswers(target.url, call, context)), context);
  if (target.kind === 'file') {
    const file = under(tool, fileAnswers(target, context));
    return call.targets.some(({ kind }) => kind === 'command')
      ? judgeLink(target, file, context)
      : climb(file, { ...context, mode: editMode(context) });
  }
  return judgeCommand(target, tool, { call, lines }, context);
}

/** A line as it stands, and as it is with each name of the start-up files replaced: the strictest verdict holds. */
function judgeCommand(
  {
    command,
    cwd,
    doubts = [],
    found: globs = [],
    inOwnRepository = [],
    means = [],
    unclear,
  }: Extract<PermissionTarget, { kind: 'command' }>,
  tool: Answers,
  { call, lines }: { call: PermissionCall; lines: CommandLines },
  context: PermissionContext,
): Judgment {
  const foundByGlobs = new Map(
    globs.map(({ pattern, files }) => [pattern, files.map((file) => ({ ...file, access: 'read' as const }))]),
  );
  const judgeLine = (text: string, found: readonly string[]): Judgment => {
    const line = lines.get(text);
    const answers =
      line === undefined
        ? unknownShellAnswers(text, call)
        : line.shell === 'Bash'
          ? bashAnswers(
              line,
              { cwd, doubts: found, found: foundByGlobs, inOwnRepository, sandboxed: call.sandboxed === true },
              context,
            )
          : powerShellAnswers(line, cwd, context);
    return climb(under(tool, answers), context);
  };
  const replaced = means.map(({ name, text }): Judgment => {
    const judgment = judgeLine(text, []);
    return {
      ...judgment,
      reason: `With \`${name}\` from your shell's startup files it is \`${shortened(text)}\`. ${judgment.reason}`,
    };
  });
  const own = judgeLine(command, doubts);
  return strictest([own, ...replaced, ...(unclear === undefined ? [] : [notPlain(unclear)])]) ?? own;
}

/** What a command names only tightens the verdict on it, and only where the line alone does not show what that is. */
function judgeLink(
  { path, realPath, isHook, goesAlong }: Extract<PermissionTarget, { kind: 'file' }>,
  file: Answers,
  context: PermissionContext,
): Judgment | undefined {
  if (path === realPath && isHook !== true && goesAlong !== true) return undefined;
  const judgment = climb(file, context);
  return judgment.behavior === 'allow' || (judgment.behavior === 'ask' && judgment.code === 'mode')
    ? undefined
    : judgment;
}

/** Edits of the file tools can be reviewed and undone afterwards, so auto mode applies them; what commands write it does not. */
function editMode({ mode, autoDisabled }: PermissionContext): PermissionContext['mode'] {
  return mode === 'auto' && autoDisabled !== true ? 'acceptEdits' : mode;
}

/** The tool as a whole: all that a call without targets is judged by. */
function toolAnswers(call: PermissionCall, context: PermissionContext): Answers {
  const { tool, targets } = call;
  const looks = call.access === 'ReadOnly' || call.readOnly;
  const find = bashCalls.has(tool) && targets.some(({ kind }) => kind === 'command') ? bareRuleOfCall : bareRule;
  const rule = (behavior: RuleBehavior): Judgment | undefined => {
    const found = wholeTool(tool, behavior, context, find) ?? conditioned(behavior, call, context);
    return found && byRule(found);
  };
  return {
    subject: tool,
    looks,
    reads: call.access === 'ReadOnly',
    untrusted: () =>
      !context.trusted &&
      (call.access !== 'ReadOnly' || targets.some((target) => target.kind !== 'file' || target.access === 'write'))
        ? deny(
            'untrusted',
            'This workspace is in Restricted Mode: until the user trusts it, Deft writes and runs nothing.',
          )
        : undefined,
    denied() {
      // A rule that denies all reading also denies editing.
      const writes = targets.some((target) => target.kind === 'file' && target.access === 'write');
      const reading = writes ? wholeTool('Read', 'deny', context) : undefined;
      return rule('deny') ?? (reading && byRule(reading));
    },
    asked() {
      const unchecked = uncheckedRule(call, context.rules);
      return (
        rule('ask') ??
        (unchecked && {
          ...byRule(unchecked),
          behavior: 'ask',
          reason: `Deft cannot check the condition of a rule. ${byRule(unchecked).reason}`,
        })
      );
    },
    allowed: () => rule('allow'),
    free: () => (call.access === 'ReadOnly' ? allow('read-only', 'It changes nothing.') : undefined),
    rest: () => ask('no-rule', `No rule matches \`${tool}\`.`),
  };
}

/** The rule for the tool as a whole. */
function wholeTool(
  tool: string,
  behavior: RuleBehavior,
  { rules, recorder }: PermissionContext,
  find = bareRule,
): PermissionRule | undefined {
  const found = find(rules, behavior, tool);
  if (found !== undefined) recorder?.looked(behavior, tool, [found], found);
  return found;
}

/** The rule whose condition the input meets. */
function conditioned(
  behavior: RuleBehavior,
  call: PermissionCall,
  { rules, recorder }: PermissionContext,
): PermissionRule | undefined {
  const found = conditionRule(behavior, call, rules);
  if (found !== undefined) recorder?.looked(behavior, call.tool, [found], found);
  return found;
}

function addressAnswers(url: string, { tool, access, readOnly }: PermissionCall, context: PermissionContext): Answers {
  const { rules, recorder } = context;
  const restricted = (behavior: 'deny' | 'ask'): Judgment | undefined => {
    const rule = restrictingDomainRule(behavior, tool, url, rules, recorder);
    return rule && byRule(rule);
  };
  return {
    subject: url,
    looks: access === 'ReadOnly' || readOnly,
    reads: false,
    denied: () => restricted('deny'),
    asked: () => restricted('ask'),
    allowed() {
      const rule = allowingDomainRule(tool, url, rules, recorder);
      return rule && byRule(rule);
    },
    free() {
      if (tool === 'WebFetch' && isDocumentation(url))
        return allow('documentation', 'It is well-known public documentation.');
      return tool === 'Page' && isLocalAddress(url) ? allow('local-address', 'It is on this machine.') : undefined;
    },
    rest: () => ask('no-rule', `No rule matches \`${url}\`.`),
  };
}

/** A command in a language that Deft does not read: it asks about each, whatever rule allows the tool. */
function unknownShellAnswers(command: string, { tool }: PermissionCall): Answers {
  const question = ask('unparsed-command', `Deft does not read commands of ${tool}.`);
  return {
    subject: command,
    looks: false,
    reads: false,
    denied: () => undefined,
    asked: () => undefined,
    unclear: () => question,
    rest: () => question,
  };
}
