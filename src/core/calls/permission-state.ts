// The session's share of the permission context: mode, rules and folders that were granted while it runs.
import {
  permissionModes,
  type PermissionMode,
  type PermissionRule,
  type PermissionUpdate,
} from '../../shared/permission';
import { applyUpdate, type SessionGrants } from '../permissions/rules/apply-update';
import { formatRule } from '../permissions/rules/rule-syntax';
import { type PermissionContext } from '../permissions/rules/verdict';
import { type PermissionStore } from '../ports/permission-store';
import { waitsForPlan } from '../plan/waiting-plan';
import { systemRecords } from '../sessions/log-index';
import { type SessionRecord, type SettingName } from '../ports/record';

export interface PermissionState {
  readonly mode: PermissionMode;
  /**
   * The one place where updates take effect, whoever made them: a button, a hook. Those of the session hold at once; those
   * for a settings file hold at once too, and from the file as soon as it holds them. What cannot be saved holds for this
   * session, and what an organization forbids does not hold: `onProblem` gets the sentence that says so.
   */
  apply(updates: readonly PermissionUpdate[]): Promise<void>;
  setMode(mode: PermissionMode): void;
  /** The host's context with the session's own grants in it. */
  context(cwd: string): PermissionContext;
}

export interface PermissionStateOptions {
  /** Asked at every decision: settings and trust may change while the session runs. */
  base: () => Omit<PermissionContext, 'mode' | 'cwd'>;
  mode: PermissionMode;
  records: readonly SessionRecord[];
  /** Absent where nothing can be saved: every update is of the session then. */
  store?: PermissionStore | undefined;
  /** What took effect, for the log. */
  applied?: (update: PermissionUpdate) => void;
  /** A sentence for the user. */
  onProblem?: (message: string) => void;
}

/** With rules that hold for the turn of one session alone: its agents, who share its state, have none of them. */
export function withTurnRules(context: PermissionContext, rules: readonly PermissionRule[]): PermissionContext {
  const counting = countingRules(rules, context);
  return counting.length === 0 ? context : { ...context, rules: [...context.rules, ...counting] };
}

/** Where an organization's rules alone may allow, what is granted on the way only forbids. */
function countingRules(
  rules: readonly PermissionRule[],
  { managedRulesOnly }: Pick<PermissionContext, 'managedRulesOnly'>,
): readonly PermissionRule[] {
  return managedRulesOnly === true
    ? rules.filter(({ behavior, source }) => behavior !== 'allow' || source === 'managedSettings')
    : rules;
}

function allowsMore(update: PermissionUpdate): update is Extract<PermissionUpdate, { rules: unknown }> {
  return (update.type === 'addRules' || update.type === 'replaceRules') && update.behavior === 'allow';
}

export function createPermissionState({
  base,
  mode,
  records,
  store,
  applied,
  onProblem,
}: PermissionStateOptions): PermissionState {
  const root = (): string => base().folders[0] ?? '/';
  // Grants of an earlier run of the same session still hold; its mode is the host's to restore.
  let own = grantsOf(records).reduce<SessionGrants>((grants, update) => applyUpdate(grants, update, root()), {
    mode,
    rules: [],
    directories: [],
  });
  /** On their way into a file. */
  const saving = new Set<PermissionUpdate>();
  const all = (): SessionGrants => [...saving].reduce((grants, update) => applyUpdate(grants, update, root()), own);

  const holdInSession = (update: PermissionUpdate): void => {
    const here: PermissionUpdate = { ...update, destination: 'session' };
    own = applyUpdate(own, here, root());
    applied?.(here);
  };
  /** The file is read again by the next session only. */
  const holdMeanwhile = (update: PermissionUpdate): void => {
    own = applyUpdate(own, { ...update, destination: 'session' }, root());
    if (update.type === 'removeRules' || update.type === 'replaceRules' || update.type === 'removeDirectories')
      onProblem?.('A settings file was changed. What was read from it before holds until this session ends.');
  };
  const save = async (update: PermissionUpdate, to: PermissionStore): Promise<void> => {
    // A file's mode is for sessions to come; that the user wants it now is this session's own matter.
    if (update.type === 'setMode') own = { ...own, mode: update.mode };
    if (update.type === 'addRules' || update.type === 'addDirectories') saving.add(update);
    try {
      const outcome = await to.save(update);
      if (outcome.saved) {
        if (outcome.forLater === true) holdMeanwhile(update);
        return applied?.(update);
      }
      // To take something away is no grant that could hold for a session.
      if (!saving.has(update)) return onProblem?.(outcome.message);
      holdInSession(update);
      const what = 'behavior' in update && update.behavior !== 'allow' ? 'The rule' : 'Your permission';
      onProblem?.(`${outcome.message} ${what} holds for this session only.`);
    } finally {
      saving.delete(update);
    }
  };

  /** Nothing would come of it, now or later: it is neither held nor saved, and that is said. */
  const isLocked = (update: PermissionUpdate): boolean => {
    if (base().managedRulesOnly !== true || !allowsMore(update)) return false;
    const named = update.rules.map((one) => `\`${formatRule(one)}\``).join(', ');
    onProblem?.(
      `${named} was not added: only your organization's rules may allow anything here (\`allowManagedPermissionRulesOnly\`).`,
    );
    return true;
  };

  return {
    get mode() {
      return own.mode;
    },
    async apply(updates) {
      const counting = updates.filter((update) => !isLocked(update));
      const saved = counting.map((update) =>
        update.destination === 'session' || store === undefined ? holdInSession(update) : save(update, store),
      );
      await Promise.all(saved);
    },
    setMode: (next) => void (own = { ...own, mode: next }),
    context: (cwd) => {
      const host = base();
      const { rules: granted, directories } = all();
      const rules = countingRules(granted, host);
      return {
        ...host,
        mode: own.mode,
        cwd,
        // The same list where nothing was granted: what decide() has worked out for it still holds.
        rules: rules.length === 0 ? host.rules : [...host.rules, ...rules],
        folders: [...host.folders, ...directories],
      };
    },
  };
}

/** The mode in which a resumed session continues: plan and bypass are chosen anew each time, but a waiting plan still needs acceptance. */
export function resumedMode(records: readonly SessionRecord[]): PermissionMode | undefined {
  const value = lastSetting(records, 'mode');
  const mode = permissionModes.find((candidate) => candidate === value);
  if (mode === 'plan') return waitsForPlan(records) ? mode : undefined;
  return mode === 'bypassPermissions' ? undefined : mode;
}

export function lastSetting(records: readonly SessionRecord[], name: SettingName): string | undefined {
  return systemRecords(records, 'setting').findLast((record) => record.name === name)?.value;
}

/** What went into a file is read from there, or was taken out of it since. */
function grantsOf(records: readonly SessionRecord[]): PermissionUpdate[] {
  const updates = systemRecords(records, 'permission_update').map(({ update }) => update as PermissionUpdate);
  return updates.filter((update) => update.type !== 'setMode' && update.destination === 'session');
}
