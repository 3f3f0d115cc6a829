// One conversation: its log, its settings, and the turns that run in it.
import { type PermissionMode, type PermissionUpdate, type RuleSource } from '../../shared/permission';
import { DeftError } from '../errors';
import { type Usage } from '../model/wire';
import { type PermissionContext } from '../permissions/verdict';
import { type BackgroundCommand, type FileSystem } from '../ports';
import { type SessionRecord } from '../sessions/record';
import { waitingMessages } from '../sessions/waiting-messages';
import { type AgentList } from '../subagents/load-agents';
import { createNewsBell } from '../tools/news';
import { type ToolSession } from '../tools/tool';
import { type BackgroundEnds, createBackgroundEnds } from './background-ends';
import { type AutoMode, createAutoMode } from './auto-mode';
import { markingPrompts } from './call-checkpoint';
import { hearsNoSkills } from './agent-link';
import { createJudgedTurn, type JudgedTurn } from './judged-turn';
import { type TurnEnd } from './loop';
import { createSubagentFleet } from './subagent-fleet';
import { createSubagentRuns, type SessionAgents } from './subagent-runs';
import { createOutbox, type Outbox } from './outbox';
import { createPastDecisions, type PastDecisions } from './past-decisions';
import { createPermissionState, type PermissionState, withTurnRules } from './permission-state';
import { createRecordWriter, type RecordWriter } from './record-writer';
import { type CompactionOutcome, createSessionCompaction, type SessionCompaction } from './session-compaction';
import { createSessionContext, type SessionContext } from './session-context';
import { withMcp } from './session-mcp';
import { createSessionSkills, type SessionSkills } from './session-skills';
import { noSkills, type SkillList } from '../skills/skill';
import { createTurnScope, type TurnScope } from '../skills/turn-scope';
import { withHooks } from '../hooks/with-hooks';
import { createSessionHooks, type EndReason, type SessionHooks } from './session-hooks';
import { type SessionOptions } from './session-options';
import { createSessionRequests, type SessionRequests } from './session-requests';
import { createSteeringQueue, type Prompt, type QueuedPrompt, type SteeringQueue } from './steering-queue';
import { usefulTools } from './session-tools';
import { createSessionTurns, type SessionTurns } from './session-turns';
import { createToolSession } from './tool-session';

export class AgentSession {
  readonly id: string;
  readonly #options: SessionOptions;
  readonly #writer: RecordWriter;
  readonly #permission: PermissionState;
  readonly #auto: AutoMode;
  readonly #queue: SteeringQueue;
  readonly #tools: ToolSession;
  readonly #news = createNewsBell(() => (this.waiting.length > 0 ? 'message' : this.#outbox.hasReminders ? 'event' : undefined));
  readonly #backgroundEnds: BackgroundEnds;
  /** Why calls were allowed or refused. */
  readonly decisions: PastDecisions;
  readonly compaction: SessionCompaction;
  readonly #hooks: SessionHooks;
  readonly #outbox: Outbox;
  readonly #requests: SessionRequests;
  readonly #context: SessionContext;
  readonly #turns: SessionTurns;
  readonly #turn: JudgedTurn;
  readonly #agents: SessionAgents | undefined;
  /** What skills change for the turn that runs. */
  readonly #scope: TurnScope = createTurnScope();
  readonly #skills: SessionSkills | undefined;
  #model: string;
  #running = false;
  #caughtUp: Promise<void> | undefined;

  constructor(given: SessionOptions) {
    const options = withMcp(given);
    const { log, records, ports, environment } = options;
    this.id = log.id;
    this.#options = options;
    this.#model = options.model;
    this.#permission = options.agent?.permission ?? createPermissionState({
      base: options.permission,
      mode: options.mode,
      records,
      store: ports.permissionStore,
      applied: (update) => this.#writer.write({ type: 'system', subtype: 'permission_update', update }),
      told: (message) => options.emit({ type: 'not_saved', message }),
    });
    this.#queue = createSteeringQueue();
    waitingMessages(records).forEach((prompt) => this.#queue.add(prompt));
    this.#tools = createToolSession(options, {
      permission: (cwd) => this.#permissionIn(cwd),
      countUsage: (model, usage) => this.countUsage(model, usage),
      onNews: this.#news.listen,
      mode: () => this.mode,
      refusesTask: (event, task, signal) => this.#hooks.refusesTask(event, task, signal),
    });
    this.#auto = options.agent?.auto ?? createAutoMode({ records, small: this.#tools.smallModel, clock: ports.clock });
    this.decisions = createPastDecisions({
      records,
      registry: options.registry,
      session: this.#tools,
      ports,
      permission: () => this.permission,
      write: (facts) => this.#writer.write(facts),
    });
    this.#writer = createRecordWriter({
      log,
      records,
      clock: ports.clock,
      uuid: ports.uuid,
      version: options.version,
      sidechainOf: options.agent?.sessionId,
      cwd: () => this.#tools.cwd,
      gitBranch: () => environment.gitBranch,
      emit: markingPrompts(options.checkpoints, options.emit),
    });
    this.#skills =
      options.skills &&
      createSessionSkills({
        ...options,
        options: options.skills,
        session: this.#tools,
        scope: this.#scope,
        services: (signal) => this.#turns.services(signal),
        expands: (name, args, typed, signal) => this.#hooks.expansion(name, args, typed, signal),
      });
    if (this.#skills !== undefined) this.#tools.skills = this.#skills.tool;
    this.#context = createSessionContext([...(options.contextSources ?? []), ...(this.#skills === undefined || hearsNoSkills(options.agent, options.registry) ? [] : [this.#skills.source])], { records, writer: this.#writer, loaded: (files) => this.#hooks.instructionsLoaded(files) });
    this.#requests = createSessionRequests({ ...options, sessionId: log.id }, () => this.#scope.model ?? this.#model, this.#writer, () => this.#scope.effort);
    this.#outbox = createOutbox({
      records,
      writer: this.#writer,
      queue: this.#queue,
      environment,
      mode: () => this.mode,
      isAgent: options.agent !== undefined,
      refuses: (prompt, signal) => this.#hooks.steering(prompt, signal),
      expands: async (prompt, signal) => (this.#skills === undefined ? prompt : this.#skills.expandQueued(prompt, signal)),
    });
    const [session, requests, writer, context] = [this.#tools, this.#requests, this.#writer, this.#context];
    this.compaction = createSessionCompaction({ options, session, requests, writer, context, of: this, hooks: () => this.#hooks, nudge: this.#outbox.nudge });
    this.#backgroundEnds = createBackgroundEnds({
      terminal: ports.terminal,
      log: ports.log,
      records,
      secrets: () => this.secrets,
      remind: (text) => this.remind(text),
      write: (facts) => this.#writer.write(facts),
    });
    this.#hooks = createSessionHooks({
      ...options,
      transcript: log.path,
      session: this.#tools,
      source: options.startSource,
      effort: options.effort,
      hooks: withHooks(options.hooks, () => this.#skills?.hooks ?? []),
      ran: (entry) => this.#skills?.hookRan(entry),
      mode: () => this.mode,
      permission: () => this.permission,
      secrets: () => this.secrets,
      writer: this.#writer,
      remind: (text) => this.remind(text),
      nudge: this.#outbox.nudge,
      countUsage: (model, usage) => this.countUsage(model, usage),
    });
    this.#agents = this.#createAgents(options);
    if (this.#agents !== undefined) this.#tools.subagents = this.#agents;
    this.#turns = createSessionTurns({
      options,
      session,
      writer,
      context,
      hooks: this.#hooks,
      auto: this.#auto,
      decisions: this.decisions,
      compaction: this.compaction,
      outbox: this.#outbox,
      backgroundEnds: this.#backgroundEnds,
      agents: this.#agents,
      permission: () => this.permission,
      applyUpdates: (updates) => this.#applyUpdates(updates),
      setMode: (mode) => this.setMode(mode),
    });
    const { emit } = options;
    this.#turn = createJudgedTurn({ emit, log: ports.log, writer, context, skills: this.#skills, hooks: this.#hooks, outbox: this.#outbox, turns: this.#turns });
  }

  get model(): string {
    return this.#model;
  }

  get mode(): PermissionMode {
    return this.#permission.mode;
  }

  get running(): boolean {
    return this.#running;
  }

  get waiting(): readonly QueuedPrompt[] {
    return this.#queue.waiting;
  }

  get records(): readonly SessionRecord[] {
    return this.#options.records;
  }

  /** All that it may call now, loaded or not. */
  get toolNames(): string[] {
    return usefulTools(this.#options.registry.all(), this.#options.ports.mcp).map(({ name }) => name);
  }

  /** What the next call is judged by. */
  get permission(): PermissionContext {
    return this.#permissionIn(this.#tools.cwd);
  }

  get checkpoints(): SessionOptions['checkpoints'] {
    return this.#options.checkpoints;
  }

  get files(): FileSystem {
    return this.#options.ports.files;
  }

  /** Where the session stands: folders, what was read, what is hidden. */
  get surroundings(): Readonly<ToolSession> {
    return this.#tools;
  }

  /** Credentials that nothing may hold which goes to the model or the chat. */
  get secrets(): readonly string[] {
    return this.#options.secrets?.() ?? [];
  }

  /** Makes the tools' schemas ahead of the first request. */
  async prepare(): Promise<void> {
    await this.#requests.prepare();
  }

  /** Skills and commands that can be used now; none where the host has none. */
  skills(): Promise<SkillList> {
    return this.#skills?.tool.list() ?? Promise.resolve(noSkills);
  }

  /** Runs one turn to its end; without a prompt it goes on where the log ends. Rejects only where another turn runs. */
  async run(prompt: Prompt | undefined, signal: AbortSignal): Promise<TurnEnd> {
    return this.#alone(async () => {
      const { clock } = this.#options.ports;
      const before = clock.now();
      this.#tools.sandbox?.tellIfMissing((reason) => this.#options.emit({ type: 'sandbox_missing', reason }));
      await this.catchUp();
      if (prompt === undefined) this.#outbox.deliverReminders();
      const end = await this.#turn(prompt, signal);
      const durationMs = clock.now() - before;
      this.#writer.write({ type: 'system', subtype: 'turn_end', ...end, durationMs });
      this.#hooks.afterTurn(end);
      return end;
    });
  }

  /** Replaces what was said so far by a summary. Rejects only where a turn runs. */
  compact(focus: string, signal: AbortSignal): Promise<CompactionOutcome> {
    return this.#alone(() => this.compaction.byHand(focus, signal));
  }

  async #alone<Outcome>(job: () => Promise<Outcome>): Promise<Outcome> {
    if (this.#running) throw new DeftError('session-busy', 'A turn is running in this session already.');
    this.#running = true;
    try {
      return await job();
    } finally {
      this.#running = false;
      this.#scope.clear();
      this.#outbox.deliverAdditions();
      await this.#writer.sync();
      this.#options.emit({ type: 'turn_idle' });
    }
  }

  /** Waits for the next tool results of the running turn. */
  steer(prompt: Prompt): string {
    const id = this.#options.ports.uuid();
    this.#queue.add({ ...prompt, id });
    this.#writer.write({ type: 'queue-operation', operation: 'enqueue', messageId: id, ...prompt });
    this.#news.ring();
    return id;
  }

  /** Undefined where the message has reached the model already. */
  takeBack(id: string): QueuedPrompt | undefined {
    const prompt = this.#queue.takeBack(id);
    if (prompt !== undefined) this.#writer.write({ type: 'queue-operation', operation: 'remove', messageId: id });
    return prompt;
  }

  /** Once after it was opened: tells what became of commands in the background meanwhile. */
  catchUp(): Promise<void> {
    this.#caughtUp ??= this.#backgroundEnds.catchUp().then(() => this.#agents?.catchUp());
    return this.#caughtUp;
  }

  /** Goes to the model with the next request, marked as Deft's own. */
  remind(text: string): void {
    this.#outbox.remind(text);
    this.#news.ring();
  }

  /** Tells the model with its next request, and the chat now. False where another session started the command. */
  async backgroundEnded(command: BackgroundCommand): Promise<boolean> {
    return (await this.#backgroundEnds.ended(command)) || (await this.#agents?.backgroundEnded(command)) === true;
  }

  /** The agents that can be started, and what is wrong with the files of others; undefined where none can. */
  async agentList(): Promise<AgentList | undefined> {
    return this.#options.agents?.list();
  }

  /** The person ends an agent or a command in the background. */
  async stopTask(id: string): Promise<boolean> {
    return (await this.#agents?.stop(id, 'person')) === true || this.#options.ports.terminal.stop(id, 'person');
  }

  /** Waits until no agent runs. True where one of them has reported what no request has told the model yet: a turn without a prompt does. */
  async agentsEnded(signal: AbortSignal): Promise<boolean> {
    await this.#agents?.allEnded(signal);
    return this.owesReport;
  }

  get owesReport(): boolean {
    return this.#outbox.owesReport;
  }

  /** Stops them, ahead of what they use. */
  async stopAgents(): Promise<void> {
    await this.#agents?.close();
  }

  /** Tokens of a job beside the conversation: they belong to the session's cost. */
  countUsage(model: string, usage: Usage): void {
    this.#writer.write({ type: 'system', subtype: 'side_usage', model, usage });
  }

  /** Given by the person, or made by a model. */
  setTitle(title: string, by: 'custom-title' | 'ai-title'): void {
    this.#writer.write({ type: by, title });
  }

  setMode(mode: PermissionMode): void {
    this.#permission.setMode(mode);
    if (mode === 'auto') this.#auto.chosen();
    this.#writer.write({ type: 'system', subtype: 'setting', name: 'mode', value: mode });
  }

  setModel(model: string): void {
    this.#model = model;
    this.#requests.modelChanged();
    this.#writer.write({ type: 'system', subtype: 'setting', name: 'model', value: model });
  }

  /** A settings file has changed. False where a hook keeps the change from this session. */
  configChanged(source: RuleSource, file: string): Promise<boolean> {
    return this.#hooks.configChanged(source, file);
  }

  async close(reason: EndReason = 'other'): Promise<void> {
    await this.#agents?.close();
    await this.#hooks.close(reason);
    await Promise.all([this.#options.ports.repl?.end(this.id), this.#options.checkpoints?.close()]);
    await this.#options.log.close();
  }

  #permissionIn(cwd: string): PermissionContext {
    return withTurnRules(this.#permission.context(cwd), this.#scope.rules);
  }

  #createAgents(options: SessionOptions): SessionAgents | undefined {
    const fleet = options.agent?.fleet ?? (options.agents === undefined ? undefined : createSubagentFleet(options.agents, options.registry));
    if (fleet === undefined) return undefined;
    return createSubagentRuns({
      options,
      session: this.#tools,
      model: () => this.#model,
      permission: this.#permission,
      rules: () => this.permission.rules,
      applyUpdates: (updates) => this.#applyUpdates(updates),
      auto: this.#auto,
      fleet,
      hooksExport: () => this.#hooks.exported,
      writer: this.#writer,
      remind: (text) => {
        this.#outbox.report(text);
        this.#news.ring();
      },
      countUsage: (model, usage) => this.countUsage(model, usage),
      begin: (own) => new AgentSession(own),
    });
  }

  async #applyUpdates(updates: PermissionUpdate[]): Promise<void> {
    const before = this.mode;
    const applied = this.#permission.apply(updates);
    if (this.mode !== before) this.setMode(this.mode);
    await applied;
  }
}
