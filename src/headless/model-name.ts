// Which model a run uses: the command line, the resumed session, the environment, the default.
import { lastSetting } from '../core/agent/permission-state';
import { demoModelId } from '../core/model/demo/demo-model';
import { defaultModel } from '../core/model/models';
import { type SessionRecord } from '../core/sessions/record';

export interface ModelChoice {
  option: string | undefined;
  demo: boolean;
  /** Of a session that goes on. */
  records: readonly SessionRecord[];
  environment: Readonly<Record<string, string | undefined>>;
}

/** Short names, as people know them; `ANTHROPIC_DEFAULT_OPUS_MODEL` and its like say what they stand for. */
const families: Readonly<Record<string, string>> = {
  opus: 'claude-opus-5',
  sonnet: 'claude-sonnet-5',
  haiku: 'claude-haiku-4-5-20251001',
  fable: 'claude-fable-5',
};

export function chooseModel({ option, demo, records, environment }: ModelChoice): string {
  if (demo) return demoModelId;
  const name = option ?? lastModel(records) ?? (environment['ANTHROPIC_MODEL'] || defaultModel);
  const family = families[name];
  return family === undefined ? name : environment[`ANTHROPIC_DEFAULT_${name.toUpperCase()}_MODEL`] || family;
}

function lastModel(records: readonly SessionRecord[]): string | undefined {
  const set = lastSetting(records, 'model');
  const replied = records.findLast((record) => record.type === 'system' && record.subtype === 'reply_end');
  const model = set ?? (replied?.type === 'system' && replied.subtype === 'reply_end' ? replied.model : undefined);
  return model === demoModelId || model === '' ? undefined : model;
}
