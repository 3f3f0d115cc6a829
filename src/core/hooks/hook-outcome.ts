// What hooks decided: the outcome of one, and of all that ran for an event.
import { defined } from '../../shared/defined';
import { type PermissionUpdate } from '../../shared/permission';
import { type HookEvent, hookEvents } from '../ports/hook-events';

/** In the order of their weight. */
export const hookDecisions = ['deny', 'defer', 'ask', 'allow'] as const;
export type HookDecision = (typeof hookDecisions)[number];

/** What hooks write for them, wherever they decide. */
export const decisionWords: ReadonlyMap<unknown, HookDecision> = new Map<unknown, HookDecision>([
  ...hookDecisions.map((decision): [string, HookDecision] => [decision, decision]),
  ['approve', 'allow'],
  ['block', 'deny'],
]);

/** Answers a permission question in place of the user. */
export interface PermissionAnswer {
  behavior: 'allow' | 'deny';
  /** The whole input anew. */
  updatedInput?: Record<string, unknown>;
  updates: PermissionUpdate[];
  message?: string;
  interrupt: boolean;
}

/** What the user gets to know of a hook. */
export interface HookReport {
  messages: readonly string[];
  /** What went wrong. */
  problems: readonly string[];
  /** It failed, and its entry says that nothing passes then. */
  failedClosed?: boolean;
  /** Fields of its output that have no effect. */
  unused?: readonly string[];
  /** Whoever follows the hooks does not see what it printed. */
  quiet?: boolean;
}

/** What becomes of a call. */
export interface CallOutcome {
  decision?: HookDecision;
  reason?: string;
  updatedInput?: Record<string, unknown>;
  /** `earlier`: what other hooks of the event put in its place, each instead of the original. */
  updatedOutput?: { value: unknown; earlier?: readonly unknown[] };
  /** The model may not have the output; the reason. */
  withheld?: string;
  permission?: PermissionAnswer;
  /** A denied call may be tried again. */
  retry?: boolean;
}

export interface HookOutcome extends HookReport, CallOutcome {
  /** What the event announces is not to happen; the reason. */
  block?: string;
  /** Everything ends; the reason, which may be empty. */
  stop?: string;
  /** For the model, about what has happened already. */
  feedback: readonly string[];
  context: readonly string[];
  initialUserMessage?: string;
  sessionTitle?: string;
  /** The message about a blocked prompt does not repeat the prompt. */
  hidesPrompt?: boolean;
  watchPaths?: readonly string[];
  /** What the user sees in place of a message's text. */
  displayContent?: string;
  elicitation?: { action: string; content?: unknown };
  /** The folder that a hook has made in place of git's worktree. */
  worktreePath?: string;
}

/** For an event that no hook handles: always this very object. */
export const noOutcome: HookOutcome = Object.freeze({ feedback: [], context: [], messages: [], problems: [] });

/** The strictest decision wins with its reasons; of two changes of one thing the later hook's. */
export function mergeOutcomes(outcomes: readonly HookOutcome[]): HookOutcome {
  const [first] = outcomes;
  if (first === undefined) return noOutcome;
  if (outcomes.length === 1) return first;
  const decision = hookDecisions.find((candidate) => outcomes.some((outcome) => outcome.decision === candidate));
  const reason = joined(outcomes.filter((outcome) => outcome.decision === decision).map((outcome) => outcome.reason));
  const block = joined(outcomes.map((outcome) => outcome.block));
  const stop = joined(outcomes.map((outcome) => outcome.stop));
  const permission =
    outcomes.find((outcome) => outcome.permission?.behavior === 'deny')?.permission ?? last(outcomes, 'permission');
  const merged: HookOutcome = {
    ...Object.fromEntries(
      (
        [
          'updatedInput',
          'retry',
          'initialUserMessage',
          'sessionTitle',
          'displayContent',
          'elicitation',
          'worktreePath',
          'hidesPrompt',
          'withheld',
        ] as const
      ).flatMap((field) => {
        const value = last(outcomes, field);
        return value === undefined ? [] : [[field, value]];
      }),
    ),
    feedback: outcomes.flatMap((outcome) => outcome.feedback),
    context: outcomes.flatMap((outcome) => outcome.context),
    messages: outcomes.flatMap((outcome) => outcome.messages),
    problems: outcomes.flatMap((outcome) => outcome.problems),
  };
  const updated = outcomes.flatMap(({ updatedOutput }) => (updatedOutput === undefined ? [] : [updatedOutput.value]));
  const watchPaths = outcomes.flatMap((outcome) => outcome.watchPaths ?? []);
  return {
    ...merged,
    ...defined({ decision }),
    ...(reason === undefined || reason === '' ? {} : { reason }),
    ...defined({ block, stop, permission }),
    ...(updated.length === 0 ? {} : { updatedOutput: { value: updated.at(-1), earlier: updated.slice(0, -1) } }),
    ...(watchPaths.length === 0 ? {} : { watchPaths }),
  };
}

/** With this decision, unless it has a stricter one. */
export function decided(outcome: HookOutcome, decision: HookDecision, reason: string | undefined): HookOutcome {
  const weight = (one: HookDecision): number => hookDecisions.indexOf(one);
  if (outcome.decision !== undefined && weight(outcome.decision) < weight(decision)) return outcome;
  const why = outcome.decision === decision ? (outcome.reason ?? reason) : reason;
  const { reason: _, ...rest } = outcome;
  return { ...rest, decision, ...defined({ reason: why }) };
}

/** With the event's own way of saying no. */
export function refused(outcome: HookOutcome, event: HookEvent, reason: string): HookOutcome {
  if (event === 'PreToolUse') return { ...outcome, decision: 'deny', reason };
  if (event === 'PermissionRequest')
    return { ...outcome, permission: { behavior: 'deny', interrupt: false, updates: [], message: reason } };
  const { exit2 } = hookEvents[event];
  if (exit2 === 'block') return { ...outcome, block: reason };
  return exit2 === 'feedback' ? { ...outcome, feedback: [...outcome.feedback, reason] } : outcome;
}

/** Something of what it announces does not simply happen. */
export function saysNo({ decision, block, stop, permission, elicitation, feedback }: HookOutcome): boolean {
  return (
    (decision !== undefined && decision !== 'allow') ||
    block !== undefined ||
    stop !== undefined ||
    permission?.behavior === 'deny' ||
    (elicitation !== undefined && elicitation.action !== 'accept') ||
    feedback.length > 0
  );
}

/** The same without what somebody may still allow. */
export function forbids(outcome: HookOutcome): boolean {
  return saysNo(outcome) && (outcome.decision === undefined || outcome.decision === 'deny');
}

/** Without what it allows: a hook that ended with an error allows nothing. */
export function withoutYes(outcome: HookOutcome): HookOutcome {
  const { decision, reason, permission, elicitation, ...rest } = outcome;
  return {
    ...rest,
    ...(decision === 'allow' ? {} : defined({ decision, reason })),
    ...(permission?.behavior === 'allow' ? {} : defined({ permission })),
    ...(elicitation?.action === 'accept' ? {} : defined({ elicitation })),
  };
}

function last<Field extends keyof HookOutcome>(
  outcomes: readonly HookOutcome[],
  field: Field,
): HookOutcome[Field] | undefined {
  return outcomes.findLast((outcome) => outcome[field] !== undefined)?.[field];
}

/** Undefined if there is none at all. */
function joined(texts: readonly (string | undefined)[]): string | undefined {
  const given = texts.filter((text) => text !== undefined);
  return given.length === 0 ? undefined : [...new Set(given)].filter((text) => text !== '').join('\n');
}
