// All chats of a window with their commands: binds places, sessions, reviews and notices together.
import path from 'node:path';
import { setImmediate as nextTask } from 'node:timers/promises';
import * as vscode from 'vscode';
import { defaultModel, modelLabel } from '../../core/model/models';
import { type BackgroundCommand, type FileSystem, type Log, type SessionStore } from '../../core/ports';
import { backgroundEndText } from '../../core/tool/background-end';
import { variableProblems } from '../../core/settings/variable-problems';
import { createSystemClock } from '../../node/system-clock';
import { type ChatSurroundings } from '../../shared/protocol';
import { type PermissionMode } from '../../shared/permission';
import { type Agent } from '../agent';
import { chatCommands } from '../commands/chat-commands';
import { commitMessageCommand } from '../commands/commit-message-command';
import { contextCommands } from '../commands/context-commands';
import { createLeaveChat } from '../window/leave-chat';
import { keyCommands } from '../commands/key-commands';
import { providerCommands } from '../commands/provider-commands';
import { reviewCommands } from '../commands/review-commands';
import { sessionCommands } from '../commands/session-commands';
import { terminalOutputCommand } from '../commands/terminal-output-command';
import { registerRuleTestFiles } from '../commands/rule-test-files';
import { type TestRuleInput } from '../commands/test-rule-command';
import { readConfiguration } from '../host/configuration';
import { type VscodeDiagnostics } from '../diagnostics/vscode-diagnostics';
import { type HookGate } from '../hooks/hook-gate';
import { type ModelSource } from '../model/model-source';
import { importedOnce } from '../host/imported-once';
import { notifyPerson } from '../host/notifications';
import { createPlanReview } from '../plan/plan-review';
import { type ChangeReview } from '../review/change-review';
import { type ProposalReview } from '../review/proposal-review';
import { reviewGrants } from '../session/review-grants';
import { type RuleSource } from '../session/rule-source';
import {
  initialMode,
  initialModel,
  isKeptMode,
  lastModeKey,
  listedModel,
  usualModel,
} from '../session/initial-settings';
import { readListedModel } from '../session/read-listed-model';
import { followWorkspaceFolders } from '../session/workspace-changes';
import { workspaceFolders } from '../host/workspace-facts';
import { type StatusLine } from '../status-line/status-line';
import { createShellExecutions } from '../terminal/shell-executions';
import { type VscodeTerminal } from '../terminal/vscode-terminal';
import { createUriHandler } from '../host/uri-handler';
import { openChatAtStart, startDemo } from '../commands/start-demo';
import { type Chat } from './conversation/chat';
import { type ChatServices } from './conversation/chat-needs';
import { type ChatHost } from './chat-host';
import { createChatHandlers, outputOf } from '../window/chat-handlers';
import { createChatPlaces } from '../window/chat-places';
import { takenPrompt } from './messages/message-handlers';
import { confirmModeOf, modesOf } from '../window/offered-modes';
import { settingsNotices } from '../window/settings-notices';
import { createSelectionSource } from './messages/selection-chip';
import { createTrySuggestions } from '../window/try-suggestions';
import { createWorkspaceFiles } from './completion/workspace-files';

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

/** What the first message may need, but the opening chat does not. */
const prepareMs = 1_500;
/** The session that the side bar showed last, by workspace. */
const lastSessionKey = 'deft.lastSession';

export interface ChatWindow {
  /** Stops the turns; resolves when their logs are closed. */
  close(): Promise<void>;
}

export function createChatWindow(options: ChatWindowOptions): ChatWindow {
  const { context, log, models, proposals, changes, rules } = options;
  const facts = { needsSetup: false, vscodeModels: false };
  const listed = (): string | undefined => listedModel(models.client.provider, context.globalState);
  const offeredModes = (): PermissionMode[] => modesOf(rules);
  const confirmMode = (mode: PermissionMode): Promise<boolean> => confirmModeOf(rules, mode);
  const everyChat = (act: (chat: Chat) => void): void => places.all().forEach(({ chat }) => act(chat));
  const backgroundEnded = async (command: BackgroundCommand): Promise<void> => {
    const told = await Promise.all(places.all().map(({ chat }) => chat.backgroundEnded(command)));
    // Its session is open nowhere: the person at least should know.
    if (!told.includes(true))
      everyChat((chat) => chat.notice('info', `In the background: ${command.command}`, backgroundEndText(command)));
  };
  const surroundingsChanged = (): void => everyChat((chat) => chat.poster.surroundingsChanged());
  const suggestions = createTrySuggestions({
    shown: () => places.all().some(({ chat }) => chat.poster.state.items.length === 0),
    changed: surroundingsChanged,
  });
  const selection = createSelectionSource(options.isHidden, surroundingsChanged);
  const workspaceFiles = createWorkspaceFiles({
    files: options.files,
    respectsIgnoreFiles: () =>
      rules.load().then(
        () => rules.values().respectGitignore !== false,
        () => true,
      ),
  });
  const shellExecutions = createShellExecutions();
  const leaveChat = createLeaveChat();
  const plans = createPlanReview({ reveal: () => readConfiguration().reveal });
  let listing: NodeJS.Timeout | undefined;
  const refresh = async (): Promise<void> => {
    suggestions.renew();
    facts.needsSetup = await models.needsSetup();
    surroundingsChanged();
    // Last: VS Code starts the extensions that bring models.
    facts.vscodeModels = facts.needsSetup && (await models.hasVscodeModels());
    if (facts.needsSetup) surroundingsChanged();
  };
  const fitModels = (): void =>
    everyChat(
      (chat) =>
        void chat
          .fitModel()
          .catch((error: unknown) => log.warn('The model of a session could not be chosen.', String(error))),
    );
  const setupChanged = (): void => {
    void refresh();
    fitModels();
    clearTimeout(listing);
    listing = setTimeout(() => void readListedModel(context, models, log), prepareMs);
  };
  /** While the person writes: the vendor's code, the tools' schemas, and a connection; each a task of its own, so that none blocks the window for long. */
  const prepareFirstMessage = async (chat: Chat): Promise<void> => {
    await nextTask();
    await models.prepare();
    await nextTask();
    await (await chat.session()).prepare();
    await nextTask();
    await readListedModel(context, models, log);
  };

  const surroundings = (model: string): ChatSurroundings => ({
    needsSetup: facts.needsSetup,
    setUp: { provider: models.client.provider, vscodeModels: facts.vscodeModels },
    demo: models.demo,
    trusted: vscode.workspace.isTrusted,
    sendWith: readConfiguration().sendWith,
    sound: readConfiguration().sound,
    suggestions: suggestions.current,
    modes: offeredModes(),
    modelLabel: models.demo ? 'Demo' : modelLabel(model),
    selection: selection.chip(),
    platform: process.platform === 'darwin' ? 'mac' : 'other',
  });

  let followed: vscode.Disposable | undefined;
  let statusLine: StatusLine | undefined;
  const openedStatusLine = importedOnce(
    async () =>
      (statusLine = (await import('../status-line/status-line')).openStatusLine({
        rules,
        gate: options.hooks,
        environment: options.terminal.environment,
        chat: () => places.current()?.chat,
        style: async () => (await (await options.agent()).styles.current()).name,
        version: (context.extension.packageJSON as { version: string }).version,
      })),
  );
  /** Most people have none: its code comes with the first. */
  const statusChanged = (): void => {
    if (statusLine === undefined && rules.values().statusLine === undefined) return;
    void openedStatusLine().then(
      (line) => line.changed(),
      (error: unknown) => log.warn('The status line could not be loaded.', String(error)),
    );
  };
  const serversChanged = (): void => {
    everyChat((chat) => chat.settingsChanged());
    places.all().forEach(({ post }) => post({ type: 'mcpChanged' }));
  };

  const places = createChatPlaces({
    log,
    agent: options.agent,
    bind(agent, place) {
      const { webview, reveal, visible, onDidChangeVisibility } = place;
      const setBadge = (): void =>
        place.setBadge(
          host.chat.approvals.requests.length +
            host.chat.questions.requests.length +
            host.chat.mcpRequests.requests.length,
        );
      followed ??= vscode.Disposable.from(
        agent.mcp.onDidChange(serversChanged),
        agent.plugins.plugins.onDidChange(() => everyChat((chat) => chat.settingsChanged())),
      );
      const services: ChatServices = {
        clock: createSystemClock(),
        openSession: agent.openSession,
        sessionEnd: async (id) => options.store.end?.(id),
        readForeign: agent.foreign.read,
        followOwn: async (id, told) =>
          (await options.store.follow?.(id, told)) ?? { records: [], stop: () => undefined },
        copyCheckpoints: agent.copyCheckpoints,
        readOwn: async (id) => (await options.store.read?.(id)) ?? [],
        projection: () => ({
          registry: agent.registry,
          get folders() {
            return workspaceFolders();
          },
        }),
        proposals: plans.over(proposals),
        folders: workspaceFolders,
        surroundings: () => surroundings(host.chat.poster.state.model),
        // Written as in the cards, so that their Keep and Undo find their file.
        changes: () =>
          changes.changes().map((change) => ({ ...change, path: vscode.workspace.asRelativePath(change.path) })),
        selection: () => selection.input(),
        initialMode: () => initialMode(rules, context.workspaceState.get(lastModeKey)),
        initialModel: () => initialModel(rules, listed()),
        provider: () => models.client.provider,
        fitModel: (wanted) => models.fitModel(wanted, usualModel(listed())),
        modePicked: (mode) => {
          if (isKeptMode(mode)) void context.workspaceState.update(lastModeKey, mode);
        },
        settingsNotices: () => [
          ...settingsNotices(
            rules.problems(),
            rules.newGrants(),
            variableProblems({ ...process.env, ...rules.environment() }),
          ),
          ...agent.mcp.notices(),
          ...agent.plugins.plugins.notices(),
        ],
        notify: (event, text) => {
          setBadge();
          notifyPerson(event, text, visible(), reveal);
          // The chat plays the sound, where there is to be one.
          if (event === 'ended') host.post({ type: 'ended', notify: true });
        },
        waitingChanged: setBadge,
        titleChanged: place.setTitle,
        statusChanged,
        servers: agent.mcp.of,
        turnCompleted: sessions.turnCompleted,
        sessionChanged: (id) => {
          if (!place.inPanel) void context.workspaceState.update(lastSessionKey, id);
          suggestions.renew();
          statusChanged();
        },
        unsent: (prompt) => host.post({ type: 'unqueued', id: '', edit: true, taken: takenPrompt(prompt) }),
      };
      const handlers = createChatHandlers({
        ...options,
        plans,
        draftImages: path.join((context.storageUri ?? context.globalStorageUri).fsPath, 'draft-images'),
        memory: async () => agent.memory,
        version: (context.extension.packageJSON as { version: string }).version,
        history: sessions.history,
        mcp: async () => agent.mcp,
        workspaceFiles,
        selection,
        confirmMode,
      });
      const host: ChatHost = agent.bindChat({
        webview,
        extensionUri: context.extensionUri,
        services,
        handlers,
        reveal,
        visible,
        onDidChangeVisibility,
      });
      const before = place.inPanel ? place.sessionId : context.workspaceState.get<string>(lastSessionKey);
      void host.chat.open(before);
      // The login shell is asked ahead of the first command, but not ahead of the chat.
      setTimeout(options.terminal.prepare, prepareMs);
      void host.ready
        .then(() => prepareFirstMessage(host.chat))
        .catch((error: unknown) => log.debug('The first message was not prepared.', String(error)));
      void refresh();
      return host;
    },
  });

  const sessions = sessionCommands({
    ...options,
    chats: () => places.all().map(({ chat }) => chat),
    current: () => places.current()?.chat,
  });
  const commands = {
    ...sessions.commands,
    'deft.testPermissionRule': async (input?: TestRuleInput) => {
      // Weighs calls like a session does: code that only a chat needs.
      const { testRule } = await import('../commands/test-rule-command');
      await testRule(
        {
          rules,
          lastMode: () => context.workspaceState.get(lastModeKey),
          registry: async () => (await options.agent()).registry,
          files: options.files,
          current: places.current,
        },
        input,
      );
    },
    'deft.importSession': async (file?: vscode.Uri) =>
      (await import('../commands/import-session')).importSession(places.show, file),
    ...chatCommands({
      show: places.show,
      current: places.current,
      openInEditor: places.openInEditor,
      models: {
        client: models.client,
        available: () => rules.values().availableModels,
        environment: () => ({ ...process.env, ...rules.environment() }),
        usual: () => [readConfiguration().model, defaultModel],
      },
      confirmMode,
      offeredModes,
    }),
    ...contextCommands({ show: places.show, isHidden: options.isHidden }),
    ...leaveChat.commands,
    ...terminalOutputCommand({
      show: places.show,
      current: places.current,
      shellRuns: () => shellExecutions.runs,
      outputOf,
    }),
    ...commitMessageCommand({
      client: models.client,
      clock: createSystemClock(),
      isDemo: () => models.demo,
      model: () => places.current()?.chat.poster.state.model || initialModel(rules, listed()),
      isHidden: options.isHidden,
      settings: () => rules.load().then(rules.values, rules.values),
      used: (model, usage) => places.current()?.chat.countUsage(model, usage),
    }),
    ...keyCommands(models),
    ...providerCommands(models),
    ...reviewCommands({ proposals, changes }),
    'deft.rewind': async () => {
      const { chat, post } = places.current() ?? (await places.show());
      await (await import('../rewind/pick-prompt')).pickPrompt({ chat, post, changes });
    },
    'deft.showTasks': async () => {
      const { chat, post } = await places.show();
      (await import('../agents/background-view')).showTasks(chat, post);
    },
    ...options.hooks.commands,
    'deft.manageMcpServers': async () => (await places.show()).post({ type: 'showMcp' }),
    'deft.managePlugins': async () =>
      (await import('../plugins/show-plugins')).showPlugins((await options.agent()).plugins),
    ...plans.commands,
    'deft.showLog': () => options.channel.show(),
    'deft.reviewProjectSettings': () => reviewGrants(rules),
    'deft.startDemo': () => startDemo(context, models, places.show),
    'deft.openWalkthrough': () =>
      vscode.commands.executeCommand('workbench.action.openWalkthrough', 'deft-agent.deft#start', false),
  };

  const subscriptions: vscode.Disposable[] = [
    sessions,
    selection,
    suggestions,
    workspaceFiles,
    shellExecutions,
    plans,
    leaveChat,
    registerRuleTestFiles(),
    ...Object.entries(commands).map(([name, command]) =>
      vscode.commands.registerCommand(name, command as (...args: unknown[]) => unknown),
    ),
    vscode.window.registerUriHandler(
      createUriHandler({
        openSession: async (id) => (await places.show()).chat.open(id),
        signedIn: async (query) => (await options.agent()).mcp.signedIn(query),
        prefill: async (text) => (await places.show()).post({ type: 'insert', text }),
      }),
    ),
    models.onDidChange(setupChanged),
    changes.onDidChange(() => everyChat((chat) => chat.changesChanged())),
    proposals.onDecision(({ requestId, behavior }) =>
      everyChat(
        (chat) =>
          void chat.approvals.decide(requestId, behavior === 'accept' ? { behavior } : { behavior, feedback: '' }),
      ),
    ),
    proposals.onChange((change) => everyChat((chat) => void chat.proposalChanged(change))),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('deft')) setupChanged();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void refresh()),
    followWorkspaceFolders({ rules, log, chats: () => places.all().map(({ chat }) => chat) }),
    rules.onDidChange(() => {
      everyChat((chat) => chat.settingsChanged());
      // Their variables may name another provider.
      fitModels();
      statusChanged();
      void refresh();
    }),
    { dispose: options.terminal.onBackgroundEnd((command) => void backgroundEnded(command)) },
    options.diagnostics.onLate(({ session, text }) => everyChat((chat) => chat.remind(text, session))),
    vscode.languages.registerCodeActionsProvider('*', options.diagnostics.codeActions, {
      providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
    }),
  ];

  rules.onWillChange(
    async (source, file) =>
      !(await Promise.all(places.all().map(({ chat }) => chat.configChanged(source, file)))).includes(false),
  );
  openChatAtStart(context, models, places.show).catch((error: unknown) =>
    log.warn('The chat could not be opened at start.', String(error)),
  );

  return {
    async close() {
      clearTimeout(listing);
      followed?.dispose();
      statusLine?.dispose();
      await places.close();
      subscriptions.forEach((subscription) => subscription.dispose());
    },
  };
}
