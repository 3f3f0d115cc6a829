// Whether a turn may start at all, as a feature: asked before hooks, so that nothing runs where an organization forbids it.
import { type FeatureFactory } from '../../feature/session-feature';

/** `refusal`: why none may start now, as sentences. What the user typed goes back to them. */
export function startFeature(refusal: () => string | undefined): FeatureFactory {
  return () => ({ name: 'start', prompts: { refusesStart: refusal } });
}
