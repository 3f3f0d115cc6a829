// Which model a run uses: the command line, the resumed session, the settings files, the environment, the default.
import { lastSetting } from '../core/calls/permission-state';
import { DeftError } from '../core/text/errors';
import { allowedModel, refusedModel } from '../core/model/available-models';
import { demoModelId } from '../core/model/demo/demo-model';
import { resolveModelName } from '../core/model/model-name';
import { defaultModel } from '../core/model/models';
import { type SessionRecord } from '../core/ports/record';

export interface ModelChoice {
  option: string | undefined;
  demo: boolean;
  /** Of a session that continues. */
  records: readonly SessionRecord[];
  /** `model` of the settings files. */
  settings: string | undefined;
  /** `availableModels` of the settings files. */
  available?: readonly string[] | undefined;
  environment: Readonly<Record<string, string | undefined>>;
}

/** Throws a DeftError for a model that may not be used: nobody is there to pick another one. */
export function chooseModel({ option, demo, records, settings, available, environment }: ModelChoice): string {
  if (demo) return demoModelId;
  const named = option ?? lastModel(records) ?? (settings || environment['ANTHROPIC_MODEL']);
  if (!named) return allowedModel(defaultModel, available, [], environment);
  const model = resolveModelName(named, environment);
  const refusal = refusedModel(model, available, environment);
  if (refusal !== undefined)
    throw new DeftError('model-not-available', refusal.replace('with /model', 'with --model'), { audience: 'user' });
  return model;
}

function lastModel(records: readonly SessionRecord[]): string | undefined {
  const set = lastSetting(records, 'model');
  const replied = records.findLast((record) => record.type === 'system' && record.subtype === 'reply_end');
  const model = set ?? (replied?.type === 'system' && replied.subtype === 'reply_end' ? replied.model : undefined);
  // What answered in its place answered for that turn.
  const instead = records.findLast(
    (record) => record.type === 'system' && record.subtype === 'model_fallback' && record.to === model,
  );
  const own =
    set === undefined && instead?.type === 'system' && instead.subtype === 'model_fallback' ? instead.from : model;
  return own === demoModelId || own === '' ? undefined : own;
}
