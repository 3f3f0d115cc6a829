// One chat: a session, its turns, and what is sent to the webview about them.
import { type Usage } from '../../../core/wire/wire';
import { handOver, notTakenOver } from './hand-over';
import { waitingCalls } from '../../../core/loop/waiting-calls';
import { countSideUsage } from '../../../core/loop/side-usage';
import { redactValue } from '../../../core/text/redact';
import { type AgentSession } from '../../../core/feature/agent-session';
import { type SessionEvent } from '../../../core/events/session-event';
import { type Prompt } from '../../../core/events/steering-queue';
import { messageOf } from '../../../core/text/errors';
import { type BackgroundCommand } from '../../../core/ports/terminal';
import { type ExternalSession } from '../../../core/external-sessions/external-session';
import { emptyChat } from '../../../shared/chat';
import { type HostMessage } from '../../../shared/host-messages';
import { type PermissionMode, type RuleSource } from '../../../shared/permission';
import { type ToolView } from '../../../shared/tool-view';
import { type ProposalChange } from '../../review/proposal';
import { type SideWork, createSideWork } from './side-work';
import { type ChatServices, type SessionCopy } from './chat-needs';
import { type ChatNotices, createChatNotices, type AddNotice } from './chat-notices';
import { type ChatSession, createChatSession } from './chat-session';
import { composeMessage } from './compose-message';
import { createEventPoster, type EventPoster } from './event-poster';
import { followFolders } from './follow-folders';
import { forkChat } from './fork-chat';
import { ExternalView, isExternalId, isWithheld } from './external-chat';
import { noOutcome } from '../../../core/hooks/hook-outcome';
import { fitChatModel, setChatModel } from './chat-models';
import { leaveFor, leaving } from './leave-session';
import { type LeftFor, type LeftWork, leftWork } from './left-work';
import { createSessionOpening, type SessionOpening } from './session-opening';
import { ChatTurns } from './chat-turns';
import { type ChatInput, unsentPrompt, whyUnsent } from './unsent-prompt';
import { createWaitingForUser, type WaitingForUser } from './waiting-for-user';
import { fileChanges, type UserAct } from '../../../core/features/file-changes/file-changes-key';
import { hooks } from '../../../core/features/hooks/hooks-key';

export class Chat {
  readonly approvals: WaitingForUser['approvals'];
  readonly questions: WaitingForUser['questions'];
  readonly mcpRequests: WaitingForUser['mcpRequests'];
  readonly poster: EventPoster;
  readonly sideWork: SideWork;
  readonly #services: ChatServices;
  readonly #current: ChatSession = createChatSession(async (...which) => {
    const session = await this.#opening.open(...which);
    handOver(session, {
      current: this.#current,
      turns: this.turns,
      external: this.#external,
      windowAnswers: this.#services.windowAnswers,
      reset: () => (this.sideWork.reset(), this.mcpRequests.cancelAll(), this.#opening.renew()),
    });
    return session;
  });
  readonly #opening: SessionOpening;
  readonly #notices: ChatNotices;
  readonly #waiting: WaitingForUser;
  readonly turns: ChatTurns;
  readonly #external: ExternalView;

  constructor(services: ChatServices, post: (message: HostMessage) => void) {
    this.#services = services;
    this.poster = createEventPoster(emptyChat('', services.initialMode(), services.initialModel()), {
      post,
      surroundings: () => services.surroundings(),
      statusChanged: () => services.workChanged(),
    });
    this.#notices = createChatNotices(this.poster, () => services.settingsNotices());
    this.#waiting = createWaitingForUser({
      services,
      poster: this.poster,
      running: () => this.running,
      hooks: {
        event: async (...event) => (await this.#current.opened)?.feature(hooks)?.event(...event) ?? noOutcome,
        onProblem: (sentence) => this.notice('warning', "A hook's reply to an MCP server was ignored.", sentence),
      },
    });
    ({ approvals: this.approvals, questions: this.questions, mcpRequests: this.mcpRequests } = this.#waiting);
    this.#opening = createSessionOpening({
      services,
      current: this.#current,
      poster: this.poster,
      notices: this.#notices,
      waiting: this.#waiting,
      readOnly: () => this.readOnly,
      onEvent: (event) => this.#onEvent(event),
    });
    this.turns = new ChatTurns({
      poster: this.poster,
      notify: services.notify,
      turnCompleted: services.turnCompleted,
      notice: this.notice,
      over: (completed) => this.sideWork.turnOver(completed),
    });
    this.sideWork = createSideWork({
      clock: services.clock,
      poster: () => this.poster,
      session: () => this.session(),
      send: (input) => this.#deliver(input, this.poster.state.sessionId),
      running: () => this.running,
      approver: () => this.approvals,
      emit: (event) => this.#onEvent(event),
      notice: this.notice,
    });
    this.#external = new ExternalView(services, this.poster, (detail) =>
      this.notice('error', 'The session could not be opened.', detail),
    );
  }

  get running(): boolean {
    return this.turns.running;
  }

  /** A session of another program is shown; the chat's own stays hidden underneath. */
  get readOnly(): boolean {
    return this.#external.shown !== undefined;
  }

  /** The session that is shown read-only. */
  get shown(): ExternalSession | undefined {
    return this.#external.shown;
  }

  /** What its session does now, and would leave behind. */
  get work(): LeftWork {
    return leftWork(this.poster.state, this.running);
  }

  /** Opens the session with this id, else a new one. What runs in the present one is left only where the user agrees; `agreed`: they have. */
  async open(id: string | undefined, agreed = false): Promise<void> {
    await this.#leave(() => this.#reopen(id), agreed ? undefined : { id });
  }

  /** Opens a new session that begins with these records and checkpoints; the present one is left as it is. `agreed`: as for `open`. */
  async openCopy(copy: SessionCopy, agreed = false): Promise<void> {
    await this.#leave(() => this.#reopen(undefined, copy), agreed ? undefined : {});
  }

  /** Shows a session of another program, read-only. */
  async view(session: ExternalSession): Promise<void> {
    await this.#leave(
      () => (this.sideWork.reset(), this.turns.stop(leaving)).then(() => this.#external.show(session)),
      {},
    );
  }

  /** Continues with what is shown, in a session of Deft's own. */
  async continueExternal(): Promise<void> {
    const copy = this.#external.continuing();
    const { withheld } = this.#external;
    if (copy !== undefined)
      await this.openCopy({
        records: copy,
        ...(withheld === undefined ? {} : { checkpoints: ({ id }) => this.#services.copyCheckpoints(withheld, id) }),
      });
  }

  /** Continues with the session of another window that is shown, which closes it. */
  async takeOver(): Promise<void> {
    const id = this.#external.withheld;
    if (id === undefined) return;
    await this.#current.inTurn(() => this.#reopen(id, undefined, 'resume', true));
    if (this.readOnly) this.notice('warning', ...notTakenOver);
  }

  /** Continues in a copy: of all, or of what precedes the prompt with this uuid, which is returned to be rewritten. */
  fork(before?: string, agreed = false): ReturnType<typeof forkChat> {
    return forkChat(this, before, agreed);
  }

  /** Its user agrees to it, where something is at work. `to`: undefined where they have already. */
  #leave(step: () => Promise<void>, to: LeftFor | undefined): Promise<void> {
    return leaveFor(to, step, { chat: this, services: this.#services, current: this.#current });
  }

  async #reopen(
    id: string | undefined,
    copy?: SessionCopy,
    why: 'clear' | 'resume' | 'other' = id === undefined ? 'clear' : 'resume',
    takesOver = false,
  ): Promise<void> {
    this.sideWork.reset();
    if (id !== undefined && isExternalId(id)) return this.turns.stop(leaving).then(() => this.#external.open(id));
    this.#external.leave();
    this.mcpRequests.cancelAll();
    await this.turns.stop(leaving);
    const unsaved = await this.#current.leave(why);
    this.#opening.renew();
    try {
      if (id !== undefined) await this.#opening.showEnd(id);
      const session = await this.#current.ensure(id, copy, takesOver);
      // A reload or a crash took its questions away: the user is asked again.
      if (copy === undefined && !this.running && waitingCalls(session.records).length > 0)
        this.turns.start(session, undefined);
    } catch (error) {
      if (this.#current.isClosed) return;
      // Another window or a newer version writes this session: this one begins a new one and says why.
      const withheld = id !== undefined && isWithheld(error);
      if (withheld && (await this.#external.showWithheld(id, error))) return;
      if (withheld) await this.#current.ensure(undefined).catch(() => undefined);
      this.notice(
        'error',
        'The session could not be opened.',
        messageOf(error),
        withheld ? undefined : { label: 'New session', command: 'newSession' },
      );
    } finally {
      if (unsaved !== undefined) this.notice('warning', 'The end of the previous session was not saved.', unsaved);
    }
  }

  session(): Promise<AgentSession> {
    return this.#current.current();
  }

  /**
   * Starts a turn, or queues the message where one runs. What cannot be sent goes back into the composer, and the user reads why.
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
      return this.notice(
        'info',
        'This session is shown read-only.',
        'Your message was not sent: continue the session in a copy first, or begin a new one.',
      );
    }
    const session = await this.session();
    if (this.#isOther(session, meant)) return this.#giveBack(unsentPrompt(input));
    const prompt = await composeMessage(input, session, this.#services, this.mcpRequests.people);
    if (prompt.content.length === 0) return;
    // Another session was opened meanwhile: a message never goes to one that is closed.
    if (session !== (await this.session())) return this.#deliver(input, meant);
    if (this.#waiting.takesAsAnswer(prompt)) return;
    this.turns.spoken();
    if (!this.running && session.pending.waiting.length === 0) return this.turns.start(session, prompt);
    session.steer(prompt);
    // What waited since a turn that failed, or since a reload, was said before.
    if (!this.running) this.turns.sendQueued(session);
  }

  /** Replaces what was said so far by a summary; `focus` says what it should keep above all. */
  async compact(focus: string, typed = ''): Promise<void> {
    if (this.readOnly) return this.notice('info', 'This session is shown read-only.', 'Continue it in a copy first.');
    const meant = this.poster.state.sessionId;
    const session = await this.session();
    if (this.#isOther(session, meant))
      return typed === '' ? undefined : this.#giveBack(unsentPrompt({ text: typed, images: [] }));
    this.turns.compact(session, focus);
  }

  /** Continues where the log ends: after an error, or after a reload in the middle of a turn. */
  async resume(): Promise<void> {
    const session = await this.session();
    if (this.running || this.readOnly) return;
    this.turns.spoken();
    this.turns.start(session, undefined);
  }

  /** Stops the turn; what is queued is sent then. */
  async stopAndSendQueued(): Promise<void> {
    await this.stop();
    this.turns.sendQueued(await this.session());
  }

  async stop(): Promise<void> {
    await (this.sideWork.drop(), this.turns.stop());
  }

  /** What was taken back; undefined where it has reached the model already. */
  async unqueue(id: string): Promise<Prompt | undefined> {
    return (await this.session()).pending.takeBack(id);
  }

  async setMode(mode: PermissionMode): Promise<void> {
    (await this.session()).permission.setMode(mode);
    this.#services.modePicked(mode);
  }

  async setModel(model: string): Promise<void> {
    await setChatModel(model, this, this.#services);
  }

  /** The provider was changed: continues with a model of the new one. */
  async fitModel(): Promise<void> {
    if (this.readOnly || this.#current.opened === undefined) return;
    await fitChatModel(this, this.#services);
  }

  /** The user has made something else of an edit that waits, here or in another chat. */
  async proposalChanged({ view, ...change }: ProposalChange): Promise<void> {
    if (!this.approvals.requests.some(({ id }) => id === change.requestId)) return;
    const { secrets } = (await this.session()).settings;
    this.#onEvent({ type: 'approval_changed', ...change, view: redactValue(view, secrets?.() ?? []) as ToolView });
  }

  changesChanged(): void {
    this.poster.push([{ type: 'changes', changes: this.#services.changes(this.poster.state.sessionId) }]);
  }

  /** The workspace has other folders. */
  async foldersChanged(): Promise<void> {
    this.changesChanged();
    await followFolders({
      current: this.#current,
      poster: this.poster,
      services: this.#services,
      busy: () => this.running || this.readOnly,
      readOnly: () => this.readOnly,
      renew: () => this.#reopen(undefined, undefined, 'other'),
    });
  }

  readonly notice: AddNotice = (...words) => this.#notices.add(...words);

  /** Shows what settings files say now, and removes notices that are fixed or answered. */
  settingsChanged(): void {
    this.#notices.settingsChanged();
  }

  /** Tokens of a job outside the conversation, where there is a session to count them. */
  countUsage(model: string, usage: Usage): void {
    void this.#current.opened?.then((session) => countSideUsage(session, model, usage)).catch(() => undefined);
  }

  /** Informs the model with its next request, and the user now. False where another session started the command. */
  async backgroundEnded(command: BackgroundCommand): Promise<boolean> {
    const session = await this.#current.opened?.catch(() => undefined);
    return session !== undefined && session.backgroundEnded(command);
  }

  /** A settings file has changed. False where a hook of the session keeps the change away. */
  async configChanged(source: RuleSource, file: string): Promise<boolean> {
    const session = await this.#current.opened?.catch(() => undefined);
    return session === undefined || (await session.feature(hooks)?.configChanged(source, file)) !== false;
  }

  /** Goes to the model with its next request. `meant`: the id of the only session that it is for. */
  remind(text: string, meant?: string): void {
    void this.#current.opened
      ?.then((session) => (meant === undefined || session.id === meant ? session.remind(text) : undefined))
      .catch(() => undefined);
  }

  /** What the user did to files with Deft: the next request says what stands there now. `meant` as above. */
  acted(act: UserAct, paths: readonly string[], meant?: string): void {
    void this.#current.opened
      ?.then((session) =>
        meant === undefined || session.id === meant ? session.feature(fileChanges)?.acted(act, paths) : undefined,
      )
      .catch(() => undefined);
  }

  async dispose(): Promise<void> {
    this.#current.end();
    this.mcpRequests.cancelAll();
    this.sideWork.reset();
    await this.turns.stop(leaving);
    this.poster.dispose();
    await this.#current.close();
    this.#external.leave();
  }

  /** The one that was meant could not be opened, or another is shown meanwhile. */
  #isOther(session: AgentSession, meant: string): boolean {
    return this.readOnly || (meant !== '' && session.id !== meant);
  }

  #onEvent(event: SessionEvent): void {
    const events = this.#opening.project(event);
    if (!this.readOnly) this.poster.push(events);
    // The projection does not know whether it was the turn that asked, or an agent in the background.
    if (!this.readOnly && (event.type === 'approval_asked' || event.type === 'approval_settled'))
      this.poster.push([this.#waiting.status()]);
    if (event.type === 'record' || event.type === 'turn_idle') this.#services.statusChanged();
    if (event.type === 'prompt_unsent') this.#giveBack(event.prompt);
    if (event.type === 'team_calls')
      void this.#current.opened?.then((session) => this.readOnly || this.turns.wake(session)).catch(() => undefined);
    for (const one of events) if (one.type === 'title') this.#services.titleChanged(one.title);
  }

  /** Where no composer is left to take it, it waits in the session's queue, whose messages hooks see too. */
  #giveBack(prompt: Prompt): void {
    if (this.#current.isClosed) void this.#current.opened?.then((session) => session.steer(prompt));
    else this.#services.unsent(prompt);
  }
}
