// What every session has, whatever its features: its log, its permission, what waits for the model, and how requests are made.
import { type SessionCalls } from '../calls/background-calls';
import { markingPrompts } from '../calls/call-checkpoint';
import { lastSetting, withTurnRules } from '../calls/permission-state';
import { createRecordWriter, type RecordWriter } from '../events/record-writer';
import { createSteeringQueue, type SteeringQueue } from '../events/steering-queue';
import { type SessionChoices, type SessionPermission } from '../feature/session-parts';
import { type SessionAccess } from '../feature/session-feature';
import { type SessionSettings } from '../feature/session-settings';
import { countSideUsage } from '../loop/side-usage';
import { type PermissionContext } from '../permissions/rules/verdict';
import { type Ports } from '../ports/ports';
import { waitingMessages } from '../sessions/waiting-messages';
import { createTurnScope, type TurnScope } from '../skills/turn-scope';
import { type SessionTasks } from '../tasks/session-tasks';
import { createArrivalBell, type ArrivalBell } from '../tool/arrivals';
import { type ToolSession } from '../tool/tool';
import { type ToolRegistry } from '../tools/registry';
import { type FeatureList } from './feature-list';
import { createPendingMessages, type PendingMessages } from './pending-messages';
import { createSessionChoices, initiallyChosen } from './session-choices';
import { createSessionContext, type SessionContext } from './session-context';
import { createSessionPermission, permissionStateOf } from './session-permission';
import { callsOf, sessionPorts } from './session-ports';
import { withFeatureTools } from './session-registry';
import { createSessionRequests, type RequestBuilder } from './session-requests';
import { createToolSession } from './tool-session';
import { createToolOffer } from '../tools/tool-offer';
import { type Offers } from '../text/words';

export interface SessionCore {
  readonly settings: SessionSettings;
  readonly ports: Ports;
  readonly features: FeatureList;
  readonly registry: ToolRegistry;
  /** What tools see of the session. */
  readonly session: ToolSession;
  readonly writer: RecordWriter;
  readonly queue: SteeringQueue;
  readonly messages: PendingMessages;
  readonly wakeUp: ArrivalBell;
  readonly permission: SessionPermission;
  readonly scope: TurnScope;
  readonly choices: SessionChoices;
  readonly context: SessionContext;
  readonly requests: RequestBuilder;
  /** Undefined in agents, which wait for every call. */
  readonly calls: SessionCalls | undefined;
  /** That of the next request. */
  model(): string;
  readonly countUsage: SessionAccess['countUsage'];
}

const never = new AbortController().signal;

/** Each part is made of those above it; what features add is asked for when it is needed. */
export function createSessionCore(host: Ports, given: SessionSettings, features: FeatureList): SessionCore {
  const settings = { ...given, place: { ...given.place, environment: { ...given.place.environment } } };
  const { log, records, place, agent } = settings;
  const chosen = initiallyChosen(settings);
  const calls = callsOf(host, settings, features);
  const ports = sessionPorts(host, settings, calls, () => (chosen.fast = false));
  const registry = withFeatureTools(settings.registry, () => features.tools());
  const at = { cwd: lastSetting(records, 'cwd') ?? place.environment.cwd };
  const writer = createRecordWriter({
    log,
    records,
    clock: ports.clock,
    uuid: ports.uuid,
    version: settings.version,
    sidechainOf: agent?.sessionId,
    cwd: () => at.cwd,
    gitBranch: () => place.environment.gitBranch,
    emit: markingPrompts(settings.checkpoints, settings.emit),
  });
  const countUsage: SessionCore['countUsage'] = (...used) => countSideUsage({ writer, ports }, ...used);
  const state = permissionStateOf(settings, ports, writer);
  const scope = createTurnScope();
  const { queue, messages, wakeUp } = waitingParts({
    settings,
    features,
    writer,
    mode: () => state.mode,
    offers: (name) => session.offers?.(name) !== false,
  });
  const model = (): string => features.otherModel?.model ?? scope.model ?? chosen.model;
  const offer = createToolOffer({
    registry,
    ports,
    toolSearch: settings.requests?.toolSearch,
    model,
    skills: () => session.skills,
  });
  const session = createToolSession({
    settings,
    ports,
    offer,
    at,
    permission: (cwd): PermissionContext => withTurnRules(state.context(cwd), scope.rules),
    countUsage,
    onArrival: wakeUp.listen,
    mode: () => state.mode,
    refusesTask: taskRefusals(features),
  });
  if (calls !== undefined) session.calls = calls;
  const permission = createSessionPermission({
    settings,
    ports,
    features,
    registry,
    session,
    writer,
    state,
    scope,
  });
  const context = createSessionContext({
    sources: () => features.sources,
    offers: (name) => session.offers?.(name) !== false,
    records,
    writer,
    onInstructions(files) {
      for (const file of files) void features.event('InstructionsLoaded', () => ({ ...file }), never);
    },
  });
  const requests = createSessionRequests(
    { settings, ports, registry, offer, writer, agents: () => features.offeredAgents() },
    { model, effort: () => scope.effort ?? chosen.effort, fast: () => chosen.fast, thinking: () => chosen.thinking },
  );
  const choices = createSessionChoices(chosen, {
    model: ports.model,
    writer,
    onModelChange: () => requests.modelChanged(),
  });
  return {
    ...{ settings, ports, features, registry, session, writer, queue, messages, wakeUp },
    ...{ permission, scope, choices, context, requests, calls, model, countUsage },
  };
}

/** What waits for the model's next request. */
function waitingParts({
  settings,
  features,
  writer,
  mode,
  offers,
}: Pick<SessionCore, 'settings' | 'features' | 'writer'> & {
  mode: () => SessionPermission['mode'];
  offers: Offers;
}): Pick<SessionCore, 'queue' | 'messages' | 'wakeUp'> {
  const { records, place, agent } = settings;
  const queue = createSteeringQueue();
  waitingMessages(records).forEach((prompt) => queue.add(prompt));
  const messages = createPendingMessages({
    records,
    writer,
    queue,
    environment: place.environment,
    mode,
    offers,
    isAgent: agent !== undefined,
    refuses: (prompt, signal) => features.refusesQueued(prompt, signal),
    expands: (prompt, signal) => features.expandQueued(prompt, signal),
  });
  const wakeUp = createArrivalBell(() =>
    queue.waiting.length > 0 ? 'message' : messages.hasReminders ? 'event' : undefined,
  );
  return { queue, messages, wakeUp };
}

function taskRefusals(features: FeatureList): SessionTasks['refuses'] {
  return async (event, { id, subject, description }, signal, more) => {
    const fields = () => ({ task_id: id, task_subject: subject, task_description: description, ...more });
    return (await features.event(event, fields, signal)).block;
  };
}
