// What the log keeps of a decision on a call: who had the last word, and why.
import { defined } from '../../shared/defined';
import { type CallDecision, type Decider } from '../../shared/decision-trace';
import { formatRule } from '../permissions/rules/rule-syntax';
import { type PermissionCall, type PermissionContext, type PermissionVerdict } from '../permissions/rules/verdict';
import { type BeforeToolOutcome } from '../hooks/tool-hooks';

/** What decide() was given: enough to explain it later as it was then. */
export interface WeighedCall {
  call: PermissionCall;
  context: PermissionContext;
}

export interface Weighed extends WeighedCall {
  /** The verdict of decide(), of the tool's own check, and of both with the hook's answer. */
  judged: PermissionVerdict;
  own: PermissionVerdict | undefined;
  hook: BeforeToolOutcome;
  verdict: PermissionVerdict;
}

/** A verdict that nobody was asked about. */
export function unaskedDecision(weighed: Weighed): CallDecision {
  const { verdict, hook } = weighed;
  const by = speakerOf(weighed);
  const behavior = verdict.behavior === 'allow' ? 'allow' : 'deny';
  const reason =
    by === 'hook' ? (hook.reason ?? `A hook ${behavior === 'allow' ? 'allowed' : 'denied'} it.`) : verdict.reason;
  return decisionOf(by, behavior, { ...verdict, reason });
}

/** `verdict` is the one that asked. */
export function userDecision(behavior: CallDecision['behavior'], verdict: PermissionVerdict): CallDecision {
  return decisionOf('user', behavior, verdict);
}

/** A hook that answered for the user. */
export function hookDecision(
  behavior: CallDecision['behavior'],
  verdict: PermissionVerdict,
  reason: string,
): CallDecision {
  return decisionOf('hook', behavior, { ...verdict, reason });
}

/** Deft's own no, where neither a rule nor a user had the word. */
export function refusedDecision(verdict: PermissionVerdict, reason: string): CallDecision {
  return decisionOf('deft', 'deny', { ...verdict, reason });
}

function decisionOf(
  by: Decider,
  behavior: CallDecision['behavior'],
  { code, reason, rule }: PermissionVerdict,
): CallDecision {
  return {
    by,
    behavior,
    code,
    reason,
    ...(rule === undefined || by === 'hook'
      ? {}
      : {
          rule: formatRule(rule.value),
          ruleBehavior: rule.behavior,
          source: rule.source,
          ...defined({ file: rule.file }),
        }),
  };
}

/** `verdict` is the one that asked; the classifier answered it. */
export function classifierDecision(
  behavior: CallDecision['behavior'],
  verdict: PermissionVerdict,
  reason: string,
): CallDecision {
  return decisionOf('classifier', behavior, { ...verdict, reason });
}

function speakerOf({ verdict, judged, own, hook }: Weighed): Decider {
  if (verdict.question !== undefined) return 'mode';
  if (verdict !== judged) return verdict === own ? 'tool' : hook.byUser === true ? 'user' : 'hook';
  if (verdict.rule !== undefined) return 'rule';
  return verdict.code === 'mode' ? 'mode' : 'deft';
}
