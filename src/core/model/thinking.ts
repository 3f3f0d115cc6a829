// What each kind of model is told about thinking, and what of earlier thinking may go along with that.
// Source: the vendor's public pages on thinking, effort, preserved thinking and interleaved thinking (docs/decisions/0043).
import { type ModelCapabilities, type ProviderId } from './capabilities';
import { type Effort, type Thinking } from './wire';

export interface ThinkingChoice {
  on: boolean;
  /** Asks for texts of it where the model sends none by itself. */
  summaries: boolean;
  /** At most so many tokens, where the model takes a budget; 0 is off. */
  limit?: number | undefined;
}

export interface ThinkingPlan {
  thinking?: Thinking;
  betas: string[];
  /** Earlier thinking of the same model goes along. */
  echo: boolean;
  /** No effort above it is taken beside this. */
  maxEffort?: Effort;
}

export interface ThinkingSubject {
  model: string;
  can: ModelCapabilities;
  provider: ProviderId;
  maxTokens: number;
}

export const interleavedThinkingBeta = 'interleaved-thinking-2025-05-14';
export const thinkingBindingBeta = 'thinking-binding-controls-2026-08-01';

export const defaultThinkingBudget = 10_000;
const leastAnswer = 1_024;
/** The API accepts no smaller one. */
const leastBudget = 1_024;

export function planThinking(subject: ThinkingSubject, { on, summaries, limit }: ThinkingChoice): ThinkingPlan {
  const { model, can, maxTokens } = subject;
  const wanted = on && limit !== 0;
  switch (can.thinking) {
    case 'always':
    case 'adaptive': {
      if (!wanted && can.thinking === 'adaptive') return thinkingOff(subject);
      const bound = subject.provider === 'anthropic' && can.betas && bindsThinking(model);
      const thinking: Thinking = { type: 'adaptive', display: summaries ? 'summarized' : 'omitted', ...(bound ? { block_binding: { prefix_mismatch_behavior: 'drop_block' } } : {}) };
      return { thinking, betas: bound ? [thinkingBindingBeta] : [], echo: true };
    }
    case 'budget': {
      const interleaves = takesInterleaving(subject);
      // Between calls it counts for the whole turn, so one reply's limit does not bound it.
      const budget = Math.min(limit ?? defaultThinkingBudget, interleaves ? can.contextWindow - maxTokens : maxTokens - leastAnswer);
      if (!wanted || budget < leastBudget) return thinkingOff(subject);
      return { thinking: { type: 'enabled', budget_tokens: budget }, betas: interleaves ? [interleavedThinkingBeta] : [], echo: true };
    }
    case 'none':
      return thinkingOff(subject);
  }
}

/** As little thinking as the model lets one ask for. */
export function thinkingOff({ model, can }: Pick<ThinkingSubject, 'model' | 'can'>): ThinkingPlan {
  const family = familyOf(model);
  if (can.thinking === 'always' || family === 'opus-5-5') return { betas: [], echo: true };
  // What an unknown model has thought is its own affair: nothing was switched.
  if (can.thinking === 'none') return { betas: [], echo: true };
  if (can.thinking === 'budget') return { betas: [], echo: false };
  // Its notes between calls still come as thinking.
  if (family === 'sonnet-5-5') return { thinking: { type: 'between_tools' }, betas: [], echo: true, maxEffort: 'high' };
  if (optIn.has(family)) return { betas: [], echo: false };
  return { thinking: { type: 'disabled' }, betas: [], echo: false, ...(family === 'sonnet-5' ? {} : { maxEffort: 'high' }) };
}

/** They think only where the request says so. */
const optIn = new Set(['opus-4-6', 'opus-4-7', 'opus-4-8', 'sonnet-4-6']);

/** Elsewhere the header gets requests for other models refused. */
function takesInterleaving({ model, can }: ThinkingSubject): boolean {
  return can.betas && ['opus-4-5', 'sonnet-4-5'].includes(familyOf(model));
}

/** Its thinking counts only behind exactly what stood before it: what has changed there makes it invalid. */
export function bindsThinking(model: string): boolean {
  const [, name = '', major, minor] = /^(\w+)-(\d+)(?:-(\d+))?$/.exec(familyOf(model)) ?? [];
  const version = Number(major) + Number(minor ?? 0) / 100;
  if (name === 'fable' || name === 'mythos') return version >= 5.01;
  return version >= 5.05;
}

/** `opus-4-5` for every way that providers write that model; the id itself where it is none of the vendor's. */
export function familyOf(model: string): string {
  return /(?:opus|sonnet|haiku|fable|mythos)-\d{1,2}(?!\d)(?:-\d{1,2}(?!\d))?/.exec(model)?.[0] ?? model;
}

export function isSameModel(one: string, other: string): boolean {
  return familyOf(one) === familyOf(other);
}

/** The nearest level at or below the wanted one, or the lowest where there is none below; undefined where the model has no levels. */
export function fittingEffort(wanted: Effort, offered: readonly Effort[], most: Effort = 'max'): Effort | undefined {
  const rank = (effort: Effort): number => order.indexOf(effort);
  const allowed = [...offered].sort((one, other) => rank(one) - rank(other)).filter((effort) => rank(effort) <= rank(most));
  return allowed.findLast((effort) => rank(effort) <= rank(wanted)) ?? allowed[0];
}

const order: readonly Effort[] = ['low', 'medium', 'high', 'xhigh', 'max'];
