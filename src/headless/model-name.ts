// Which model a run uses: the command line, the resumed session, the settings files, the environment, the default.
import { lastSetting } from '../core/agent/permission-state';
import { demoModelId } from '../core/model/demo/demo-model';
import { resolveModelName } from '../core/model/model-name';
import { defaultModel } from '../core/model/models';
import { type SessionRecord } from '../core/sessions/record';

export interface ModelChoice {
  option: string | undefined;
  demo: boolean;
  /** Of a session that goes on. */
  records: readonly SessionRecord[];
  /** `model` of the settings files. */
  settings: string | undefined;
  environment: Readonly<Record<string, string | undefined>>;
}

export function chooseModel({ option, demo, records, settings, environment }: ModelChoice): string {
  if (demo) return demoModelId;
  return resolveModelName(option ?? lastModel(records) ?? (settings || environment['ANTHROPIC_MODEL'] || defaultModel), environment);
}

function lastModel(records: readonly SessionRecord[]): string | undefined {
  const set = lastSetting(records, 'model');
  const replied = records.findLast((record) => record.type === 'system' && record.subtype === 'reply_end');
  const model = set ?? (replied?.type === 'system' && replied.subtype === 'reply_end' ? replied.model : undefined);
  // What answered in its place answered for that turn.
  const instead = records.findLast((record) => record.type === 'system' && record.subtype === 'model_fallback' && record.to === model);
  const own = set === undefined && instead?.type === 'system' && instead.subtype === 'model_fallback' ? instead.from : model;
  return own === demoModelId || own === '' ? undefined : own;
}
