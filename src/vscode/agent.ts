// The agent of a window: the ports that only its tools need, the tools, the sessions and the chats. No activation waits for it: it is imported late.
import * as os from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { type Memory } from '../core/memory/memory';
import { type Clock, type Log, type Ports, type SessionStore } from '../core/ports';
import { type Search } from '../core/ports/search';
import { smallModelOf } from '../core/model/models';
import { withMcpTools } from '../core/hooks/mcp-hook';
import { searchByPlace } from '../core/search/search-by-place';
import { createWalkSearch } from '../core/search/walk-search';
import { tracksBy } from '../core/tasks/task-lists';
import { teamsOn } from '../core/text/teams-on';
import { withTeams } from '../core/tools/teams/team-tools';
import { availabilityOf } from '../core/tool/availability';
import { type SkillCatalogue } from '../core/skills/skill-catalogue';
import { requestVariables } from '../core/settings/request-variables';
import { createOutputStyles, type OutputStyles } from '../core/styles/find-styles';
import { createToolRegistry, getTools, type ToolRegistry } from '../core/tools/registry';
import { createNodeCheckpoints } from '../node/checkpoints/node-checkpoints';
import { createNodeDocuments } from '../node/documents/node-documents';
import { createForeignSessions, type ForeignSessions } from '../node/sessions/external-sessions';
import { createNodeHookHandlers } from '../node/hooks/node-hook-handlers';
import { createNodeFileSystem } from '../node/files/node-file-system';
import { createNodeRepl } from '../node/repl/node-repl';
import { createNodeSandbox } from '../node/sandbox/node-sandbox';
import { findRipgrep } from '../node/search/ripgrep-path';
import { portPath } from '../node/files/port-path';
import { createRipgrepSearch } from '../node/search/ripgrep-search';
import { sessionsDirectory } from '../node/sessions/sessions-directory';
import { createGitWorktrees } from '../node/worktrees/git-worktrees';
import { createRunGit } from '../node/worktrees/run-git';
import { createWebClient } from '../node/web/web-client';
import { patternInThread } from '../node/search/pattern-thread';
import { markdownInThread } from '../node/web/web-markdown-thread';
import { windowAgentPlaces } from './agents/agent-files';
import { bindChat, type ChatHost, type ChatHostOptions } from './chat/chat-host';
import { pathOf, uriOf } from './host/uri-path';
import { readConfiguration, writeSettings } from './host/configuration';
import { createConfiguration, type Manifest } from './agent/configuration-port';
import { type VscodeDiagnostics } from './diagnostics/vscode-diagnostics';
import { broughtHooks } from '../core/subagents/contributed-hooks';
import { loadAgents } from '../core/subagents/load-agents';
import { type HookGate } from './hooks/hook-gate';
import { createWindowMemory } from './memory/window-memory';
import { createLanguages } from './languages/vscode-languages';
import { createMcpConsent } from './mcp/mcp-consent';
import { createMcpFiles } from './mcp/mcp-files';
import { createMcpInputs } from './mcp/mcp-inputs';
import { createSignIns } from './mcp/sign-in';
import { createSignInWindow } from './mcp/sign-in-window';
import { createWindowMcp, type WindowMcp } from './mcp/window-mcp';
import { type ModelSource } from './model/model-source';
import { type CellWatcher, createVscodeNotebooks } from './notebooks/vscode-notebooks';
import { createAgreements } from './session/agreements';
import { lastModeKey, listedModel } from './session/initial-settings';
import { type RuleSource } from './session/rule-source';
import { createSessionFactory, type OpenSession } from './session/session-factory';
import { readEnvironment, workspaceFolders } from './host/workspace-facts';
import { createPluginActions } from './plugins/plugin-actions';
import { type PluginWindow } from './plugins/show-plugins';
import { createWindowPlugins } from './plugins/window-plugins';
import { showChatEntry } from './status-line/chat-entry';
import { createClaudeFolders, createWindowSkills, hiddenInWindow } from './skills/window-skills';
import { chosenStyle } from './styles/chosen-style';
import { type VscodeTerminal } from './terminal/vscode-terminal';

export interface AgentOptions {
  context: vscode.ExtensionContext;
  clock: Clock;
  log: Log;
  models: ModelSource;
  files: Ports['files'];
  diagnostics: VscodeDiagnostics;
  terminal: VscodeTerminal;
  rules: RuleSource;
  hooks: HookGate;
  store: SessionStore;
  /** Notes what is written into cells of open notebooks. */
  watchCells: CellWatcher;
}

export interface Agent {
  /** Also with what only some sessions get: the chat shows calls of each. */
  readonly registry: ToolRegistry;
  readonly openSession: OpenSession;
  readonly mcp: WindowMcp;
  readonly memory: Memory;
  /** What other programs keep of this workspace. */
  readonly foreign: ForeignSessions;
  readonly skills: SkillCatalogue;
  /** For a fork of a session that is not open here. */
  copyCheckpoints(from: string, to: string): Promise<void>;
  readonly styles: OutputStyles;
  readonly plugins: PluginWindow;
  bindChat(options: ChatHostOptions): ChatHost;
  close(): Promise<void>;
}

/** Far more than are saved while one command runs. */
const maxSaves = 5_000;

/** The files that were saved in this window, each with the time, the latest last. */
function watchSaves(): { since: (time: number) => ReadonlySet<string> } & vscode.Disposable {
  const saves = new Map<string, number>();
  const note = ({ uri }: { uri: vscode.Uri }): void => {
    const path = pathOf(uri);
    saves.delete(path);
    saves.set(path, Date.now());
    const [oldest] = saves.keys();
    if (saves.size > maxSaves && oldest !== undefined) saves.delete(oldest);
  };
  const subscription = vscode.Disposable.from(
    vscode.workspace.onDidSaveTextDocument(note),
    vscode.workspace.onDidSaveNotebookDocument(note),
  );
  return {
    since: (time) => new Set([...saves].flatMap(([path, at]) => (at >= time ? [path] : []))),
    dispose: () => subscription.dispose(),
  };
}

export function openAgent({
  context,
  clock,
  log,
  models,
  files,
  diagnostics,
  terminal,
  rules,
  hooks,
  store,
  watchCells,
}: AgentOptions): Agent {
  const { version } = context.extension.packageJSON as { version: string };
  const saves = watchSaves();
  const chatEntry = showChatEntry();
  const repl = createNodeRepl({ environment: terminal.environment });
  const sandbox = createNodeSandbox({
    file: context.asAbsolutePath('dist/sandbox-worker.js'),
    environment: terminal.environment,
    ripgrep: () => findRipgrep({ appRoot: vscode.env.appRoot, searchPath: process.env['PATH'] }),
  });
  const nativeFolders = (): string[] =>
    (vscode.workspace.workspaceFolders ?? []).flatMap(({ uri }) => (uri.scheme === 'file' ? [uri.fsPath] : []));
  const plugins = createWindowPlugins({
    rules,
    home: os.homedir(),
    environment: process.env,
    folders: nativeFolders,
    log,
  });
  hooks.addSource(() => plugins.feed().hooks, plugins.refuses);
  terminal.searchIn(plugins.searched);
  const mcp = createWindowMcp({
    rules,
    plugins: {
      servers: async () => (await plugins.ready()).servers,
      refuses: plugins.refuses,
      onDidChange: plugins.onDidChange,
    },
    consent: createMcpConsent(context.globalState, context.workspaceState),
    files: createMcpFiles({
      files: createNodeFileSystem(),
      home: os.homedir(),
      environment: process.env,
      folders: nativeFolders,
      localSettings: () => rules.current().savesTo,
    }),
    signIns: createSignIns({ secrets: context.secrets, window: createSignInWindow(context.extension.id) }),
    inputs: createMcpInputs(context.secrets),
    environment: terminal.environment,
    secrets: () => models.secrets(),
    model: models.client,
    clock,
    smallModel: () => smallModelOf({ ...process.env, ...rules.environment() }),
    version,
  });
  const ports: Omit<Ports, 'approver' | 'questioner' | 'sessions'> = {
    files,
    search: createSearch(files, context),
    terminal,
    diagnostics,
    languages: createLanguages(files),
    model: models.client,
    clock,
    uuid: () => crypto.randomUUID(),
    log,
    configuration: createConfiguration(
      context.extension.packageJSON as Manifest,
      () => vscode.workspace.getConfiguration('deft'),
      () => rules.current().rules,
    ),
    // VS Code's proxy settings work underneath.
    web: createWebClient({ version, toMarkdown: markdownInThread(context.asAbsolutePath('dist/web-markdown.js')) }),
    notebooks: createVscodeNotebooks({ files, settings: writeSettings, watch: watchCells }),
    documents: createNodeDocuments({ workers: path.join(context.extensionPath, 'dist') }),
    repl,
    sandbox,
    hooks: withMcpTools(createNodeHookHandlers({ environment: terminal.environment }), mcp.servers),
    mcp: mcp.servers,
    worktrees: createGitWorktrees(createRunGit(terminal.environment)),
  };
  const environment = (): Readonly<Record<string, string | undefined>> => ({ ...process.env, ...rules.environment() });
  const availability = availabilityOf(ports, {
    interactive: true,
    platform: process.platform,
    names: rules.namesTool,
    tracks: tracksBy(environment),
    teams: () => teamsOn(environment()),
  });
  const registry = createToolRegistry(
    withTeams(
      getTools({
        isDenied: () => false,
        simple: false,
        availability: { ...availability, names: () => true, tracks: () => true, teams: () => true },
      }),
      true,
    ),
  );
  const memory = createWindowMemory({ files, rules, agreements: createAgreements(context.globalState) });
  const claudeFolders = createClaudeFolders(rules);
  const skills = createWindowSkills({
    files,
    rules,
    folders: claudeFolders,
    plugins: async () => (await plugins.ready()).skills,
  });
  hooks.brings(async () =>
    broughtHooks(
      (await loadAgents({ files, places: await windowAgentPlaces(), trusted: true })).agents,
      (await skills.catalogue.list()).skills,
    ),
  );
  const checkpoints = createNodeCheckpoints({
    ripgrep: () => findRipgrep({ appRoot: vscode.env.appRoot, searchPath: process.env['PATH'] }),
    log,
    uuid: ports.uuid,
    early: true,
    savedSince: saves.since,
  });
  const styles = createOutputStyles({
    files,
    folders: claudeFolders,
    plugins: async () => (await plugins.ready()).styles,
    trusted: () => vscode.workspace.isTrusted,
    isHidden: hiddenInWindow(rules),
    chosen: () => chosenStyle(rules),
  });
  const openSession = createSessionFactory({
    ports,
    store,
    checkpoints,
    diagnostics: diagnostics.of,
    registry: () => registry,
    availability,
    rules,
    hooks: hooks.judged,
    skills,
    memory,
    styles,
    agentPlaces: async () => [...(await windowAgentPlaces()), ...(await plugins.ready()).agents],
    environment: readEnvironment,
    outputDirectories: () => terminal.outputDirectories(),
    listedModel: () => listedModel(models.client.provider, context.globalState),
    fitModel: (wanted, usual) => models.fitModel(wanted, usual),
    lastMode: () => context.workspaceState.get(lastModeKey),
    mcp: mcp.of,
    startServers: mcp.startServers,
    secrets: () => [...models.secrets(), ...mcp.secrets()],
    version,
  });
  return {
    registry,
    memory,
    skills: skills.catalogue,
    styles,
    plugins: {
      plugins,
      rules,
      actions: createPluginActions({
        plugins,
        rules,
        trusted: () => vscode.workspace.isTrusted,
        files: createNodeFileSystem(),
        home: os.homedir(),
        environment: terminal.environment,
      }),
    },
    openSession: async (id, connection) => {
      await rules.load().catch(() => undefined);
      if (!requestVariables(environment()).variables.simple) mcp.start();
      // Their hooks look at the session from its start, and what they run must be what was agreed to.
      await plugins.refresh();
      return openSession(id, connection);
    },
    mcp,
    foreign: createForeignSessions({
      home: os.homedir(),
      environment: process.env,
      folders: nativeFolders,
      cache: sessionsDirectory(
        os.homedir(),
        workspaceFolders()[0]?.path ?? os.homedir(),
        readConfiguration().sessionsDirectory,
      ),
    }),
    copyCheckpoints: (from, to) =>
      checkpoints.copy(portPath(store.resultsDirectory(from)), portPath(store.resultsDirectory(to))),
    bindChat,
    close: async () =>
      void (
        chatEntry.dispose(),
        saves.dispose(),
        plugins.dispose(),
        await Promise.all([repl.dispose(), sandbox.close(), mcp.dispose()])
      ),
  };
}

/** ripgrep where a folder is on the disk, the filesystem API where it is not. */
function createSearch(files: Ports['files'], context: vscode.ExtensionContext): Search {
  const ripgrep = createRipgrepSearch(() =>
    findRipgrep({ appRoot: vscode.env.appRoot, searchPath: process.env['PATH'] }),
  );
  const walk = createWalkSearch(files, {
    openPattern: patternInThread(context.asAbsolutePath('dist/pattern-worker.js')),
  });
  return searchByPlace((path) => uriOf(path).scheme === 'file', ripgrep, walk);
}
