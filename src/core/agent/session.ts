// One conversation, as the outside sees it: its settings, its queue, and the turns that run in it one after the other.
import { type PermissionMode, type RuleSource } from '../../shared/permission';
import { DeftError } from '../text/errors';
import { type HookEvent } from '../ports/hook-events';
import { type HookOutcome } from '../hooks/hook-outcome';
import { type SessionGoal } from '../features/goal/session-goal';
import { type ModelCapabilities } from '../model/capabilities';
import { type Effort, type ModelRequest, type Usage } from '../wire/wire';
import { type PermissionContext } from '../permissions/rules/verdict';
import { type BackgroundCommand, type FileSystem } from '../ports';
import { type SessionRecord } from '../ports/record';
import { noSkills, type SkillList } from '../skills/skill';
import { isAgentDenied } from '../subagents/denied-agents';
import { type AgentList } from '../subagents/load-agents';
import { type ToolSession } from '../tool/tool';
import { addFolder, type AddedFolder, folderProblem } from './add-folder';
import { noEffort } from '../session/chosen-effort';
import { managementFor } from '../loop/context-management';
import { type TurnEnd } from './loop';
import { type PastDecisions } from '../calls/past-decisions';
import { type CompactionOutcome, type SessionCompaction } from '../features/compaction/session-compaction';
import { type EndReason } from './session-hooks';
import { redactText } from '../text/redact';
import { type SessionOptions } from './session-options';
import { createSessionParts, type SessionParts } from './session-parts';
import { usefulTools } from '../session/session-tools';
import { type SideQuestions } from '../features/side-questions/side-questions';
import { type Prompt, type QueuedPrompt } from '../events/steering-queue';
import { followFolders } from './workspace-folders';

export class AgentSession {
  readonly id: string;
  readonly #parts: SessionParts;
  #running = false;
  #caughtUp: Promise<void> | undefined;

  constructor(options: SessionOptions) {
    this.id = options.log.id;
    this.#parts = createSessionParts(options, (own) => new AgentSession(own));
  }

  /** The file of its log. */
  get transcript(): string {
    return this.#parts.options.log.path;
  }

  get compaction(): SessionCompaction {
    return this.#parts.compaction;
  }

  /** Why calls were allowed or refused. */
  get decisions(): PastDecisions {
    return this.#parts.decisions;
  }

  get model(): string {
    return this.#parts.chosen.model;
  }

  /** What the model takes at its provider. */
  get can(): ModelCapabilities {
    return this.#parts.options.ports.model.capabilities(this.model);
  }

  /** Undefined leaves it to the model. */
  get effort(): Effort | undefined {
    return this.#parts.chosen.effort;
  }

  /** The person's choice: models that always think go on with it. */
  get thinking(): boolean {
    return this.#parts.chosen.thinking;
  }

  get fast(): boolean {
    return this.#parts.chosen.fast;
  }

  /** Undefined for agents. */
  get goal(): SessionGoal | undefined {
    return this.#parts.goal;
  }

  get aside(): SideQuestions {
    return this.#parts.aside;
  }

  get mode(): PermissionMode {
    return this.#parts.permission.mode;
  }

  get running(): boolean {
    return this.#running;
  }

  get waiting(): readonly QueuedPrompt[] {
    return this.#parts.queue.waiting;
  }

  get records(): readonly SessionRecord[] {
    return this.#parts.options.records;
  }

  /** All that it may call now, loaded or not. */
  get toolNames(): string[] {
    return usefulTools(this.#parts.options.registry.all(), this.#parts.options.ports.mcp).map(({ name }) => name);
  }

  /** What the next call is judged by. */
  get permission(): PermissionContext {
    return this.#parts.permissionIn(this.#parts.tools.cwd);
  }

  get checkpoints(): SessionOptions['checkpoints'] {
    return this.#parts.options.checkpoints;
  }

  get files(): FileSystem {
    return this.#parts.options.ports.files;
  }

  /** Where the session stands: folders, what was read, what is hidden. */
  get surroundings(): Readonly<ToolSession> {
    return this.#parts.tools;
  }

  /** Credentials that nothing may hold which goes to the model or the chat. */
  get secrets(): readonly string[] {
    return this.#parts.options.secrets?.() ?? [];
  }

  /** Makes the tools' schemas ahead of the first request. */
  async prepare(): Promise<void> {
    await this.#parts.requests.prepare();
  }

  /** Skills and commands that can be used now; none where the host has none. */
  skills(): Promise<SkillList> {
    return this.#parts.skills?.tool.list() ?? Promise.resolve(noSkills);
  }

  /** Runs one turn to its end; without a prompt it goes on where the log ends. Rejects only where another turn runs. */
  async run(prompt: Prompt | undefined, signal: AbortSignal): Promise<TurnEnd> {
    return this.#alone(async () => {
      const { clock } = this.#parts.options.ports;
      const before = clock.now();
      // Turns that begin by themselves share the checks of the person's last message.
      if (prompt !== undefined) this.#parts.goal?.begin();
      if (this.#parts.options.agent === undefined) this.#parts.options.budget?.turnBegins();
      this.#parts.tools.sandbox?.tellIfMissing((reason) =>
        this.#parts.options.emit({ type: 'sandbox_missing', reason }),
      );
      await this.catchUp();
      if (prompt === undefined) this.#parts.outbox.deliverReminders();
      const end = await this.#parts.turn(prompt, signal);
      const durationMs = clock.now() - before;
      this.#parts.writer.write({ type: 'system', subtype: 'turn_end', ...end, durationMs });
      this.#parts.hooks.afterTurn(end);
      return end;
    });
  }

  /** Runs the hooks that come before a first turn, and no turn. The sentence of the one that ended all, where one did. */
  setUp(signal: AbortSignal): Promise<string | undefined> {
    return this.#alone(() => this.#parts.hooks.begin(signal));
  }

  /** A feature outside tells of an event: what its hooks add goes to the model with the next request. */
  tellHooks(event: HookEvent, fields: () => Record<string, unknown>, signal: AbortSignal): Promise<HookOutcome> {
    return this.#parts.hooks.event(event, fields, signal);
  }

  /** Replaces what was said so far by a summary. Rejects only where a turn runs. */
  compact(focus: string, signal: AbortSignal): Promise<CompactionOutcome> {
    return this.#alone(() => this.#parts.compaction.byHand(focus, signal));
  }

  async #alone<Outcome>(job: () => Promise<Outcome>): Promise<Outcome> {
    if (this.#running) throw new DeftError('session-busy', 'A turn is running in this session already.');
    this.#running = true;
    try {
      return await job();
    } finally {
      this.#running = false;
      this.#parts.scope.clear();
      this.#parts.outbox.deliverAdditions();
      await this.#parts.display.settled();
      await this.#parts.writer.sync();
      this.#parts.options.emit({ type: 'turn_idle' });
    }
  }

  /** Waits for the next tool results of the running turn. */
  steer(prompt: Prompt): string {
    const id = this.#parts.options.ports.uuid();
    this.#parts.queue.add({ ...prompt, id });
    this.#parts.writer.write({ type: 'queue-operation', operation: 'enqueue', messageId: id, ...prompt });
    this.#parts.news.ring();
    return id;
  }

  /** Undefined where the message has reached the model already. */
  takeBack(id: string): QueuedPrompt | undefined {
    const prompt = this.#parts.queue.takeBack(id);
    if (prompt !== undefined) this.#parts.writer.write({ type: 'queue-operation', operation: 'remove', messageId: id });
    return prompt;
  }

  /** Once after it was opened: tells what became of commands in the background meanwhile. */
  catchUp(): Promise<void> {
    this.#caughtUp ??= this.#parts.backgroundEnds.catchUp().then(() => this.#parts.agents?.catchUp());
    return this.#caughtUp;
  }

  /** Goes to the model with the next request, marked as Deft's own. */
  remind(text: string): void {
    this.#parts.remind(text);
  }

  /** Tells the model with its next request, and the chat now. False where another session started the command. */
  async backgroundEnded(command: BackgroundCommand): Promise<boolean> {
    return (
      (await this.#parts.backgroundEnds.ended(command)) || (await this.#parts.agents?.backgroundEnded(command)) === true
    );
  }

  /** The agents that can be started, and what is wrong with the files of others; undefined where none can. */
  async agentList(): Promise<AgentList | undefined> {
    return this.#parts.options.agents?.list();
  }

  /** Agents that the person may ask for by name. */
  async agentNames(): Promise<string[]> {
    if (!this.toolNames.includes('Agent')) return [];
    return ((await this.agentList())?.agents ?? []).flatMap(({ name }) =>
      isAgentDenied(this.permission.rules, name) ? [] : [name],
    );
  }

  /** The person ends an agent or a command in the background. */
  async stopTask(id: string): Promise<boolean> {
    return (
      (await this.#parts.agents?.stop(id, 'person')) === true || this.#parts.options.ports.terminal.stop(id, 'person')
    );
  }

  /** The end of what a command in the background has printed, without credentials. */
  async taskTail(id: string, maxBytes: number): Promise<string> {
    const output = await this.#parts.options.ports.terminal.output(id, maxBytes);
    return redactText(output?.tail ?? '', this.secrets);
  }

  /** Waits until no agent runs. True where one of them has reported what no request has told the model yet: a turn without a prompt does. */
  async agentsEnded(signal: AbortSignal): Promise<boolean> {
    await this.#parts.agents?.allEnded(signal);
    return this.owesReport;
  }

  get owesReport(): boolean {
    return this.#parts.outbox.owesReport;
  }

  /** Stops them, ahead of what they use. */
  async stopAgents(): Promise<void> {
    await this.#parts.agents?.close();
  }

  /** What the next request would hold, and the tokens at which the conversation is compacted: null for never. */
  async nextRequest(): Promise<{ request: ModelRequest; compactsAt: number | null }> {
    const { options, requests } = this.#parts;
    const off = options.autoCompact?.().enabled === false;
    const request = await requests.of(options.records);
    return { request, compactsAt: off ? null : managementFor(options, request.model).limit };
  }

  get modelClient(): SessionOptions['ports']['model'] {
    return this.#parts.options.ports.model;
  }

  /** Tokens of a job beside the conversation: they belong to the session's cost. */
  countUsage(model: string, usage: Usage): void {
    this.#parts.countUsage(model, usage);
  }

  /** What can be left out is: the person gave no more for this session. */
  get budgetPassed(): boolean {
    return this.#parts.options.budget?.passed() === true;
  }

  /** Given by the person, or made by a model. */
  setTitle(title: string, by: 'custom-title' | 'ai-title'): void {
    this.#parts.writer.write({ type: by, title });
  }

  /** Whoever reads the file afterwards finds what was told so far; where it cannot be saved, log_failed tells. */
  saved(): Promise<void> {
    return this.#parts.writer.sync();
  }

  setMode(mode: PermissionMode): void {
    this.#parts.setMode(mode);
  }

  setModel(model: string): void {
    this.#parts.chosen.model = model;
    this.#parts.requests.modelChanged();
    this.#parts.writer.write({ type: 'system', subtype: 'setting', name: 'model', value: model });
  }

  /** Something of its team waits for the lead's next turn. */
  get teamCalls(): boolean {
    return this.#parts.fleet?.team?.callsLead === true;
  }

  setEffort(effort: Effort | undefined): void {
    this.#parts.chosen.effort = effort;
    this.#parts.writer.write({ type: 'system', subtype: 'setting', name: 'effort', value: effort ?? noEffort });
  }

  /** From the next turn on. */
  setThinking(thinking: boolean): void {
    this.#parts.chosen.thinking = thinking;
    this.#parts.writer.write({ type: 'system', subtype: 'setting', name: 'thinking', value: thinking ? 'on' : 'off' });
  }

  /** The model's higher speed, where it has one. */
  setFast(fast: boolean): void {
    this.#parts.chosen.fast = fast;
    this.#parts.writer.write({ type: 'system', subtype: 'setting', name: 'speed', value: fast ? 'fast' : 'normal' });
  }

  addFolder(path: string, remember: boolean): Promise<AddedFolder> {
    return addFolder(path, remember, { ...this.#parts, files: this.files, permission: () => this.permission });
  }

  /** The workspace has these folders from now on. */
  foldersChanged(folders: readonly string[]): Promise<void> {
    return followFolders(folders, this.#parts);
  }

  /** Why `addFolder` would refuse it; undefined where it would not. */
  folderProblem(path: string): Promise<string | undefined> {
    return folderProblem(path, { files: this.files, permission: () => this.permission });
  }

  /** A settings file has changed. False where a hook keeps the change from this session. */
  configChanged(source: RuleSource, file: string): Promise<boolean> {
    return this.#parts.hooks.configChanged(source, file);
  }

  /** The person does not want to wait for the next try of a request. */
  tryNow(): void {
    this.#parts.tryNow();
  }

  /** The next turn asks the model that the last one's end offered. False where none was. */
  acceptFallback(always: boolean): boolean {
    return !this.#running && this.#parts.fallback.accept(always);
  }

  async close(reason: EndReason = 'other'): Promise<void> {
    await this.#parts.agents?.close();
    await this.#parts.calls?.close();
    await this.#parts.hooks.close(reason);
    await Promise.all([this.#parts.options.ports.repl?.end(this.id), this.#parts.options.checkpoints?.close()]);
    await this.#parts.options.log.close();
  }
}
