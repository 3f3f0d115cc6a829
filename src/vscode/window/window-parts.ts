// What the chats of a window share: their places, the set-up and the model, the selection, reviews, the status line.
import path from 'node:path';
import * as vscode from 'vscode';
import { messageOf } from '../../core/text/errors';
import { modelLabel } from '../../core/model/models';
import { type FileSystem } from '../../core/ports/files';
import { type Log } from '../../core/ports/log';
import { type SessionStore } from '../../core/ports/session-store';
import { chatSettings, type ChatSurroundings } from '../../shared/surroundings';
import { createSessionGlances } from '../../node/sessions/session-glances';
import { type Agent } from '../agent/agent';
import { createLeaveChat } from './leave-chat';
import { sessionCommands, type SessionCommands } from '../commands/session-commands';
import { readConfiguration } from '../host/configuration';
import { type VscodeDiagnostics } from '../diagnostics/vscode-diagnostics';
import { type HookGate } from '../hooks/hook-gate';
import { type ModelSource } from '../model/model-source';
import { importedOnce } from '../host/imported-once';
import { isOwnFile } from '../files/own-files';
import { openLeftPlans } from '../plan/left-plans';
import { createPlanReview, type PlanReview } from '../plan/plan-review';
import { createWindowComments, type WindowComments } from '../comments/window-comments';
import { createWindowInline, type WindowInline } from '../inline/window-inline';
import { type ChangeReview } from '../review/change-review';
import { createOwnChanges, type OpenChat, type OwnChanges } from '../review/own-changes';
import { type ProposalReview } from '../review/proposal-review';
import { type RuleSource } from '../session/rule-source';
import { listedModel } from '../session/initial-settings';
import { readListedModel } from '../session/read-listed-model';
import { type StatusLine } from '../status-line/status-line';
import { createShellExecutions } from '../terminal/shell-executions';
import { type VscodeTerminal } from '../terminal/vscode-terminal';
import { type Chat } from '../chat/conversation/chat';
import { type ChatHost } from '../chat/chat-host';
import { type ChatPlace, ChatPlaces, type ChatSign } from './chat-places';
import { ChatSigns } from './chat-signs';
import { commentChat } from './comment-chat';
import { inlineChat } from './inline-chat';
import { tellClosed } from './leaving-chats';
import { modesOf } from './offered-modes';
import { openSessionInTab } from './open-session-in-chat';
import { SessionBoard } from './session-board';
import { createSessionMarks, type SessionMarks } from './session-marks';
import { createSelectionSource, type SelectionSource } from '../chat/messages/selection-chip';
import { createTrySuggestions, type TrySuggestions } from './try-suggestions';
import { type ChatTree } from '../worktrees/chat-tree';
import { createWorkspaceFiles, type WorkspaceFiles } from '../chat/completion/workspace-files';

export interface ChatWindowOptions {
  context: vscode.ExtensionContext;
  log: Log;
  channel: vscode.OutputChannel;
  models: ModelSource;
  store: SessionStore;
  /** The folder of the store. */
  sessionsRoot: string;
  files: FileSystem;
  proposals: ProposalReview;
  changes: ChangeReview;
  diagnostics: VscodeDiagnostics;
  terminal: VscodeTerminal;
  rules: RuleSource;
  hooks: HookGate;
  /** Imported at the first call. */
  agent: () => Promise<Agent>;
  isHidden: (path: string) => boolean;
}

/** Binds a chat to its place. */
export type BindChat = (window: WindowParts, agent: Agent, place: ChatPlace) => ChatHost;

/** What the first message may need, but the opening chat does not. */
export const prepareMs = 1_500;

export class WindowParts {
  readonly options: ChatWindowOptions;
  readonly places: ChatPlaces;
  readonly sessions: SessionCommands;
  readonly suggestions: TrySuggestions;
  readonly selection: SelectionSource;
  readonly workspaceFiles: WorkspaceFiles;
  readonly shellExecutions = createShellExecutions();
  readonly leaveChat = createLeaveChat();
  readonly ownChanges: OwnChanges;
  readonly board: SessionBoard;
  readonly marks: SessionMarks;
  readonly trees = new Map<ChatHost, ChatTree>();
  readonly signs = new ChatSigns((chat, sign) =>
    sign === undefined ? this.board.forget(chat) : this.board.changed(chat, sign),
  );
  readonly plans: PlanReview;
  readonly comments: WindowComments;
  readonly inline: WindowInline;
  readonly #facts = { needsSetup: false, vscodeModels: false };
  readonly #openStatusLine: () => Promise<StatusLine>;
  #statusLine: StatusLine | undefined;
  #listing: NodeJS.Timeout | undefined;

  constructor(options: ChatWindowOptions, bind: BindChat) {
    this.options = options;
    const { context, log, rules, hooks, terminal, agent } = options;
    this.plans = createPlanReview({
      left: openLeftPlans(path.join((context.storageUri ?? context.globalStorageUri).fsPath, 'plans')),
      onLost: (error) => log.warn('A plan that waits could not be stored', messageOf(error)),
    });
    this.comments = createWindowComments({
      state: context.workspaceState,
      chat: () => commentChat(this.places),
      plans: this.plans,
      warn: (message) => log.warn(message),
    });
    this.inline = createWindowInline(
      {
        chat: () => inlineChat(this.places),
        isHidden: (path) => options.isHidden(path),
        openBox: () => this.comments.box('inline'),
        showDiff: (requestId) => options.proposals.show(requestId),
        uuid: () => crypto.randomUUID(),
      },
      () => void agent().catch(() => undefined),
    );
    this.board = new SessionBoard({
      glances: createSessionGlances(options.sessionsRoot),
      store: options.store,
      external: async () => (await agent()).external.list(),
      treeBranch: (chat) => [...this.trees].find(([host]) => host.chat === chat)?.[1].chip()?.branch,
      log,
    });
    this.marks = createSessionMarks(context.workspaceState, () => this.board.changedElsewhere());
    this.places = new ChatPlaces({
      log,
      agent,
      bind: (opened, place) => bind(this, opened, place),
      iconOf: this.iconOf,
      closed: (host, byUser) => {
        this.signs.forget(host);
        this.trees.get(host)?.dispose();
        this.trees.delete(host);
        this.everyChat((chat) => chat.changesChanged());
        if (!byUser) return;
        tellClosed(host.chat.work, (session) => openSessionInTab(this.places, session)).catch((error: unknown) =>
          log.warn('A session that was closed could not be opened again.', String(error)),
        );
      },
    });
    this.suggestions = createTrySuggestions({
      shown: () => this.places.all().some(({ chat }) => chat.poster.state.items.length === 0),
      changed: this.surroundingsChanged,
    });
    this.selection = createSelectionSource(
      (file) => options.isHidden(file) || isOwnFile(file, options.sessionsRoot),
      this.surroundingsChanged,
    );
    this.workspaceFiles = createWorkspaceFiles({
      files: options.files,
      respectsIgnoreFiles: () =>
        rules.load().then(
          () => rules.values().respectGitignore !== false,
          () => true,
        ),
    });
    this.ownChanges = createOwnChanges(
      options.changes,
      () => this.openChats(),
      (undone, session) => void this.#tellLeft(undone, session),
    );
    this.sessions = sessionCommands({
      ...options,
      chats: () => this.chats(),
      glances: () => this.board.glances(),
      current: () => this.places.current()?.chat,
    });
    this.#openStatusLine = importedOnce(
      async () =>
        (this.#statusLine = (await import('../status-line/status-line')).openStatusLine({
          rules,
          gate: hooks,
          environment: terminal.environment,
          chat: () => this.places.current()?.chat,
          style: async () => (await (await agent()).styles.current()).name,
          version: (context.extension.packageJSON as { version: string }).version,
        })),
    );
  }

  /** Of a chat that does this, on its tab and in lists. */
  readonly iconOf = (sign: ChatSign): { light: vscode.Uri; dark: vscode.Uri } => {
    const { extensionUri } = this.options.context;
    const icon = (theme: string) => vscode.Uri.joinPath(extensionUri, 'media/chat', `${sign}-${theme}.svg`);
    return { light: icon('light'), dark: icon('dark') };
  };

  chats(): Chat[] {
    return this.places.all().map(({ chat }) => chat);
  }

  openChats(): OpenChat[] {
    return this.chats().map(({ poster: { state } }) => ({
      session: state.sessionId,
      title: state.title || 'New session',
    }));
  }

  everyChat(act: (chat: Chat) => void): void {
    this.chats().forEach(act);
  }

  readonly surroundingsChanged = (): void => this.everyChat((chat) => chat.poster.surroundingsChanged());

  readonly draftsChanged = (): void =>
    this.everyChat((chat) => chat.poster.push([{ type: 'drafts', drafts: this.comments.drafts() }]));

  /** The model that the user picked last, of the present provider. */
  listed(): string | undefined {
    const { models, context } = this.options;
    return listedModel(models.client.provider, context.globalState);
  }

  surroundings(model: string): ChatSurroundings {
    const { models, rules } = this.options;
    return {
      needsSetup: this.#facts.needsSetup,
      setUp: { provider: models.client.provider, vscodeModels: this.#facts.vscodeModels },
      demo: models.demo,
      trusted: vscode.workspace.isTrusted,
      ...chatSettings(readConfiguration()),
      suggestions: this.suggestions.current,
      modes: modesOf(rules),
      modelLabel: models.demo ? 'Demo' : modelLabel(model),
      selection: this.selection.chip(),
      platform: process.platform === 'darwin' ? 'mac' : 'other',
    };
  }

  async refresh(): Promise<void> {
    const { models } = this.options;
    this.suggestions.renew();
    this.#facts.needsSetup = await models.needsSetup();
    this.surroundingsChanged();
    // Last: VS Code starts the extensions that contribute models.
    this.#facts.vscodeModels = this.#facts.needsSetup && (await models.hasVscodeModels());
    if (this.#facts.needsSetup) this.surroundingsChanged();
  }

  fitModels(): void {
    this.everyChat(
      (chat) =>
        void chat
          .fitModel()
          .catch((error: unknown) =>
            this.options.log.warn('The model of a session could not be chosen.', String(error)),
          ),
    );
  }

  readonly setupChanged = (): void => {
    const { context, models, log } = this.options;
    void this.refresh();
    this.fitModels();
    clearTimeout(this.#listing);
    this.#listing = setTimeout(() => void readListedModel(context, models, log), prepareMs);
  };

  /** Most users have no status line: its code is loaded with the first. */
  readonly statusChanged = (): void => {
    if (this.#statusLine === undefined && this.options.rules.values().statusLine === undefined) return;
    void this.#openStatusLine().then(
      (line) => line.changed(),
      (error: unknown) => this.options.log.warn('The status line could not be loaded.', String(error)),
    );
  };

  /** What waits is called off, before the chats are closed. */
  stopWaiting(): void {
    clearTimeout(this.#listing);
    this.#statusLine?.dispose();
  }

  /** After the edits of a session, or of all, were undone. */
  async #tellLeft(undone: readonly string[], session: string | undefined): Promise<void> {
    const { changes, log } = this.options;
    const hosts = this.places.all();
    const meant = hosts.filter(({ chat }) => session === undefined || chat.poster.state.sessionId === session);
    try {
      const { tellLeft } = await import('../rewind/tell-left');
      await Promise.all(meant.map(({ chat, post }) => tellLeft(undone, { chat, post, changes }, hosts.length > 1)));
    } catch (error) {
      log.warn('What commands changed could not be told after Undo all.', messageOf(error));
    }
  }

  /** After the chats. */
  dispose(): void {
    const { sessions, selection, suggestions, workspaceFiles, shellExecutions, plans, leaveChat, signs, board } = this;
    [sessions, selection, suggestions, workspaceFiles, shellExecutions, plans, leaveChat, signs, board].forEach(
      (part) => part.dispose(),
    );
    this.comments.dispose();
    this.inline.dispose();
  }
}
