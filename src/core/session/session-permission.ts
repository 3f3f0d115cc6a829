// What a session may do now: its mode and grants, the turn's own rules, and who answers for the user in auto mode.
import { type PermissionMode, type PermissionUpdate } from '../../shared/permission';
import { createAutoMode } from '../calls/auto-mode';
import { createPastDecisions } from '../calls/past-decisions';
import { createPermissionState, type PermissionState, withTurnRules } from '../calls/permission-state';
import { type RecordWriter } from '../events/record-writer';
import { type SessionPermission } from '../feature/session-parts';
import { type SessionSettings } from '../feature/session-settings';
import { type PermissionContext } from '../permissions/rules/verdict';
import { type Ports } from '../ports/ports';
import { type TurnScope } from '../skills/turn-scope';
import { type ToolSession } from '../tool/tool';
import { type ToolRegistry } from '../tools/registry';
import { type FeatureList } from './feature-list';

/** An agent has that of its own session's starter. */
export function permissionStateOf(settings: SessionSettings, ports: Ports, writer: RecordWriter): PermissionState {
  const { agent, permission, records, emit } = settings;
  return (
    agent?.permission ??
    createPermissionState({
      base: permission.current,
      mode: permission.mode,
      records,
      store: ports.permissionStore,
      applied: (update) => writer.write({ type: 'system', subtype: 'permission_update', update }),
      onProblem: (message) => emit({ type: 'not_saved', message }),
    })
  );
}

export interface SessionPermissionServices {
  settings: SessionSettings;
  ports: Ports;
  features: FeatureList;
  registry: ToolRegistry;
  session: ToolSession;
  writer: RecordWriter;
  state: PermissionState;
  scope: TurnScope;
}

export function createSessionPermission(services: SessionPermissionServices): SessionPermission {
  const { settings, ports, features, registry, session, writer, state, scope } = services;
  const { agent, records } = settings;
  const auto =
    agent?.auto ??
    createAutoMode({
      records,
      small: session.smallModel,
      clock: ports.clock,
      settings: settings.permission.autoRules,
    });
  const now = (): PermissionContext => withTurnRules(state.context(session.cwd), scope.rules);
  const setMode = (wanted: PermissionMode): void => {
    state.setMode(wanted);
    if (wanted === 'auto') auto.chosen();
    writer.write({ type: 'system', subtype: 'setting', name: 'mode', value: wanted });
  };
  return {
    get mode() {
      return state.mode;
    },
    state,
    auto,
    decisions: createPastDecisions({
      records,
      registry,
      session,
      ports,
      permission: now,
      write: (facts) => writer.write(facts),
      // Those that agents have started are among the conversation's.
      ...(agent === undefined ? { agents: () => features.agentDecisions() } : {}),
    }),
    now,
    setMode,
    async applyUpdates(updates: PermissionUpdate[]) {
      const before = state.mode;
      const applied = state.apply(updates);
      if (state.mode !== before) setMode(state.mode);
      await applied;
    },
  };
}
