// What a session is made of, and how its parts hear of each other. The session itself is what the outside may do with them.
import { type PermissionMode, type PermissionUpdate } from '../../shared/permission';
import { hearsNoSkills } from './agent-link';
import { type AutoMode, createAutoMode } from '../calls/auto-mode';
import { boundRecord } from '../calls/bound-rules';
import { createBackgroundCalls, defaultBackgroundMs, type SessionCalls } from '../calls/background-calls';
import { type BackgroundEnds, createBackgroundEnds } from '../features/background/background-ends';
import { markingPrompts } from '../calls/call-checkpoint';
import { withHooks } from '../hooks/with-hooks';
import { createSessionGoal, type SessionGoal } from '../features/goal/session-goal';
import { withFastMode } from '../model/fast-mode';
import { historyEpoch, withPinnedCapabilities } from '../loop/pinned-capabilities';
import { type Effort, type Usage } from '../wire/wire';
import { type BackgroundCommand } from '../ports';
import { type PermissionContext } from '../permissions/rules/verdict';
import { waitingMessages } from '../sessions/waiting-messages';
import { createTurnScope, type TurnScope } from '../skills/turn-scope';
import { createNewsBell } from '../tool/news';
import { type ToolSession } from '../tool/tool';
import { createJudgedTurn, type JudgedTurn } from './judged-turn';
import { createOutbox, type Outbox } from '../session/pending-messages';
import { createMessageDisplay, type MessageDisplay } from '../features/display/message-display';
import { createPastDecisions, type PastDecisions } from '../calls/past-decisions';
import { createPermissionState, lastSetting, type PermissionState, withTurnRules } from '../calls/permission-state';
import { chosenEffort, chosenThinking } from '../session/chosen-effort';
import { type PriceFacts, priceFacts } from '../loop/reply-facts';
import { createRecordWriter, type RecordWriter } from '../events/record-writer';
import { createSessionBudget } from '../features/budget/session-budget';
import { createSessionCompaction, type SessionCompaction } from '../features/compaction/session-compaction';
import { createSessionContext } from '../session/session-context';
import { createSessionFallback, type SessionFallback } from '../features/fallback/session-fallback';
import { createSessionHooks, type SessionHooks } from './session-hooks';
import { withMcp } from './session-mcp';
import { type SessionOptions } from './session-options';
import { createSessionRequests, type SessionRequests } from '../session/session-requests';
import { createSessionSkills, type SessionSkills } from '../features/skills/session-skills';
import { createSessionTurns } from './session-turns';
import { createSideQuestions, type SideQuestions } from '../features/side-questions/side-questions';
import { createSteeringQueue, type SteeringQueue } from '../events/steering-queue';
import { type AgentRun, createSubagentFleet, type SubagentFleet } from '../features/subagents/running-agents';
import { createSubagentRuns, type SessionAgents } from './subagent-runs';
import { takeSeat } from './session-teams';
import { createToolSession } from '../session/tool-session';

export interface SessionParts {
  readonly options: SessionOptions;
  /** As it was last chosen; undefined leaves the effort to the model. */
  chosen: { model: string; effort: Effort | undefined; fast: boolean; thinking: boolean };
  readonly permission: PermissionState;
  /** What a call in this folder is judged by, the turn's own rules included. */
  permissionIn(cwd: string): PermissionContext;
  readonly auto: AutoMode;
  readonly queue: SteeringQueue;
  readonly tools: ToolSession;
  readonly news: ReturnType<typeof createNewsBell>;
  readonly writer: RecordWriter;
  /** What skills change for the turn that runs. */
  readonly scope: TurnScope;
  readonly skills: SessionSkills | undefined;
  readonly requests: SessionRequests;
  readonly outbox: Outbox;
  readonly backgroundEnds: BackgroundEnds;
  /** Undefined in agents, which wait for every call. */
  readonly calls: SessionCalls | undefined;
  readonly decisions: PastDecisions;
  readonly compaction: SessionCompaction;
  readonly hooks: SessionHooks;
  readonly display: MessageDisplay;
  /** Undefined for agents, which have their task. */
  readonly goal: SessionGoal | undefined;
  readonly aside: SideQuestions;
  readonly agents: SessionAgents | undefined;
  readonly fleet: SubagentFleet | undefined;
  readonly turn: JudgedTurn;
  readonly fallback: SessionFallback;
  /** Ends the wait before the next try of a request. */
  tryNow(): void;
  setMode(mode: PermissionMode): void;
  applyUpdates(updates: PermissionUpdate[]): Promise<void>;
  countUsage(model: string, usage: Usage, whom?: string, facts?: PriceFacts): void;
  remind(text: string): void;
}

/**
 * `begin` makes the session of an agent. Each part stands behind those that it is made with; what it names of later ones it asks when it runs,
 * since hooks, skills, queue and turns hear of each other.
 */
export function createSessionParts(given: SessionOptions, begin: (options: SessionOptions) => AgentRun): SessionParts {
  // What was given, with what this session puts around it.
  const refused = (message: string): void => {
    chosen.fast = false;
    given.emit({ type: 'fast_refused', message });
  };
  const calls = callsOf(given, (command) => backgroundEnds.ended(command));
  const budget =
    given.budget ??
    (given.maxDollars &&
      createSessionBudget({
        ...given.maxDollars,
        ...given,
        write: (value) => void writer.write({ type: 'system', subtype: 'setting', name: 'budget', value }),
      }));
  const options = withMcp({
    ...given,
    environment: { ...given.environment },
    ...(budget === undefined ? {} : { budget }),
    ports: {
      ...given.ports,
      model: withFastMode(
        withPinnedCapabilities(given.ports.model, () => historyEpoch(given.records)),
        refused,
      ),
      ...(calls === undefined ? {} : { terminal: calls.terminal }),
    },
  });
  const { log, records, ports, environment, emit } = options;
  const chosen: SessionParts['chosen'] = {
    model: options.model,
    effort: chosenEffort(records, options.effort),
    fast: lastSetting(records, 'speed') === 'fast',
    thinking: chosenThinking(records, options.thinking),
  };

  // What is written, and what is allowed.
  const writer = createRecordWriter({
    log,
    records,
    clock: ports.clock,
    uuid: ports.uuid,
    version: options.version,
    sidechainOf: options.agent?.sessionId,
    cwd: () => session.cwd,
    gitBranch: () => environment.gitBranch,
    emit: markingPrompts(options.checkpoints, emit),
  });
  const permission =
    options.agent?.permission ??
    createPermissionState({
      base: options.permission,
      mode: options.mode,
      records,
      store: ports.permissionStore,
      applied: (update) => writer.write({ type: 'system', subtype: 'permission_update', update }),
      told: (message) => emit({ type: 'not_saved', message }),
    });
  const mode = (): PermissionMode => permission.mode;
  const scope = createTurnScope();
  const permissionIn = (cwd: string): PermissionContext => withTurnRules(permission.context(cwd), scope.rules);
  const permissionNow = (): PermissionContext => permissionIn(session.cwd);
  const secrets = (): readonly string[] => options.secrets?.() ?? [];
  const countUsage: SessionParts['countUsage'] = (model, usage, whom, facts = priceFacts(model, ports.model)) =>
    void writer.write({
      type: 'system',
      subtype: 'side_usage',
      model,
      usage,
      ...(whom === undefined ? {} : { whom }),
      ...facts,
    });

  // What the model is told beside the conversation.
  const queue = createSteeringQueue();
  waitingMessages(records).forEach((prompt) => queue.add(prompt));
  const outbox = createOutbox({
    records,
    writer,
    queue,
    environment,
    mode,
    isAgent: options.agent !== undefined,
    refuses: (prompt, signal) => hooks.steering(prompt, signal),
    expands: async (prompt, signal) => (skills === undefined ? prompt : skills.expandQueued(prompt, signal)),
  });
  const news = createNewsBell(() => (queue.waiting.length > 0 ? 'message' : outbox.hasReminders ? 'event' : undefined));
  const remind = (text: string): void => {
    outbox.remind(text);
    news.ring();
  };

  // What tools see of the session, and who judges their calls.
  const fleet =
    options.agent?.fleet ??
    (options.agents === undefined ? undefined : createSubagentFleet(options.agents, options.registry));
  const session = createToolSession(options, {
    permission: permissionIn,
    countUsage,
    onNews: news.listen,
    mode,
    refusesTask: (event, task, signal) =>
      hooks.refusesTask(event, task, signal, fleet?.team?.hookFields(options.agent?.id)),
  });
  if (calls !== undefined) session.calls = calls;
  if (fleet !== undefined)
    takeSeat(session, fleet, {
      agentId: options.agent?.id,
      records,
      writer,
      outbox,
      ring: news.ring,
      emit,
      uuid: ports.uuid,
    });
  const auto =
    options.agent?.auto ??
    createAutoMode({ records, small: session.smallModel, clock: ports.clock, settings: options.autoRules });
  const setMode = (wanted: PermissionMode): void => {
    permission.setMode(wanted);
    if (wanted === 'auto') auto.chosen();
    writer.write({ type: 'system', subtype: 'setting', name: 'mode', value: wanted });
  };
  const applyUpdates = async (updates: PermissionUpdate[]): Promise<void> => {
    const before = permission.mode;
    const applied = permission.apply(updates);
    if (permission.mode !== before) setMode(permission.mode);
    await applied;
  };
  const decisions = createPastDecisions({
    records,
    registry: options.registry,
    session,
    ports,
    permission: permissionNow,
    write: (facts) => writer.write(facts),
    // The fleet is one: those that agents have started are in it too.
    ...(options.agent === undefined
      ? { agents: () => fleet?.running().flatMap(({ run }) => run?.decisions ?? []) ?? [] }
      : {}),
  });

  // What people bring: skills, hooks, a goal, notes.
  const skills =
    options.skills &&
    createSessionSkills({
      ...options,
      options: options.skills,
      session,
      scope,
      services: (signal) => turns.services(signal),
      expands: (name, args, typed, signal) => hooks.expansion(name, args, typed, signal),
    });
  if (skills !== undefined) session.skills = skills.tool;
  const skillSources = skills === undefined || hearsNoSkills(options.agent, options.registry) ? [] : [skills.source];
  const hooks = createSessionHooks({
    ...options,
    transcript: log.path,
    session,
    source: options.startSource,
    setup: options.setup,
    effort: () => chosen.effort,
    hooks: withHooks(options.hooks, () => skills?.hooks ?? []),
    ran: (entry) => skills?.hookRan(entry),
    mode,
    permission: permissionNow,
    secrets,
    writer,
    remind,
    nudge: outbox.nudge,
    countUsage,
  });
  const goal =
    options.agent === undefined
      ? createSessionGoal({ records, writer, smallModel: session.smallModel, nudge: (text) => outbox.nudge(text) })
      : undefined;
  const context = createSessionContext(
    [...(options.contextSources ?? []), ...skillSources, ...(goal === undefined ? [] : [goal.source])],
    { records, writer, loaded: (files) => hooks.instructionsLoaded(files) },
  );

  // What is asked of the model.
  const modelNow = (): string => fallback.model ?? scope.model ?? chosen.model;
  const fallback: SessionFallback = createSessionFallback({
    options: options.fallback,
    records,
    writer,
    chosen: () => scope.model ?? chosen.model,
    isVendor: () => ports.model.provider === 'anthropic',
    changed: () => requests.modelChanged(),
  });
  const requests = createSessionRequests(
    { ...options, sessionId: log.id },
    {
      model: modelNow,
      effort: () => scope.effort ?? chosen.effort,
      fast: () => chosen.fast,
      thinking: () => chosen.thinking,
    },
    writer,
  );
  const compaction = createSessionCompaction({
    options,
    session,
    requests,
    writer,
    context,
    model: modelNow,
    mode,
    countUsage,
    hooks: () => hooks,
    nudge: outbox.nudge,
  });
  const aside = createSideQuestions({
    model: ports.model,
    conversation: () => requests.of(records),
    countUsage,
    budget,
    records,
  });

  // What goes on beside a turn.
  /** A teammate that rests is woken by it. */
  const report = (text: string): void => {
    outbox.report(text);
    news.ring();
    if (options.agent !== undefined) fleet?.team?.wake(options.agent.id);
  };
  const backgroundEnds = createBackgroundEnds({
    terminal: ports.terminal,
    log: ports.log,
    records,
    secrets,
    // A teammate rests behind its turn: without a turn for it nobody would read of the end.
    remind: (text) => (options.agent !== undefined && session.team !== undefined ? report(text) : remind(text)),
    write: (facts) => writer.write(facts),
  });
  const agents =
    fleet &&
    createSubagentRuns({
      options,
      session,
      model: () => chosen.model,
      thinking: () => chosen.thinking,
      permission,
      rules: () => permissionNow().rules,
      applyUpdates,
      auto,
      fleet,
      hooksExport: () => hooks.exported,
      event: (...event) => hooks.event(...event),
      mention: remind,
      writer,
      remind: report,
      countUsage,
      begin,
    });
  if (agents !== undefined) session.subagents = agents;

  // The turn.
  const display = createMessageDisplay({
    emit,
    active: () => hooks.displays,
    ask: (text) => hooks.displayed(text),
    write: (shown) => writer.write({ type: 'system', subtype: 'message_display', ...shown }),
  });
  const turns = createSessionTurns({
    options,
    display,
    session,
    writer,
    context,
    hooks,
    goal,
    auto,
    decisions,
    compaction,
    outbox,
    fallback,
    backgroundEnds,
    agents,
    model: modelNow,
    permission: permissionNow,
    applyUpdates,
    setMode,
  });
  const turn = createJudgedTurn({ emit, log: ports.log, writer, context, skills, hooks, outbox, turns });
  if (records.length === 0) for (const rule of options.agent?.bound ?? []) writer.write(boundRecord(rule));

  return {
    ...{
      options,
      chosen,
      permission,
      permissionIn,
      auto,
      queue,
      tools: session,
      news,
      writer,
      scope,
      skills,
      requests,
      outbox,
    },
    ...{
      backgroundEnds,
      calls,
      decisions,
      compaction,
      hooks,
      display,
      goal,
      aside,
      agents,
      fleet,
      turn,
      fallback,
      tryNow: turns.tryNow,
      setMode,
      applyUpdates,
      countUsage,
      remind,
    },
  };
}

function callsOf(
  { agent, ports, resultsDirectory, mcpBackgroundMs = defaultBackgroundMs }: SessionOptions,
  ended: (command: BackgroundCommand) => Promise<unknown>,
): SessionCalls | undefined {
  if (agent !== undefined || ports.mcp === undefined) return undefined;
  return createBackgroundCalls({
    terminal: ports.terminal,
    clock: ports.clock,
    uuid: ports.uuid,
    files: ports.files,
    log: ports.log,
    directory: resultsDirectory,
    afterMs: mcpBackgroundMs,
    ended,
  });
}
