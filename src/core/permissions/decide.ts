// The one place that decides whether a call may run: pure, from the call and the session's modes, rules and folders.
import { type PermissionRule, type RuleBehavior } from '../../shared/permission';
import { type PermissionCall, type PermissionContext, type PermissionTarget, type PermissionVerdict } from './rules/verdict';
import { withoutBroadRules } from './auto/suspended-rules';
import { conditionRule, uncheckedRule } from './rules/condition-rules';
import { brokenSettingsReason } from './broken-settings';
import { judgeCommand } from './decide-command';
import { judgePowerShell } from './decide-power-shell';
import { judgeFile, permitFile, restrictFile } from './decide-file';
import { allowingDomainRule, restrictingDomainRule } from './rules/domain-rules';
import { allow, ask, byRule, deny, type Judgement, planReason, strictest } from './judgement';
import { isDocumentation } from './rules/documentation-hosts';
import { unasked } from './rules/refusal';
import { bareRule } from './rules/tool-rules';
import { suggestionsFor } from './suggestions';

/**
 * In order: an untrusted workspace, deny rules, ask rules, critical and protected paths, the mode, allow rules, what is
 * free by itself (reading in the workspace, commands that only read, well-known documentation); whatever is left asks. Where a call has several
 * targets the strictest verdict holds. File targets beside a command are what its paths resolve to: they only tighten.
 */
export function decide(call: PermissionCall, context: PermissionContext): PermissionVerdict {
  const judgement = judge(call, context);
  const asks = judgement.behavior === 'ask' && context.mode !== 'dontAsk';
  return unasked(
    { ...judgement, suggestions: asks ? suggestionsFor(call, context, judgement, judge) : [] },
    context.mode,
  );
}

/** The verdict alone, which explain() hears the steps of; a question stays one, also where nobody is asked. */
export function judge(call: PermissionCall, context: PermissionContext): Judgement {
  return judgeCall(call, context.mode === 'auto' ? { ...context, rules: withoutBroadRules(context.rules) } : context);
}

function judgeCall(call: PermissionCall, context: PermissionContext): Judgement {
  if (
    !context.trusted &&
    (call.access !== 'ReadOnly' || call.targets.some((target) => target.kind !== 'file' || target.access === 'write'))
  ) {
    return deny(
      'untrusted',
      'This workspace is in Restricted Mode: until the person trusts it, nothing is written and nothing runs.',
    );
  }
  const denied = bareDeny(call, context) ?? conditioned('deny', call, context);
  if (denied !== undefined) return byRule(denied);
  const toolRule = wholeTool(call.tool, 'allow', context);
  const targets = call.targets.flatMap((target) => {
    const judgement = judgeTarget(target, call, context, toolRule);
    if (judgement !== undefined) context.recorder?.judged(subjectOf(target), judgement);
    return judgement ?? [];
  });
  const forbidden = targets.find(({ behavior }) => behavior === 'deny');
  if (forbidden !== undefined) return forbidden;
  if (call.targets.length === 0 && context.mode === 'plan' && !looks(call)) return deny('mode', planReason);
  const asked = wholeTool(call.tool, 'ask', context) ?? conditioned('ask', call, context);
  if (asked !== undefined) return byRule(asked);
  const unchecked = uncheckedRule(call, context.rules);
  if (unchecked !== undefined) {
    return {
      ...byRule(unchecked),
      behavior: 'ask',
      reason: `Deft cannot check the condition of a rule. ${byRule(unchecked).reason}`,
    };
  }
  return strictest(targets) ?? judgeUntargeted(call, context, toolRule ?? conditioned('allow', call, context));
}

/** Who may not read anything may not edit anything. */
function bareDeny(call: PermissionCall, context: PermissionContext): PermissionRule | undefined {
  const own = wholeTool(call.tool, 'deny', context);
  const writes = call.targets.some((target) => target.kind === 'file' && target.access === 'write');
  return own ?? (writes ? wholeTool('Read', 'deny', context) : undefined);
}

/** The rule for the tool as a whole. */
function wholeTool(
  tool: string,
  behavior: RuleBehavior,
  { rules, recorder }: PermissionContext,
): PermissionRule | undefined {
  const found = bareRule(rules, behavior, tool);
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

function subjectOf(target: PermissionTarget): string {
  if (target.kind === 'command') return target.command;
  return target.kind === 'url' ? target.url : target.path;
}

function judgeTarget(
  target: PermissionTarget,
  call: PermissionCall,
  context: PermissionContext,
  toolRule: PermissionRule | undefined,
): Judgement | undefined {
  if (target.kind === 'url') return judgeUrl(target.url, call, context, toolRule);
  if (target.kind === 'command') {
    if (call.tool === 'PowerShell') return judgePowerShell(target, context, toolRule);
    return call.tool === 'Bash'
      ? judgeCommand(target, context, toolRule, call.sandboxed)
      : judgeForeignCommand(call, context);
  }
  const besideCommand = call.targets.some(({ kind }) => kind === 'command');
  if (!besideCommand) return judgeFile(target, { ...context, mode: editMode(context) }, toolRule);
  if (target.path === target.realPath) return undefined;
  return (
    restrictFile(target, context) ?? tighten(permitFile(target, { ...context, mode: elsewhereMode(context) }, toolRule))
  );
}

/** A link that leads out of the workspace asks, whatever the command's own verdict was. */
function tighten(judgement: Judgement): Judgement | undefined {
  return judgement.code === 'outside-workspace' ? judgement : undefined;
}

/** Edits of the file tools can be reviewed and undone afterwards, so auto mode applies them; what commands write it does not. */
function editMode({ mode, autoDisabled }: PermissionContext): PermissionContext['mode'] {
  return mode === 'auto' && autoDisabled !== true ? 'acceptEdits' : mode;
}

/** Only where the path lies counts for links of a command; bypass stays bypass. */
function elsewhereMode({ mode }: PermissionContext): PermissionContext['mode'] {
  return mode === 'bypassPermissions' ? mode : 'default';
}

/** A shell whose language Deft does not parse. */
function judgeForeignCommand(call: PermissionCall, context: PermissionContext): Judgement {
  if (context.mode === 'plan') return deny('mode', planReason);
  const broken = brokenSettingsReason(context);
  if (broken !== undefined) return ask('rule', broken);
  if (context.mode === 'bypassPermissions') return allow('mode', 'The mode allows everything.');
  return ask('unparsed-command', `Deft does not read commands of ${call.tool}.`);
}

function judgeUrl(
  url: string,
  call: PermissionCall,
  context: PermissionContext,
  toolRule: PermissionRule | undefined,
): Judgement {
  const denied = restrictingDomainRule('deny', call.tool, url, context.rules, context.recorder);
  if (denied !== undefined) return byRule(denied);
  if (context.mode === 'plan' && !looks(call)) return deny('mode', planReason);
  const asked = restrictingDomainRule('ask', call.tool, url, context.rules, context.recorder);
  if (asked !== undefined) return byRule(asked);
  const broken = brokenSettingsReason(context);
  if (broken !== undefined) return ask('rule', broken);
  if (context.mode === 'bypassPermissions') return allow('mode', 'The mode allows everything.');
  const rule = toolRule ?? allowingDomainRule(call.tool, url, context.rules, context.recorder);
  if (rule !== undefined) return byRule(rule);
  if (call.tool === 'WebFetch' && isDocumentation(url))
    return allow('documentation', 'It is well-known public documentation.');
  return ask('no-rule', `No rule matches \`${url}\`.`);
}

function judgeUntargeted(
  call: PermissionCall,
  context: PermissionContext,
  toolRule: PermissionRule | undefined,
): Judgement {
  if (looks(call) && call.access === 'ReadOnly') return allow('read-only', 'It changes nothing.');
  const broken = brokenSettingsReason(context);
  if (broken !== undefined) return ask('rule', broken);
  if (context.mode === 'bypassPermissions') return allow('mode', 'The mode allows everything.');
  if (toolRule !== undefined) return byRule(toolRule);
  return ask('no-rule', `No rule matches \`${call.tool}\`.`);
}

function looks(call: PermissionCall): boolean {
  return call.access === 'ReadOnly' || call.readOnly;
}
