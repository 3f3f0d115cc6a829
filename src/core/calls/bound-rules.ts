// Rules that bind one agent in addition to those of its session, kept in its own log: they still hold when it continues after a restart.
import { type PermissionRule } from '../../shared/permission';
import { type RecordContent } from '../events/record-writer';
import { type SessionRecord } from '../ports/record';

/** Only what denies: to start an agent widens nothing. */
export function binding(rules: readonly PermissionRule[]): PermissionRule[] {
  return rules.filter(({ behavior }) => behavior === 'deny');
}

export function boundRecord(rule: PermissionRule): RecordContent {
  return {
    type: 'system',
    subtype: 'permission_update',
    update: { type: 'addRules', behavior: 'deny', destination: 'session', rules: [rule.value], binds: rule },
  };
}

export function boundRules(records: readonly SessionRecord[]): PermissionRule[] {
  return records.flatMap((record) => {
    if (record.type !== 'system' || record.subtype !== 'permission_update') return [];
    const { binds } = record.update as { binds?: PermissionRule };
    return binds === undefined ? [] : binding([binds]);
  });
}
