// One chat: a session, its turns, and what the webview is told of them.
import { setImmediate as nextTask } from 'node:timers/promises';
import { type Usage } from '../../core/model/wire';
import { type AgentSession } from '../../core/agent/session';
import { type SessionEvent } from '../../core/agent/session-event';
import { type Prompt } from '../../core/agent/steering-queue';
import { DeftError, messageOf } from '../../core/errors';
import { type ApprovalRequest, type BackgroundCommand } from '../../core/ports';
import { type ForeignSession } from '../../core/interchange/foreign-session';
import { forkEnd, forkRecords, writtenPrompt } from '../../core/sessions/fork-records';
import { type ChatProjection, createChatProjection } from '../../core/sessions/chat-projection';
import { replayInSlices } from '../../core/sessions/replay-slices';
import { type ChatEvent, emptyChat, type NoticeItem } from '../../shared/chat';
import { type HostMessage } from '../../shared/protocol';
import { type PermissionMode, type RuleSource } from '../../shared/permission';
import { type McpRequest } from '../../shared/mcp-view';
import { type QuestionRequest } from '../../shared/question';
import { type Beside, createBeside } from './beside';
import { type ChatServices, type OpenedSession, type SessionCopy } from './chat-needs';
import { type ChatSession, closedError, createChatSession } from './chat-session';
import { composeMessage } from './compose-message';
import { createEventPoster, type EventPoster } from './event-poster';
import { followFolders } from './follow-folders';
import { createForeignView, type ForeignView, isForeignId } from './foreign-chat';
import { createPendingApprovals, type PendingApprovals } from './pending-approvals';
import { noOutcome } from '../../core/hooks/hook-outcome';
import { createPendingMcpRequests, type PendingMcpRequests } from '../mcp/pending-mcp-requests';
import { modelReplaced } from './model-replaced';
import { endsInTurn, shownEnd } from './shown-end';
import { createPendingQuestions, type PendingQuestions } from './pending-questions';
import { type ChatTurns, createChatTurns } from './chat-turns';
import { type ChatInput, unsentPrompt, whyUnsent } from './unsent-prompt';

export class Chat {
  readonly approvals: PendingApprovals;
  readonly questions: PendingQuestions;
  readonly mcpRequests: PendingMcpRequests;
  readonly poster: EventPoster;
  readonly beside: Beside;
  readonly #services: ChatServices;
  #projection: ChatProjection;
  readonly #current: ChatSession = createChatSession((id, copy) => this.#open(id, copy));
  #notices = 0;
  readonly #turns: ChatTurns;
  readonly #foreign: ForeignView;
  /** Ids of those that are shown. */
  #settingsNotices = new Set<string>();

  constructor(services: ChatServices, post: (message: HostMessage) => void) {
    this.#services = services;
    this.#projection = createChatProjection(services.projection());
    this.approvals = createPendingApprovals(services.proposals, (request) => this.#approvalAsked(request));
    this.questions = createPendingQuestions((asked) => this.#questionsChanged(asked));
    this.mcpRequests = createPendingMcpRequests((asked) => this.#mcpRequestsChanged(asked), {
      event: async (...event) => (await this.#current.opened)?.tellHooks(...event) ?? noOutcome,
      told: (sentence) => this.notice('warning', 'A hook answered a server, and was not heard.', sentence),
    });
    this.poster = createEventPoster(emptyChat('', services.initialMode(), services.initialModel()), {
      post,
      surroundings: () => services.surroundings(),
    });
    this.#turns = createChatTurns({ poster: this.poster, notify: services.notify, turnCompleted: services.turnCompleted, notice: (...words) => this.notice(...words), over: (completed) => this.beside.turnOver(completed) });
    this.beside = createBeside({ clock: services.clock, poster: () => this.poster, session: () => this.session(), send: (input) => this.#deliver(input, this.poster.state.sessionId), running: () => this.running, notice: (...words) => this.notice(...words) });
    this.#foreign = createForeignView(services, this.poster, (detail) => this.notice('error', 'The session could not be opened.', detail));
  }

  get running(): boolean {
    return this.#turns.running;
  }

  /** A session of another program is shown; the chat's own stays hidden underneath. */
  get readOnly(): boolean {
    return this.#foreign.shown !== undefined;
  }

  /** The session that is shown read-only. */
  get shown(): ForeignSession | undefined {
    return this.#foreign.shown;
  }

  /** Opens the session with this id, else a new one. What runs in the present one is stopped first. */
  async open(id: string | undefined): Promise<void> {
    await this.#current.inTurn(() => this.#reopen(id));
  }

  /** Opens a new session that begins with these records and checkpoints; the present one is left as it is. */
  async openCopy(copy: SessionCopy): Promise<void> {
    await this.#current.inTurn(() => this.#reopen(undefined, copy));
  }

  /** Shows a session of another program, read-only. */
  async view(session: ForeignSession): Promise<void> {
    await this.#current.inTurn(() => (this.beside.reset(), this.stop()).then(() => this.#foreign.show(session)));
  }

  /** Goes on with what is shown, in a session of Deft's own. */
  async continueForeign(): Promise<void> {
    const copy = this.#foreign.continuing();
    const { withheld } = this.#foreign;
    if (copy !== undefined) await this.openCopy({ records: copy, ...(withheld === undefined ? {} : { checkpoints: ({ id }) => this.#services.copyCheckpoints(withheld, id) }) });
  }

  /** Goes on in a copy: of all, or of what stood before the prompt with this uuid, which is returned to be written anew. */
  async fork(before?: string): Promise<ReturnType<typeof writtenPrompt>> {
    if (this.readOnly) return undefined;
    const { records, checkpoints } = await this.session();
    // Before the present session is left.
    if (before !== undefined) forkEnd(records, before);
    await this.openCopy({ records: (id) => forkRecords(records, id, before), ...(checkpoints === undefined ? {} : { checkpoints: ({ id }) => checkpoints.copyTo(id) }) });
    return before === undefined ? undefined : writtenPrompt(records, before);
  }

  async #reopen(id: string | undefined, copy?: SessionCopy, why: 'clear' | 'resume' | 'other' = id === undefined ? 'clear' : 'resume'): Promise<void> {
    this.beside.reset();
    if (id !== undefined && isForeignId(id)) return this.stop().then(() => this.#foreign.open(id));
    this.#foreign.leave();
    this.mcpRequests.cancelAll();
    await this.stop();
    const unsaved = await this.#current.leave(why);
    this.#projection = createChatProjection(this.#services.projection());
    try {
      if (id !== undefined) await this.#showEnd(id);
      await this.#current.ensure(id, copy);
    } catch (error) {
      if (this.#current.isClosed) return;
      // Another window or a newer version writes this session: this one begins a new one and says why.
      const withheld = id !== undefined && error instanceof DeftError && ['session-locked', 'session-newer'].includes(error.code);
      if (withheld && (await this.#foreign.showWithheld(id, error))) return;
      if (withheld) await this.#current.ensure(undefined).catch(() => undefined);
      this.notice('error', 'The session could not be opened.', messageOf(error), withheld ? undefined : { label: 'New session', command: 'newSession' });
    } finally {
      if (unsaved !== undefined) this.notice('warning', 'The end of the session before is not saved.', unsaved);
    }
  }

  /** Of a long session the last page stands at once, and the rest is read behind it. */
  async #showEnd(id: string): Promise<void> {
    const end = await this.#services.sessionEnd(id).catch(() => undefined);
    if (end === undefined) return;
    const initial = { mode: this.#services.initialMode(), model: this.#services.initialModel() };
    const shown = shownEnd(id, end, createChatProjection(this.#services.projection()), initial);
    this.poster.reset({ ...shown, changes: this.#services.changes() });
    this.#services.titleChanged(shown.title);
  }

  session(): Promise<AgentSession> {
    return this.#current.current();
  }

  /**
   * Starts a turn, or queues the message where one runs. What cannot be sent goes back into the composer, and the person reads why.
   * `meant`: the session that stood there as it was sent, '' for whichever comes.
   */
  async send(input: ChatInput, meant = this.poster.state.sessionId): Promise<void> {
    try {
      await this.#deliver(input, meant);
    } catch (error) {
      this.#giveBack(unsentPrompt(input));
      this.notice('error', 'Your message was not sent.', whyUnsent(error), { label: 'Show log', command: 'showLog' });
    }
  }

  async #deliver(input: ChatInput, meant: string): Promise<void> {
    if (this.readOnly) {
      this.#giveBack(unsentPrompt(input));
      return this.notice('info', 'This session is shown read-only.', 'Your message was not sent: continue the session in a copy first, or begin a new one.');
    }
    const session = await this.session();
    if (this.#isOther(session, meant)) return this.#giveBack(unsentPrompt(input));
    const prompt = await composeMessage(input, session, this.#services, this.mcpRequests.people);
    if (prompt.content.length === 0) return;
    // Another session was opened meanwhile: a message never goes to one that is closed.
    if (session !== (await this.session())) return this.#deliver(input, meant);
    if (this.#answersQuestion(prompt)) return;
    if (!this.running && session.waiting.length === 0) return this.#turns.start(session, prompt);
    session.steer(prompt);
    if (this.running) this.#turns.spoken();
    // What waited since a turn that failed, or since a reload, was said before.
    else this.#turns.sendQueued(session);
  }

  /** Replaces what was said so far by a summary; `focus` says what it should keep above all. */
  async compact(focus: string, typed = ''): Promise<void> {
    if (this.readOnly) return this.notice('info', 'This session is shown read-only.', 'Continue it in a copy first.');
    const meant = this.poster.state.sessionId;
    const session = await this.session();
    if (this.#isOther(session, meant)) return typed === '' ? undefined : this.#giveBack(unsentPrompt({ text: typed, images: [] }));
    this.#turns.compact(session, focus);
  }

  /** Goes on where the log ends: after an error, or after a reload in the middle of a turn. */
  async resume(): Promise<void> {
    const session = await this.session();
    if (!this.running && !this.readOnly) this.#turns.start(session, undefined);
  }

  /** Stops the turn; what is queued is sent then. */
  async stopAndSendQueued(): Promise<void> {
    await this.stop();
    this.#turns.sendQueued(await this.session());
  }

  async stop(): Promise<void> {
    await this.#turns.stop();
  }

  /** What was taken back; undefined where it has reached the model already. */
  async unqueue(id: string): Promise<Prompt | undefined> {
    return (await this.session()).takeBack(id);
  }

  async setMode(mode: PermissionMode): Promise<void> {
    (await this.session()).setMode(mode);
    this.#services.modePicked(mode);
  }

  /** Names are typed by hand, too: the provider may know the model by another one, or not at all. */
  async setModel(model: string): Promise<void> {
    const { id, replaced } = await this.#services.fitModel(model);
    (await this.session()).setModel(id);
    // The name on the button.
    this.poster.surroundingsChanged();
    if (replaced) this.notice('info', ...modelReplaced(model, id, this.#services.provider()));
  }

  /** The provider was changed: goes on with a model of the new one. */
  async fitModel(): Promise<void> {
    if (this.readOnly || this.#current.opened === undefined) return;
    const session = await this.session();
    const before = session.model;
    const { id, replaced } = await this.#services.fitModel(before);
    if (id === before || session !== (await this.session())) return;
    session.setModel(id);
    this.poster.surroundingsChanged();
    if (replaced && this.poster.state.items.length > 0) this.notice('info', ...modelReplaced(before, id, this.#services.provider()));
  }

  changesChanged(): void {
    this.poster.push([{ type: 'changes', changes: this.#services.changes() }]);
  }

  /** The workspace has other folders. */
  async foldersChanged(): Promise<void> {
    this.changesChanged();
    await followFolders({ current: this.#current, poster: this.poster, services: this.#services, busy: () => this.running || this.readOnly, readOnly: () => this.readOnly, renew: () => this.#reopen(undefined, undefined, 'other') });
  }

  notice(level: NoticeItem['level'], title: string, detail: string, action?: NoticeItem['action']): void {
    const item: NoticeItem = { kind: 'notice', id: `notice:${++this.#notices}`, level, title, detail, ...(action === undefined ? {} : { action }) };
    this.poster.push([{ type: 'item', item }]);
  }

  /** Shows what settings files say now, and takes away what is mended or answered. */
  settingsChanged(): void {
    const notices = this.#services.settingsNotices();
    const gone = [...this.#settingsNotices].filter((id) => !notices.some((notice) => notice.id === id));
    this.#settingsNotices = new Set(notices.map(({ id }) => id));
    this.poster.push([...gone.map((id) => ({ type: 'remove' as const, id })), ...notices.map((item) => ({ type: 'item' as const, item }))]);
  }

  /** Tokens of a job beside the conversation, where there is a session to count them. */
  countUsage(model: string, usage: Usage): void {
    void this.#current.opened?.then((session) => session.countUsage(model, usage)).catch(() => undefined);
  }

  /** Tells the model with its next request, and the person now. False where another session started the command. */
  async backgroundEnded(command: BackgroundCommand): Promise<boolean> {
    const session = await this.#current.opened?.catch(() => undefined);
    return session !== undefined && session.backgroundEnded(command);
  }

  /** A settings file has changed. False where a hook of the session keeps the change away. */
  async configChanged(source: RuleSource, file: string): Promise<boolean> {
    const session = await this.#current.opened?.catch(() => undefined);
    return session === undefined || session.configChanged(source, file);
  }

  /** Goes to the model with its next request. `meant`: the id of the only session that it is for. */
  remind(text: string, meant?: string): void {
    void this.#current.opened?.then((session) => (meant === undefined || session.id === meant ? session.remind(text) : undefined)).catch(() => undefined);
  }

  async dispose(): Promise<void> {
    this.#current.end();
    this.mcpRequests.cancelAll();
    this.beside.reset();
    await this.stop();
    this.poster.dispose();
    await this.#current.close();
    this.#foreign.leave();
  }

  /** The one that was meant could not be opened, or another is shown meanwhile. */
  #isOther(session: AgentSession, meant: string): boolean {
    return this.readOnly || (meant !== '' && session.id !== meant);
  }

  async #open(id: string | undefined, copy?: SessionCopy): Promise<AgentSession> {
    const connection = { ...(copy === undefined ? {} : { copy: copy.records }), emit: (event: SessionEvent) => this.#told(event), approver: this.approvals, questioner: this.questions, mcpPeople: this.mcpRequests.people, startSource: this.#current.startSource };
    const opened = (await this.#services.openSession(id, connection)) ?? (await this.#services.openSession(undefined, connection));
    if (opened === undefined) throw new DeftError('session-open', 'No session could be created.', { audience: 'person' });
    try {
      await this.#begin(opened, copy);
      if (this.#current.isClosed) throw closedError();
    } catch (error) {
      // Nobody has it: nobody else would close it.
      await opened.session.close().catch(() => undefined);
      throw error;
    }
    return opened.session;
  }

  async #begin({ session, resumed, replacedModel }: OpenedSession, copy: SessionCopy | undefined): Promise<void> {
    if (this.#current.isClosed) return;
    // Told once: the log says from now on what it goes on with.
    if (replacedModel !== undefined) session.setModel(session.model);
    // Before anything can be sent in it: its first prompt makes a checkpoint, and those of the original are not taken where it has some.
    const lost = await copy?.checkpoints?.(session).then(() => undefined, messageOf);
    if (this.readOnly) return;
    const empty = { ...emptyChat(session.id, session.mode, session.model), changes: this.#services.changes() };
    const replayed = await replayInSlices(this.#projection, empty, session.records, { pause: nextTask, now: () => performance.now() });
    if (this.#current.isClosed) return;
    this.poster.reset(resumed ? { ...replayed, mode: session.mode, model: session.model } : empty);
    if (resumed) void session.catchUp();
    if (endsInTurn(session.records)) {
      this.notice('info', 'The last turn was interrupted.', 'What was finished is kept. Go on, or send a message.', { label: 'Go on', command: 'retry' });
    }
    if (replacedModel !== undefined && resumed) this.notice('info', ...modelReplaced(replacedModel, session.model, this.#services.provider()));
    if (lost !== undefined) this.notice('warning', 'The code cannot be put back to before this copy.', lost);
    this.settingsChanged();
    this.#services.sessionChanged(session.id);
    this.#services.titleChanged(this.poster.state.title);
  }

  #told(event: SessionEvent): void {
    const events = this.#projection.project(event);
    if (!this.readOnly) this.poster.push(events);
    // The projection does not know whether it was the turn that asked, or an agent in the background.
    if (!this.readOnly && (event.type === 'approval_asked' || event.type === 'approval_settled')) this.poster.push([this.#statusNow()]);
    if (event.type === 'record' || event.type === 'turn_idle') this.#services.statusChanged();
    if (event.type === 'approval_settled') this.#services.waitingChanged();
    if (event.type === 'prompt_unsent') this.#giveBack(event.prompt);
    if (event.type === 'team_calls') void this.#current.opened?.then((session) => this.readOnly || this.#turns.wake(session)).catch(() => undefined);
    for (const one of events) if (one.type === 'title') this.#services.titleChanged(one.title);
  }

  /** Where no composer is left to take it, it waits in the session's queue, whose messages hooks see too. */
  #giveBack(prompt: Prompt): void {
    if (this.#current.isClosed) void this.#current.opened?.then((session) => session.steer(prompt));
    else this.#services.unsent(prompt);
  }

  #statusNow(): ChatEvent {
    const waits = this.poster.state.approvals.length + this.questions.requests.length + this.mcpRequests.requests.length > 0;
    return { type: 'status', status: waits ? 'waiting' : this.running ? 'working' : 'idle' };
  }

  #approvalAsked(request: ApprovalRequest): void {
    this.#services.notify('approval', request.title);
  }

  #questionsChanged(asked: QuestionRequest | undefined): void {
    const questions = [...this.questions.requests];
    this.poster.push([{ type: 'questions', questions }, this.#statusNow()]);
    if (asked === undefined) return this.#services.waitingChanged();
    this.poster.push([{ type: 'tool', id: asked.toolUseId, change: { state: 'waiting' } }]);
    this.#services.notify('question', asked.questions[0]?.question ?? '');
  }

  #mcpRequestsChanged(asked: McpRequest | undefined): void {
    const mcpRequests = [...this.mcpRequests.requests];
    this.poster.push([{ type: 'mcpRequests', mcpRequests }, this.#statusNow()]);
    if (asked === undefined) return this.#services.waitingChanged();
    this.#services.notify('question', `${asked.server}: ${asked.message}`);
  }

  /** What is written while a question waits is the answer to it; what has more than words follows as a message. */
  #answersQuestion({ content, display }: Prompt): boolean {
    const [question] = this.questions.requests;
    if (question === undefined) return false;
    const wordsOnly = content.length === 1 && content[0]?.type === 'text' && content[0].text === display.text;
    if (wordsOnly) return this.questions.answer(question.id, { behavior: 'answered', answers: {}, response: display.text });
    this.questions.answer(question.id, { behavior: 'wrote' });
    return false;
  }
}
