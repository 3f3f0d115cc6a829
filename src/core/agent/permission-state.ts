// The session's share of the permission context: mode, rules and folders that were granted while it runs.
import {
  permissionModes,
  type PermissionMode,
  type PermissionRule,
  type PermissionUpdate,
} from '../../shared/permission';
import { type PermissionContext } from '../permissions/verdict';
import { type SessionRecord } from '../sessions/record';

export interface PermissionState {
  readonly mode: PermissionMode;
  apply(updates: PermissionUpdate[]): void;
  setMode(mode: PermissionMode): void;
  /** The host's context with the session's own grants in it. */
  context(cwd: string): PermissionContext;
}

/** `base` is asked at every decision: settings and trust may change while the session runs. */
export function createPermissionState(
  base: () => Omit<PermissionContext, 'mode' | 'cwd'>,
  mode: PermissionMode,
  records: readonly SessionRecord[],
): PermissionState {
  const state = { mode, rules: [] as PermissionRule[], directories: [] as string[] };
  const apply = (updates: PermissionUpdate[]): void => {
    for (const update of updates) {
      if (update.type === 'setMode') state.mode = update.mode;
      else if (update.type === 'addDirectories') state.directories.push(...update.directories);
      else {
        const root = base().folders[0] ?? '/';
        state.rules.push(...update.rules.map((value): PermissionRule => ({ behavior: update.behavior, value, source: 'session', root })));
      }
    }
  };
  // Grants of an earlier run of the same session still hold; its mode is the host's to restore.
  apply(grantsOf(records));
  return {
    get mode() {
      return state.mode;
    },
    apply,
    setMode: (next) => void (state.mode = next),
    context: (cwd) => {
      const host = base();
      return {
        ...host,
        mode: state.mode,
        cwd,
        // The same list where nothing was granted: what decide() has worked out for it still holds.
        rules: state.rules.length === 0 ? host.rules : [...host.rules, ...state.rules],
        folders: [...host.folders, ...state.directories],
      };
    },
  };
}

/** The mode that a resumed session goes on in: plan and bypass are chosen anew each time. */
export function resumedMode(records: readonly SessionRecord[]): PermissionMode | undefined {
  const value = lastSetting(records, 'mode');
  const mode = permissionModes.find((candidate) => candidate === value);
  return mode === 'plan' || mode === 'bypassPermissions' ? undefined : mode;
}

export function lastSetting(records: readonly SessionRecord[], name: 'mode' | 'model' | 'cwd'): string | undefined {
  for (let index = records.length - 1; index >= 0; index--) {
    const record = records[index];
    if (record?.type === 'system' && record.subtype === 'setting' && record.name === name) return record.value;
  }
  return undefined;
}

function grantsOf(records: readonly SessionRecord[]): PermissionUpdate[] {
  return records.flatMap((record) => {
    if (record.type !== 'system' || record.subtype !== 'permission_update') return [];
    const update = record.update as PermissionUpdate;
    return update.type === 'setMode' ? [] : [update];
  });
}
