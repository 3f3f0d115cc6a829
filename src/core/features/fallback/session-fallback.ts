// The model that answers in place of the chosen one. Nothing goes to it that the user has not agreed to: by a setting, a flag, or on the card.
import { defined } from '../../../shared/defined';
import { type SessionRecord } from '../../ports/record';
import { type FallbackOptions } from '../../settings/fallback-models';
import { type OtherModel } from '../../feature/session-feature';
import { type FallbackCause } from '../../loop/fallback-cause';
import { type RecordWriter } from '../../events/record-writer';

/** `take` continues with the next model if the user has agreed to that; `offer` is what the card may offer after that cause. */
export interface SessionFallback extends OtherModel {
  /** The user takes the offer of the last turn for the next one; `always`: and whenever a model declines in this session. False where nothing is offered. */
  accept(always: boolean): boolean;
}

export interface FallbackServices {
  options: (() => FallbackOptions) | undefined;
  records: readonly SessionRecord[];
  writer: RecordWriter;
  /** What the session would ask otherwise. */
  chosen: () => string;
  /** Whether the known models of the vendor can be offered. */
  isVendor: () => boolean;
  onChange: () => void;
}

export function createSessionFallback({
  options,
  records,
  writer,
  chosen,
  isVendor,
  onChange,
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
    onChange();
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
      return defined({ offer });
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
    over() {
      failed = new Set();
      if (current === undefined) return;
      current = undefined;
      onChange();
    },
  };
}

/** Offered where the settings name none: what the vendor recommends for what its newest models decline, and another family. */
const vendorModels = ['claude-opus-4-8', 'claude-sonnet-5'];
