// All chats of a window with their commands: binds places, sessions, reviews and notices together.
import { setImmediate as nextTask } from 'node:timers/promises';
import * as vscode from 'vscode';
import { type BackgroundCommand } from '../../core/ports/terminal';
import { backgroundEndText } from '../../core/tool/background-end';
import { type Agent } from '../agent/agent';
import { registerRuleTestFiles } from '../commands/rule-test-files';
import { readListedModel } from '../session/read-listed-model';
import { followWorkspaceFolders } from '../session/workspace-changes';
import { createUriHandler } from '../host/uri-handler';
import { openChatAtStart } from '../commands/start-demo';
import { type Chat } from '../chat/conversation/chat';
import { type ChatHost } from '../chat/chat-host';
import { handlerServices } from './needs-of-handlers';
import { createChatTree } from '../worktrees/chat-tree';
import { type BindChat, type ChatWindowOptions, prepareMs, WindowParts } from './window-parts';
import { chatServices, lastSessionKey } from './needs-of-chat';
import { openRow, openSessionInChat, openSessionInTab } from './open-session-in-chat';
import { createSessionsView } from './sessions-view';
import { registerWayBackTools } from './way-back-tools';
import { windowCommands } from './window-commands';

export interface ChatWindow {
  /** Of the chat that shows this session; undefined where none does. */
  titleOf(session: string): string | undefined;
  /** An edit at the cursor shows this proposal where it belongs. */
  showsInline(requestId: string): boolean;
  /** Shows the chat with this session, in a tab of its own where none has it. */
  reveal(session: string): void;
  /** Stops the turns; resolves when their logs are closed. */
  close(): Promise<void>;
}

export function createChatWindow(options: ChatWindowOptions): ChatWindow {
  const { context, log, models, rules } = options;
  let followed: vscode.Disposable | undefined;
  const window = new WindowParts(options, (parts, agent, place) => {
    followed ??= followAgent(parts, agent);
    return bindToPlace(parts, agent, place);
  });
  const subscriptions = followWindow(window);
  rules.onWillChange(
    async (source, file) =>
      !(await Promise.all(window.chats().map((chat) => chat.configChanged(source, file)))).includes(false),
  );
  openChatAtStart(context, models, () => window.places.show()).catch((error: unknown) =>
    log.warn('The chat could not be opened at start.', String(error)),
  );
  return {
    titleOf: (session) => window.openChats().find((chat) => chat.session === session)?.title,
    showsInline: (requestId) => window.inline.shows(requestId),
    reveal: (session) =>
      void openSessionInTab(window.places, session).catch((error: unknown) =>
        log.warn('The chat of a change could not be opened.', String(error)),
      ),
    async close() {
      followed?.dispose();
      window.stopWaiting();
      await window.places.close();
      window.dispose();
      subscriptions.forEach((subscription) => subscription.dispose());
    },
  };
}

const bindToPlace: BindChat = (window, agent, place) => {
  const { options } = window;
  const { context, log } = options;
  const tree = createChatTree(agent.trees, () => host.chat.poster.surroundingsChanged());
  const host: ChatHost = agent.bindChat({
    webview: place.webview,
    extensionUri: context.extensionUri,
    services: chatServices(window, agent, place, tree, () => host),
    handlers: handlerServices(window, agent, tree),
    reveal: place.reveal,
    visible: place.visible,
    onDidChangeVisibility: place.onDidChangeVisibility,
  });
  window.trees.set(host, tree);
  window.signs.add(host, place);
  const before = place.inPanel ? place.sessionId : context.workspaceState.get<string>(lastSessionKey);
  // While the view is still being drawn, this process has nothing else to do.
  void host.chat
    .open(before)
    .then(() => prepareFirstMessage(options, host.chat))
    .catch((error: unknown) => log.debug('The first message was not prepared.', String(error)));
  // The login shell is asked ahead of the first command, and the files are listed ahead of the first "@", but not ahead of the chat.
  setTimeout(options.terminal.prepare, prepareMs);
  setTimeout(window.workspaceFiles.prepare, prepareMs);
  void window.refresh();
  return host;
};

/** While the user writes: the vendor's code, the tools' schemas, and a connection; each a task of its own, so that none blocks the window for long. */
async function prepareFirstMessage({ context, models, log }: ChatWindowOptions, chat: Chat): Promise<void> {
  await nextTask();
  await models.prepare();
  await nextTask();
  await (await chat.session()).requests.prepare();
  await nextTask();
  await readListedModel(context, models, log);
}

function followAgent(window: WindowParts, agent: Agent): vscode.Disposable {
  const settingsChanged = (): void => window.everyChat((chat) => chat.settingsChanged());
  // No activation waits for them.
  window.comments.restore();
  return vscode.Disposable.from(
    agent.mcp.onDidChange(() => {
      settingsChanged();
      window.places.all().forEach(({ post }) => post({ type: 'mcpChanged' }));
    }),
    agent.plugins.plugins.onDidChange(settingsChanged),
    window.options.hooks.onDidAllow(settingsChanged),
  );
}

function followWindow(window: WindowParts): vscode.Disposable[] {
  const { models, changes, proposals, rules, log, terminal, diagnostics, agent } = window.options;
  let named = '';
  return [
    registerRuleTestFiles(),
    ...registerWayBackTools(window),
    ...Object.entries(windowCommands(window)).map(([name, command]) =>
      vscode.commands.registerCommand(name, command as (...args: unknown[]) => unknown),
    ),
    vscode.window.registerUriHandler(
      createUriHandler({
        openSession: (id) => openSessionInChat(window.places, id),
        signedIn: async (query) => (await agent()).mcp.signedIn(query),
        prefill: async (text) => (await window.places.show()).post({ type: 'insert', text }),
      }),
    ),
    createSessionsView({
      board: window.board,
      iconOf: window.iconOf,
      marks: window.marks,
      open: (row) => openRow(window.places, row),
      rename: async (session, title) => {
        await (await window.sessions.history()).rename(session, title);
        window.board.changedElsewhere();
      },
    }),
    window.board.onDidChange(() => {
      window.places.all().forEach(({ post }) => post({ type: 'sessionsChanged' }));
      const before = named;
      named = JSON.stringify(window.openChats());
      if (named !== before) changes.chatsChanged();
    }),
    models.onDidChange(window.setupChanged),
    changes.onDidChange(() => {
      window.everyChat((chat) => chat.changesChanged());
      window.places.all().forEach((host) => window.signs.changed(host));
    }),
    window.comments.onDidChange(window.draftsChanged),
    changes.onDidUndo((path) => window.everyChat((chat) => chat.acted('undone', [path]))),
    proposals.onDecision(({ requestId, behavior }) =>
      window.everyChat(
        (chat) =>
          void chat.approvals.decide(requestId, behavior === 'accept' ? { behavior } : { behavior, feedback: '' }),
      ),
    ),
    proposals.onChange((change) => window.everyChat((chat) => void chat.proposalChanged(change))),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('deft')) window.setupChanged();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void window.refresh()),
    followWorkspaceFolders({ rules, log, chats: () => window.chats() }),
    rules.onDidChange(() => {
      window.everyChat((chat) => chat.settingsChanged());
      // Their variables may name another provider.
      window.fitModels();
      window.statusChanged();
      void window.refresh();
    }),
    { dispose: terminal.onBackgroundEnd((command) => void backgroundEnded(window, command)) },
    diagnostics.onLate(({ session, text }) => window.everyChat((chat) => chat.remind(text, session))),
    vscode.languages.registerCodeActionsProvider('*', diagnostics.codeActions, {
      providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
    }),
  ];
}

async function backgroundEnded(window: WindowParts, command: BackgroundCommand): Promise<void> {
  const reached = await Promise.all(window.chats().map((chat) => chat.backgroundEnded(command)));
  if (reached.includes(true)) return;
  // Its session is open nowhere: the user at least should know.
  const sessions = command.session === undefined ? [] : await window.options.store.list().catch(() => []);
  const title = sessions.find(({ id }) => id === command.session)?.title;
  const where = title === undefined ? 'In the background' : `In the background of “${title}”`;
  window.everyChat((chat) => chat.notice('info', `${where}: ${command.command}`, backgroundEndText(command)));
}
