// What is known of a provider's models: the table, and what its own list has said since.
import { type ModelInfo } from '../ports/model';
import { type CapabilityFacts, capabilitiesOf, type ModelCapabilities, type ProviderId, type ReportedCapabilities } from './capabilities';

export interface KnownModels {
  /** The same object until more is learned of the model. */
  capabilities(model: string): ModelCapabilities;
  learn(models: readonly ModelInfo[]): void;
}

export function createKnownModels(provider: ProviderId, facts: Omit<CapabilityFacts, 'reported'> = {}): KnownModels {
  const reported = new Map<string, ReportedCapabilities>();
  const made = new Map<string, ModelCapabilities>();
  return {
    capabilities(model) {
      const known = made.get(model) ?? capabilitiesOf(provider, model, { ...facts, reported: reported.get(model) });
      made.set(model, known);
      return known;
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
