// Another model answers where the chosen one does not, as a feature.
import { provides } from '../../feature/feature-key';
import { type FeatureFactory } from '../../feature/session-feature';
import { type FallbackOptions } from '../../settings/fallback-models';
import { fallback } from './fallback-key';
import { createSessionFallback } from './session-fallback';

/** `options`: models that may answer; asked each time. */
export function fallbackFeature(options: (() => FallbackOptions) | undefined): FeatureFactory {
  return (access) => {
    const { settings, writer, ports, scope, choices, requests } = access;
    const standIn = createSessionFallback({
      options,
      records: settings.records,
      writer,
      chosen: () => scope.model ?? choices.model,
      isVendor: () => ports.model.provider === 'anthropic',
      onChange: () => requests.modelChanged(),
    });
    return {
      // A turn that runs has its model.
      ...provides(fallback, { accept: (always) => !access.running && standIn.accept(always) }),
      otherModel: standIn,
      inAgents: () => fallbackFeature(options),
    };
  };
}
