// What is known of a provider's models: the table, and what its own list has said since.
import { type ModelInfo } from '../ports/model';
import { type CapabilityFacts, capabilitiesOf } from './capabilities';
import { type ModelCapabilities, type ProviderId, type ReportedCapabilities } from '../wire/model-capabilities';

export interface KnownModels {
  /** The same object until more is learned of the model. */
  capabilities(model: string): ModelCapabilities;
  /** For the guard: also what was known before, since a session in mid-conversation still builds by it. The same object until more is learned. */
  letThrough(model: string): ModelCapabilities;
  learn(models: readonly ModelInfo[]): void;
}

export function createKnownModels(provider: ProviderId, facts: Omit<CapabilityFacts, 'reported'> = {}): KnownModels {
  const reported = new Map<string, ReportedCapabilities>();
  const made = new Map<string, ModelCapabilities>();
  const widest = new Map<string, ModelCapabilities>();
  const capabilities = (model: string): ModelCapabilities => {
    const known = made.get(model);
    if (known !== undefined) return known;
    const fresh = capabilitiesOf(provider, model, { ...facts, reported: reported.get(model) });
    made.set(model, fresh);
    const before = widest.get(model);
    widest.set(model, before === undefined ? fresh : either(before, fresh));
    return fresh;
  };
  return {
    capabilities,
    letThrough: (model) => {
      const now = capabilities(model);
      return widest.get(model) ?? now;
    },
    learn(models) {
      for (const { id, reported: said } of models) {
        if (said === undefined || JSON.stringify(reported.get(id)) === JSON.stringify(said)) continue;
        reported.set(id, said);
        made.delete(id);
      }
    },
  };
}

/** What one of the two takes; where they are no yes or no, the later one's word, unless it denies what the earlier one had. */
function either(before: ModelCapabilities, now: ModelCapabilities): ModelCapabilities {
  const switches = Object.fromEntries(
    Object.entries(before).filter(([, value]) => value === true),
  ) as Partial<ModelCapabilities>;
  return {
    ...before,
    ...now,
    ...switches,
    thinking: now.thinking === 'none' ? before.thinking : now.thinking,
    efforts: [...new Set([...now.efforts, ...before.efforts])],
    maxOutputTokens: Math.max(before.maxOutputTokens, now.maxOutputTokens),
  };
}
