// One conversation: its log, its settings, and the turns that run in it.
import { type PermissionMode, type PermissionUpdate } from '../../shared/permission';
import { DeftError, messageOf } from '../errors';
import { type ToolHooks } from '../hooks/tool-hooks';
import { smallModel } from '../model/models';
import { defaultRetryPolicy, type RetryPolicy } from '../model/retry-policy';
import { createSmallModel } from '../model/small-model';
import { type Effort, type ToolDefinition, type Usage, type UserBlock } from '../model/wire';
import { hiddenNow } from '../permissions/hidden-paths';
import { type PermissionContext } from '../permissions/verdict';
import { type BackgroundCommand, type FileSystem, type Ports, type SessionLog } from '../ports';
import { callRecord } from '../sessions/call-records';
import { type SessionRecord } from '../sessions/record';
import { waitingMessages } from '../sessions/waiting-messages';
import { searchesFromRecords } from '../sessions/searches-from-records';
import { slimOutput } from '../sessions/slim-output';
import { readStateFromRecords } from '../sessions/read-state-from-records';
import { convertToolsForAPI } from '../tools/convert-tool';
import { todosFromRecords } from '../sessions/todos-from-records';
import { createNewsBell } from '../tools/news';
import { type ToolRegistry } from '../tools/registry';
import { type PromptContext, type ToolSession } from '../tools/tool';
import { type BackgroundEnds, createBackgroundEnds } from './background-ends';
import { type AutoMode, createAutoMode } from './auto-mode';
import { buildRequest, defaultMaxOutputTokens } from './build-request';
import { type Environment, environmentReminder, reminder } from './environment-reminder';
import { executeTool } from './execute-tool';
import { runLoop, type TurnEnd } from './loop';
import { ownCommands } from './own-commands';
import { createPastDecisions, type PastDecisions } from './past-decisions';
import { createPermissionState, lastSetting, type PermissionState } from './permission-state';
import { createRecordWriter, type RecordWriter } from './record-writer';
import { keepResultBudget } from './result-budget';
import { type Emit } from './session-event';
import { createSteeringQueue, type Prompt, type QueuedPrompt, type SteeringQueue } from './steering-queue';
import { StreamingToolExecutor } from './streaming-tool-executor';
import { type ExecutedCall, type ToolCall } from './tool-call';
import systemPrompt from './system-prompt.md';

export interface SessionOptions {
  ports: Ports;
  registry: ToolRegistry;
  log: SessionLog;
  /** What the log holds; the session appends to this array. */
  records: SessionRecord[];
  emit: Emit;
  model: string;
  /** For jobs beside the conversation. */
  smallModel?: string;
  effort?: Effort;
  mode: PermissionMode;
  /** Asked at every decision: settings and trust may change. */
  permission: () => Omit<PermissionContext, 'mode' | 'cwd'>;
  /** Where and on what Deft runs; the first of `folders` is the working directory. */
  environment: Environment;
  home: string;
  resultsDirectory: string;
  version: string;
  /** How long questions to the person wait; asked at each one. */
  questionTimeoutMs?: () => number | undefined;
  hooks?: ToolHooks;
  appendSystemPrompt?: string;
  maxTurns?: number;
  maxOutputTokens?: number;
  retry?: RetryPolicy;
  /** Credentials that no tool result may hold; asked at every result. */
  secrets?: () => readonly string[];
}

export class AgentSession {
  readonly id: string;
  readonly #options: SessionOptions;
  readonly #writer: RecordWriter;
  readonly #permission: PermissionState;
  readonly #auto: AutoMode;
  readonly #queue: SteeringQueue;
  readonly #tools: ToolSession;
  readonly #news = createNewsBell(() => (this.waiting.length > 0 ? 'message' : this.#reminders.length > 0 ? 'event' : undefined));
  readonly #backgroundEnds: BackgroundEnds;
  /** Why calls were allowed or refused. */
  readonly decisions: PastDecisions;
  /** Texts of Deft's own that wait for the next request. */
  #reminders: string[] = [];
  /** What tools and the person added behind results. */
  #additions: UserBlock[] = [];
  #definitions: Promise<ToolDefinition[]> | undefined;
  #model: string;
  /** The mode that the model knows of; unknown in a resumed session, whose log may speak of another one. */
  #toldMode: PermissionMode | undefined;
  #running = false;
  #caughtUp: Promise<void> | undefined;

  constructor(options: SessionOptions) {
    const { log, records, ports, environment, smallModel: small = smallModel } = options;
    this.id = log.id;
    this.#options = options;
    this.#model = options.model;
    this.#permission = createPermissionState(options.permission, options.mode, records);
    this.#toldMode = records.some(({ type }) => type === 'user') ? undefined : 'default';
    this.#queue = createSteeringQueue();
    waitingMessages(records).forEach((prompt) => this.#queue.add(prompt));
    this.#tools = {
      id: log.id,
      cwd: lastSetting(records, 'cwd') ?? environment.cwd,
      folders: environment.folders,
      home: options.home,
      resultsDirectory: options.resultsDirectory,
      readState: readStateFromRecords(records),
      isHidden: hiddenNow(() => this.#permission.context(this.#tools.cwd)),
      todos: () => todosFromRecords(records),
      questionTimeoutMs: () => options.questionTimeoutMs?.(),
      earlierSearches: searchesFromRecords(records),
      smallModel: createSmallModel(small, ports, (usage) => this.countUsage(small, usage)),
      onNews: this.#news.listen,
    };
    this.#auto = createAutoMode({ records, small: this.#tools.smallModel, clock: ports.clock });
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
      cwd: () => this.#tools.cwd,
      gitBranch: () => environment.gitBranch,
      emit: options.emit,
    });
    this.#backgroundEnds = createBackgroundEnds({
      terminal: ports.terminal,
      log: ports.log,
      records,
      secrets: () => this.secrets,
      remind: (text) => this.remind(text),
      write: (facts) => this.#writer.write(facts),
    });
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

  /** What the next call is judged by. */
  get permission(): PermissionContext {
    return this.#permission.context(this.#tools.cwd);
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
    await this.#toolDefinitions();
  }

  /** Runs one turn to its end; without a prompt it goes on where the log ends. Rejects only where another turn runs. */
  async run(prompt: Prompt | undefined, signal: AbortSignal): Promise<TurnEnd> {
    if (this.#running) throw new DeftError('session-busy', 'A turn is running in this session already.');
    this.#running = true;
    const { clock } = this.#options.ports;
    const before = clock.now();
    try {
      await this.catchUp();
      if (prompt === undefined) this.#writeMeta([{ type: 'text', text: reminder('Go on with the task from where it stands.') }]);
      else this.#writePrompt(prompt);
      await this.#writer.sync();
      const end = await this.#loop(signal).catch((error: unknown): TurnEnd => {
        this.#options.ports.log.error('The turn ended unexpectedly', error);
        return { reason: 'error', message: `${messageOf(error)} This is a fault of Deft.` };
      });
      const durationMs = clock.now() - before;
      this.#writer.write({ type: 'system', subtype: 'turn_end', ...end, durationMs });
      return end;
    } finally {
      this.#running = false;
      this.#deliverAdditions();
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
    return (this.#caughtUp ??= this.#backgroundEnds.catchUp());
  }

  /** Goes to the model with the next request, marked as Deft's own. */
  remind(text: string): void {
    this.#reminders.push(text);
    this.#news.ring();
  }

  /** Tells the model with its next request, and the chat now. False where another session started the command. */
  backgroundEnded(command: BackgroundCommand): Promise<boolean> {
    return this.#backgroundEnds.ended(command);
  }

  /** Tokens of a job beside the conversation: they belong to the session's cost. */
  countUsage(model: string, usage: Usage): void {
    this.#writer.write({ type: 'system', subtype: 'side_usage', model, usage });
  }

  setMode(mode: PermissionMode): void {
    this.#permission.setMode(mode);
    if (mode === 'auto') this.#auto.chosen();
    this.#writer.write({ type: 'system', subtype: 'setting', name: 'mode', value: mode });
  }

  setModel(model: string): void {
    this.#model = model;
    this.#definitions = undefined;
    this.#writer.write({ type: 'system', subtype: 'setting', name: 'model', value: model });
  }

  async close(): Promise<void> {
    await this.#options.ports.repl?.end(this.id);
    await this.#options.log.close();
  }

  async #loop(signal: AbortSignal): Promise<TurnEnd> {
    const { ports, emit, maxTurns } = this.#options;
    return runLoop(
      {
        model: ports.model,
        clock: ports.clock,
        writer: this.#writer,
        emit,
        retry: this.#options.retry ?? defaultRetryPolicy,
        request: async (raise) => this.#request(raise),
        executor: () => this.#executor(signal),
        nudge: (text) => this.#writeMeta([{ type: 'text', text: reminder(text) }]),
        deliverQueued: () => this.#deliverQueued(),
        ...(maxTurns === undefined ? {} : { maxTurns }),
      },
      signal,
    );
  }

  async #request(raise: number) {
    const { effort, appendSystemPrompt, maxOutputTokens, records, ports } = this.#options;
    await keepResultBudget(records, { writer: this.#writer, directory: this.#tools.resultsDirectory, files: ports.files });
    return buildRequest(records, {
      model: this.#model,
      ...(effort === undefined ? {} : { effort }),
      system: [systemPrompt.trim(), ...(appendSystemPrompt === undefined ? [] : [appendSystemPrompt])],
      tools: await this.#toolDefinitions(),
      maxOutputTokens: (maxOutputTokens ?? defaultMaxOutputTokens) * 2 ** raise,
      sessionId: this.id,
    });
  }

  #toolDefinitions(): Promise<ToolDefinition[]> {
    // A prompt that failed is asked for again.
    return (this.#definitions ??= this.#convertTools().catch((error: unknown) => {
      this.#definitions = undefined;
      throw error;
    }));
  }

  async #convertTools(): Promise<ToolDefinition[]> {
    const { registry, environment, ports } = this.#options;
    const tools = registry.all();
    const prompt: PromptContext = { toolNames: tools.map(({ name }) => name), platform: environment.platform, shell: environment.shell };
    const { provider } = ports.model;
    return convertToolsForAPI(tools, { prompt, model: this.#model, provider, strictTools: false, warn: (message) => ports.log.warn(message) });
  }

  #executor(signal: AbortSignal): StreamingToolExecutor {
    const { registry, ports, hooks, emit } = this.#options;
    const questions = new AbortController();
    const services = {
      questionSignal: AbortSignal.any([signal, questions.signal]),
      registry,
      ports: { ...ports, terminal: ownCommands(ports.terminal, this.#options.records) },
      hooks,
      emit,
      session: this.#tools,
      permission: () => this.permission,
      applyUpdates: (updates: PermissionUpdate[]) => this.#applyUpdates(updates),
      auto: this.#auto,
      secrets: this.#options.secrets,
      weighed: this.decisions.weighed,
      decided: this.decisions.decided,
      started: async (call: ToolCall, changesSomething: boolean) => {
        this.#writer.write({ type: 'system', subtype: 'tool_started', toolUseId: call.id });
        // After a crash the model must not be told that a call which did run was not run.
        if (changesSomething) await this.#writer.sync();
      },
    };
    return new StreamingToolExecutor({
      registry,
      execute: (call) => executeTool(call, services, signal),
      ended: (call, result) => {
        this.#writeResult(call, result);
        // A rejection without a reason ends the turn: nothing else is asked in it.
        if (result.endsTurn) questions.abort(abortError());
      },
      settled: (_call, result) => this.#settle(result),
    });
  }

  #applyUpdates(updates: PermissionUpdate[]): void {
    const before = this.mode;
    this.#permission.apply(updates);
    for (const update of updates) this.#writer.write({ type: 'system', subtype: 'permission_update', update });
    if (this.mode !== before) this.setMode(this.mode);
  }

  #settle({ change, newMessages }: ExecutedCall): void {
    this.#additions.push(...newMessages);
    if (change?.cwd === undefined || change.cwd === this.#tools.cwd) return;
    this.#tools.cwd = change.cwd;
    this.#writer.write({ type: 'system', subtype: 'setting', name: 'cwd', value: change.cwd });
  }

  #writePrompt(prompt: Prompt): void {
    const texts: string[] = [];
    if (!this.records.some((record) => record.type === 'user')) texts.push(environmentReminder(this.#options.environment));
    if (this.mode !== this.#toldMode) texts.push(reminder(modeText[this.mode]));
    this.#toldMode = this.mode;
    texts.push(...this.#takeReminders());
    if (texts.length > 0) this.#writeMeta(texts.map((text) => ({ type: 'text', text })));
    this.#writer.write({ type: 'user', message: { role: 'user', content: prompt.content }, display: prompt.display });
  }

  #writeResult(call: ToolCall, result: ExecutedCall): void {
    this.#writer.write({
      type: 'user',
      message: { role: 'user', content: [result.block] },
      toolUseResult: slimOutput(result.structured),
      toolState: result.state,
      durationMs: result.durationMs,
      ...this.#sourceOf(call),
    });
    this.#backgroundEnds.resultWritten(call.id);
  }

  #sourceOf(call: ToolCall): { sourceToolAssistantUUID?: string } {
    const source = callRecord(this.#options.records, call.id);
    return source === undefined ? {} : { sourceToolAssistantUUID: source.uuid };
  }

  #deliverQueued(): boolean {
    this.#deliverAdditions();
    const texts = this.#takeReminders();
    if (texts.length > 0) this.#writeMeta(texts.map((text) => ({ type: 'text', text })));
    const waiting = this.#queue.takeAll();
    for (const { id, content, display } of waiting) {
      this.#writer.write({ type: 'queue-operation', operation: 'dequeue', messageId: id });
      this.#writer.write({ type: 'user', message: { role: 'user', content }, display, steering: true });
    }
    return waiting.length > 0;
  }

  #deliverAdditions(): void {
    const additions = this.#additions;
    this.#additions = [];
    if (additions.length > 0) this.#writeMeta(additions);
  }

  #takeReminders(): string[] {
    const texts = this.#reminders.map(reminder);
    this.#reminders = [];
    return texts;
  }

  #writeMeta(content: UserBlock[]): void {
    this.#writer.write({ type: 'user', message: { role: 'user', content }, isMeta: true });
  }
}

function abortError(): Error {
  return Object.assign(new Error('The turn is over.'), { name: 'AbortError' });
}

const modeText: Record<PermissionMode, string> = {
  default: 'The permission mode is now Manual: edits and commands are shown to the person first.',
  acceptEdits: 'The permission mode is now Edit automatically: edits inside the workspace are applied at once and reviewed afterwards.',
  plan: 'The permission mode is now Plan: look only, change nothing, and answer with a plan.',
  auto:
    'The permission mode is now Auto: edits inside the workspace are applied at once, and a reviewer that sees your actions but no results checks the rest. What it blocks, do not try another way: say what was blocked, and why you need it.',
  dontAsk: "The permission mode is now Don't ask: what would need a question is denied. Do not try to get around it; say what was not allowed.",
  bypassPermissions: 'The permission mode is now Bypass permissions: nothing is asked first. Be careful.',
};
