// What each kind of model is sent about thinking, and which earlier thinking may be sent with it.
// Source: the vendor's public pages on thinking, effort, preserved thinking and interleaved thinking (docs/decisions/0042).
import { defined } from '../../shared/defined';
import { interleavedThinkingBeta, thinkingBindingBeta } from './betas';
import { type ModelCapabilities } from '../wire/model-capabilities';
import { modelVersion } from './model-version';
import { type Effort, type Thinking } from '../wire/wire';

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
  /** Earlier thinking of the same model is sent along. */
  echo: boolean;
  /** No effort above it is accepted together with this. */
  maxEffort?: Effort;
}

const defaultThinkingBudget = 10_000;
const leastAnswer = 1_024;
/** The API accepts no smaller one. */
const leastBudget = 1_024;

export function planThinking(
  can: ModelCapabilities,
  maxTokens: number,
  { on, summaries, limit }: ThinkingChoice,
): ThinkingPlan {
  const wanted = on && limit !== 0;
  switch (can.thinking) {
    case 'always':
    case 'adaptive': {
      if (!wanted && can.thinking === 'adaptive') return thinkingOff(can);
      const bound = can.blockBinding;
      const thinking: Thinking = {
        type: 'adaptive',
        display: summaries ? 'summarized' : 'omitted',
        ...(bound ? { block_binding: { prefix_mismatch_behavior: 'drop_block' } } : {}),
      };
      return { thinking, betas: bound ? [thinkingBindingBeta] : [], echo: true };
    }
    case 'budget': {
      const interleaves = can.interleavedThinking;
      // Between calls it counts for the whole turn, so one reply's limit does not bound it.
      const budget = Math.min(
        limit ?? defaultThinkingBudget,
        interleaves ? can.contextWindow - maxTokens : maxTokens - leastAnswer,
      );
      if (!wanted || budget < leastBudget) return thinkingOff(can);
      return {
        thinking: { type: 'enabled', budget_tokens: budget },
        betas: interleaves ? [interleavedThinkingBeta] : [],
        echo: true,
      };
    }
    case 'none':
      return thinkingOff(can);
  }
}

/** As little thinking as the model lets one ask for. */
export function thinkingOff(
  can: Pick<ModelCapabilities, 'thinking' | 'thinkingOff' | 'thinkingOffUpTo' | 'thinkingOnRequest'>,
): ThinkingPlan {
  if (can.thinking === 'budget') return { betas: [], echo: false };
  // What an unknown model has thought is its own affair: nothing was switched. No more was where nothing can be.
  if (can.thinking === 'none' || can.thinking === 'always' || can.thinkingOff === undefined)
    return { betas: [], echo: true };
  if (can.thinkingOnRequest) return { betas: [], echo: false };
  // With `between_tools` its notes between calls still come as thinking.
  return {
    thinking: { type: can.thinkingOff },
    betas: [],
    echo: can.thinkingOff === 'between_tools',
    ...defined({ maxEffort: can.thinkingOffUpTo }),
  };
}

/** `opus 405` for every way that providers write that model; the id itself where it is none of the vendor's. */
function nameOf(model: string): string {
  const known = modelVersion(model);
  return known === undefined ? model : `${known.line} ${known.version}`;
}

export function isSameModel(one: string, other: string): boolean {
  return nameOf(one) === nameOf(other);
}

/** The nearest level at or below the wanted one, or the lowest where there is none below; undefined where the model has no levels. */
export function fittingEffort(wanted: Effort, offered: readonly Effort[], most: Effort = 'max'): Effort | undefined {
  const rank = (effort: Effort): number => order.indexOf(effort);
  const allowed = [...offered]
    .sort((one, other) => rank(one) - rank(other))
    .filter((effort) => rank(effort) <= rank(most));
  return allowed.findLast((effort) => rank(effort) <= rank(wanted)) ?? allowed[0];
}

const order: readonly Effort[] = ['low', 'medium', 'high', 'xhigh', 'max'];
