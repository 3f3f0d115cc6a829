// Failures of one model that another model may not have.
import { ModelError } from '../text/errors';

/** Why the chosen model gives no answer. */
export type FallbackCause = 'overloaded' | 'not_found' | 'refusal';

/** A failure that another model may not have. */
export function causeOf(error: unknown): FallbackCause | undefined {
  if (!(error instanceof ModelError)) return undefined;
  const { kind, missing } = error.details;
  if (kind === 'overloaded') return 'overloaded';
  return kind === 'not_found' && missing === 'model' ? 'not_found' : undefined;
}
