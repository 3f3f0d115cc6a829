// A source of context that the host supplies, as a feature: memory files, an output style.
import { type ContextSource } from '../../context/context-source';
import { type FeatureFactory } from '../../feature/session-feature';

export function sourceFeature(name: string, source: ContextSource): FeatureFactory {
  return () => ({
    name,
    sources: [source],
    inAgents: ({ definition, tools }) =>
      definition.builtIn?.bare === true ? undefined : sourceFeature(name, source.narrowed?.(tools) ?? source),
  });
}
