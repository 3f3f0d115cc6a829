// What the rules, the tool itself and a hook say about a call, weighed against each other: the strictest answer wins.
import { type PermissionMode } from '../../shared/permission';
import { type BeforeToolOutcome } from '../hooks/tool-hooks';
import { isForClassifier } from '../permissions/auto/for-classifier';
import { decide } from '../permissions/decide';
import { unasked } from '../permissions/rules/refusal';
import { isPackageFile, keepsScripts } from '../permissions/files/steering-files';
import { type PermissionContext, type PermissionTarget, type PermissionVerdict } from '../permissions/rules/verdict';
import { type AnyTool, isFailure, type ToolContext } from '../tool/tool';
import { type Weighed } from './call-decision';
import { asksOfRefused } from './refused-proposals';
import { permissionCall, type ResolvedTargets } from './resolve-targets';
import { type ToolCall } from './tool-call';

/** A call as it asks for permission: parsed, valid, and with what a hook said about it. */
export interface CallRequest {
  call: ToolCall;
  tool: AnyTool;
  input: unknown;
  hook: BeforeToolOutcome;
  context: ToolContext;
}

/** The call as it was weighed first, and how to weigh it again: the tool is asked once; rules, mode and trust are read each time. */
export async function weighCall(
  { tool, input, hook, context }: CallRequest,
  resolved: ResolvedTargets,
  permission: () => PermissionContext,
): Promise<{ weighed: Weighed; weigh: () => Weighed }> {
  const sandboxed = (await tool.runsSandboxed?.(input, context)) === true;
  const asked = permissionCall(tool, input, resolved);
  const targets = await Promise.all(asked.targets.map((target) => withScripts(target, tool, input, context)));
  const call = { ...asked, targets, ...(sandboxed ? { sandboxed } : {}) };
  const judge = (): Pick<Weighed, 'call' | 'context' | 'judged'> => {
    const now = { ...permission(), cwd: resolved.cwd };
    return { call, context: now, judged: decide(call, now, resolved.lines) };
  };
  const first = judge();
  const asks = await tool.checkPermissions(input, context);
  // Calls begin in the order of their reply: where nothing was refused, none waits longer than another.
  const mayRepeat = asks === undefined && context.session.refusedChanges?.isEmpty === false;
  const own = mayRepeat ? await asksOfRefused(tool, input, context) : asks;
  const weigh = (found = judge()): Weighed => ({
    ...found,
    own,
    hook,
    verdict: combine(found.judged, own, hook, found.context.mode),
  });
  return { weighed: weigh(first), weigh: () => weigh() };
}

/** A change of package.json is judged by what it changes, as far as the tool can say so beforehand. */
async function withScripts(
  target: PermissionTarget,
  tool: AnyTool,
  input: unknown,
  context: ToolContext,
): Promise<PermissionTarget> {
  if (target.kind !== 'file' || target.access !== 'write' || !isPackageFile(target.realPath)) return target;
  const preview = await tool.preview?.(input, context);
  if (preview === undefined || isFailure(preview) || preview.proposal === undefined) return target;
  const { proposal } = preview;
  const own = [proposal, ...(proposal.others ?? [])].find(({ path }) => path === target.path);
  // A file that is moved there is new there, and nothing is known of the place that it leaves.
  if (own === undefined || own.movedFrom !== undefined) return target;
  return keepsScripts(own.base?.text, own.text) ? { ...target, keepsScripts: true } : target;
}

/** The strictest answer wins; a hook's allow skips only a question that no rule and no protected path asks for. */
function combine(
  judged: PermissionVerdict,
  own: PermissionVerdict | undefined,
  hook: BeforeToolOutcome,
  mode: PermissionMode,
): PermissionVerdict {
  const verdict = judged.question ?? judged;
  const found = strictestOf(verdict, own, hook);
  if (found === verdict && !asksToo(own, hook)) return judged;
  // What the tool itself offers answers its own question.
  return unasked(found === verdict ? withoutRules(found) : found, { mode });
}

/** The tool itself or a hook asks: no rule answers that. */
function asksToo(own: PermissionVerdict | undefined, hook: BeforeToolOutcome): boolean {
  return own?.behavior === 'ask' || hook.decision === 'ask';
}

function withoutRules({ coveredBy: _unhelpful, ...verdict }: PermissionVerdict): PermissionVerdict {
  return { ...verdict, suggestions: [] };
}

function strictestOf(
  verdict: PermissionVerdict,
  own: PermissionVerdict | undefined,
  hook: BeforeToolOutcome,
): PermissionVerdict {
  if (hook.decision === 'deny')
    return { behavior: 'deny', code: 'rule', reason: hook.reason ?? 'a hook denied this call.', suggestions: [] };
  const asks = [verdict, own].filter((one) => one?.behavior === 'ask');
  // The one that nothing lifts: "always allow" would not change it, so it offers none.
  const strictest =
    [verdict, own].find((one) => one?.behavior === 'deny') ??
    asks.find((one) => one !== undefined && !isLifted(one)) ??
    asks[0] ??
    verdict;
  if (strictest.behavior === 'allow' && hook.decision === 'ask')
    return { behavior: 'ask', code: 'rule', reason: hook.reason ?? 'A hook asks for your decision.', suggestions: [] };
  if (hook.decision === 'allow' && strictest.behavior === 'ask' && isLifted(strictest))
    return { ...strictest, behavior: 'allow' };
  return strictest;
}

/** A question that a rule or a hook may answer before the user is asked. */
export function isLifted({ code }: PermissionVerdict): boolean {
  return ['no-rule', 'unknown-command', 'mode'].includes(code);
}

/** What a hook or the tool itself asks is for the user. */
export function isLeftToClassifier({ call, context, verdict, judged, own, hook }: Weighed): boolean {
  return (
    verdict === judged && own?.behavior !== 'ask' && hook.decision !== 'ask' && isForClassifier(call, context, verdict)
  );
}
