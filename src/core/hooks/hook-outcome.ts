// What hooks decided: the outcome of one, and of all that ran for an event.
import { defined } from '../../shared/defined';
import { type PermissionUpdate } from '../../shared/permission';

/** In the order of their weight. */
export const hookDecisions = ['deny', 'defer', 'ask', 'allow'] as const;
export type HookDecision = (typeof hookDecisions)[number];

/** Answers a permission question in place of the user. */
export interface PermissionAnswer {
  behavior: 'allow' | 'deny';
  /** The whole input anew. */
  updatedInput?: Record<string, unknown>;
  updates: PermissionUpdate[];
  message?: string;
  interrupt: boolean;
}

export interface HookOutcome {
  /** On a call. */
  decision?: HookDecision;
  reason?: string;
  /** What the event announces is not to happen; the reason. */
  block?: string;
  /** Everything ends; the reason, which may be empty. */
  stop?: string;
  /** For the model, about what has happened already. */
  feedback: readonly string[];
  context: readonly string[];
  /** For the user. */
  messages: readonly string[];
  /** For the user: what went wrong with a hook. */
  problems: readonly string[];
  updatedInput?: Record<string, unknown>;
  updatedOutput?: { value: unknown };
  permission?: PermissionAnswer;
  /** A denied call may be tried again. */
  retry?: boolean;
  initialUserMessage?: string;
  sessionTitle?: string;
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
          'updatedOutput',
          'retry',
          'initialUserMessage',
          'sessionTitle',
          'displayContent',
          'elicitation',
          'worktreePath',
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
  const watchPaths = outcomes.flatMap((outcome) => outcome.watchPaths ?? []);
  return {
    ...merged,
    ...defined({ decision }),
    ...(reason === undefined || reason === '' ? {} : { reason }),
    ...defined({ block, stop, permission }),
    ...(watchPaths.length === 0 ? {} : { watchPaths }),
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
