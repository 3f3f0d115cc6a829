// The model that answers in place of the chosen one. Nothing goes to it that the person has not agreed to: by a setting, a flag, or on the card.
import { ModelError } from '../../text/errors';
import { type SessionRecord } from '../../ports/record';
import { type RecordWriter } from '../../events/record-writer';

/** Why the chosen model gives no answer. */
export type FallbackCause = 'overloaded' | 'not_found' | 'refusal';

export interface FallbackOptions {
  /** In the order in which they are asked. */
  models: readonly string[];
  /** The person has agreed to it for refusals too: with a flag, since nobody can be asked. */
  refusals: boolean;
  /** What settings let be used at all; default: every model. */
  mayUse?: (model: string) => boolean;
}

export interface SessionFallback {
  /** For the turn that runs. */
  readonly model: string | undefined;
  /** Goes on with the next model where the person has agreed to that. */
  take(cause: FallbackCause, message: string): boolean;
  /** What the card may offer after that cause. */
  offer(): { offer?: string };
  /** The person takes the offer of the last turn for the next one; `always`: and whenever a model declines in this session. False where nothing is offered. */
  accept(always: boolean): boolean;
  turnOver(): void;
}

export interface FallbackServices {
  options: (() => FallbackOptions) | undefined;
  records: readonly SessionRecord[];
  writer: RecordWriter;
  /** What the session would ask otherwise. */
  chosen: () => string;
  /** Whether the known models of the vendor can be offered. */
  isVendor: () => boolean;
  changed: () => void;
}

/** A failure that another model may not have. */
export function causeOf(error: unknown): FallbackCause | undefined {
  if (!(error instanceof ModelError)) return undefined;
  const { kind, missing } = error.details;
  if (kind === 'overloaded') return 'overloaded';
  return kind === 'not_found' && missing === 'model' ? 'not_found' : undefined;
}

export function createSessionFallback({
  options,
  records,
  writer,
  chosen,
  isVendor,
  changed,
}: FallbackServices): SessionFallback {
  let current: string | undefined;
  /** Models that gave no answer in this turn. */
  let failed = new Set<string>();

  const asked = (): string => current ?? chosen();
  const next = (): string | undefined => {
    const { models = [], mayUse = () => true } = options?.() ?? {};
    const candidates = [...models, ...(isVendor() ? vendorModels : [])];
    return candidates.find(
      (model) => model !== '' && mayUse(model) && model !== chosen() && model !== current && !failed.has(model),
    );
  };
  const isConfigured = (model: string): boolean => options?.().models.includes(model) === true;
  /** The consent was for this model, and for no other that may come up. */
  const always = (to: string): boolean =>
    records.some(
      (record) =>
        record.type === 'system' && record.subtype === 'setting' && record.name === 'fallback' && record.value === to,
    );
  const agreed = (cause: FallbackCause, to: string): boolean => {
    if (cause === 'refusal') return always(to) || (options?.().refusals === true && isConfigured(to));
    return isConfigured(to);
  };
  const use = (to: string, cause: FallbackCause | 'asked', message: string): void => {
    writer.write({ type: 'system', subtype: 'model_fallback', from: asked(), to, cause, message });
    failed.add(asked());
    current = to;
    changed();
  };

  return {
    get model() {
      return current;
    },
    take(cause, message) {
      const to = next();
      if (to === undefined || !agreed(cause, to)) return false;
      use(to, cause, message);
      return true;
    },
    offer() {
      const offer = next();
      return offer === undefined ? {} : { offer };
    },
    accept(wanted) {
      const last = records.findLast((record) => record.type === 'system' && record.subtype === 'turn_end');
      const offered = last?.type === 'system' && last.subtype === 'turn_end' ? last.offer : undefined;
      // Settings may have changed since.
      if (offered === undefined || options?.().mayUse?.(offered) === false) return false;
      if (wanted) writer.write({ type: 'system', subtype: 'setting', name: 'fallback', value: offered });
      use(offered, 'asked', last?.type === 'system' && last.subtype === 'turn_end' ? (last.message ?? '') : '');
      return true;
    },
    turnOver() {
      failed = new Set();
      if (current === undefined) return;
      current = undefined;
      changed();
    },
  };
}

/** Offered where the settings name none: what the vendor recommends for what its newest models decline, and another family. */
const vendorModels = ['claude-opus-4-8', 'claude-sonnet-5'];
