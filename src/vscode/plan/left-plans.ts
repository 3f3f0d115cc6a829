// Plans that wait, on disk: after a reload the same call asks again, with a plan file of its own, and goes on from what the user had made of it.
import { openJsonFolder } from '../review/json-folder';

export interface LeftPlan {
  /** The id of the tool call: the same after a reload. */
  readonly toolUseId: string;
  /** Where the user could change it. */
  readonly file: string;
  /** As the agent wrote it. */
  readonly proposed: string;
  /** As the user has it now, saved or not. */
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly askedAt: number;
  readonly comments: readonly LeftComment[];
}

export interface LeftComment {
  /** Zero-based, both included. */
  readonly start: number;
  readonly end: number;
  readonly words: readonly string[];
}

export interface LeftPlans {
  /** What was left of this call's plan, which is asked for again; undefined where the agent wrote another one. */
  of(toolUseId: string, proposed: string): Promise<LeftPlan | undefined>;
  keep(plan: LeftPlan): Promise<void>;
  forget(toolUseId: string): Promise<void>;
}

/** As long as a proposal is kept. */
const forgottenAfterMs = 3 * 24 * 60 * 60 * 1_000;

export function openLeftPlans(folder: string): LeftPlans {
  const stored = openJsonFolder<LeftPlan>(folder, parseLeftPlan);
  return {
    async of(toolUseId, proposed) {
      const plans = await stored.load();
      const old = plans.filter(({ askedAt }) => Date.now() - askedAt > forgottenAfterMs);
      for (const plan of old) await stored.remove(plan.toolUseId);
      return plans.find((plan) => plan.toolUseId === toolUseId && plan.proposed === proposed && !old.includes(plan));
    },
    keep: (plan) => stored.put(plan.toolUseId, plan),
    forget: (toolUseId) => stored.remove(toolUseId),
  };
}

function parseLeftPlan(value: unknown): LeftPlan | undefined {
  const plan = value as Partial<LeftPlan> | null;
  const texts = [plan?.toolUseId, plan?.file, plan?.proposed, plan?.text];
  const whole =
    texts.every((text) => typeof text === 'string') &&
    typeof plan?.askedAt === 'number' &&
    Array.isArray(plan.comments) &&
    plan.comments.every(isComment);
  return whole ? (plan as LeftPlan) : undefined;
}

function isComment(value: unknown): value is LeftComment {
  const comment = value as Partial<LeftComment> | null;
  return (
    Number.isInteger(comment?.start) &&
    Number.isInteger(comment?.end) &&
    Array.isArray(comment?.words) &&
    comment.words.every((word) => typeof word === 'string')
  );
}
