// The agent of a window: the ports that only its tools need, the tools, the sessions and the chats. No activation waits for it: it is imported late.
import * as vscode from 'vscode';
import { type Memory } from '../../core/memory/memory';
import { tracksBy } from '../../core/tasks/task-lists';
import { teamsOn } from '../../core/text/teams-on';
import { reviewTool } from '../../core/tools/review';
import { withTeams } from '../../core/tools/teams/team-tools';
import { availabilityOf } from '../../core/tool/availability';
import { type SkillCatalogue } from '../../core/skills/skill-catalogue';
import { requestVariables } from '../../core/settings/request-variables';
import { type OutputStyles } from '../../core/styles/find-styles';
import { createToolRegistry, getTools, type ToolRegistry } from '../../core/tools/registry';
import { homeFolder } from '../../node/home-folder';
import { createNodeCheckpoints } from '../../node/checkpoints/node-checkpoints';
import { createExternalSessions, type ExternalSessions } from '../../node/sessions/external-sessions';
import { portPath } from '../../node/files/port-path';
import { sessionsDirectory } from '../../node/sessions/sessions-directory';
import { dismissedFindings } from '../comments/dismissed-findings';
import { createRunGit } from '../../node/worktrees/run-git';
import { createSessionTrees, type SessionTrees } from '../../node/worktrees/session-trees';
import { worktreesDirectory } from '../../node/worktrees/worktrees-directory';
import { bindChat, type ChatHost, type ChatHostOptions } from '../chat/chat-host';
import { pathOf } from '../host/uri-path';
import { readConfiguration } from '../host/configuration';
import { type WindowMcp } from '../mcp/window-mcp';
import { lastModeKey, listedModel } from '../session/initial-settings';
import { type RuleSource } from '../session/rule-source';
import { createSessionFactory } from '../session/session-factory';
import { type OpenSession, type SessionFactoryOptions } from '../session/session-factory-options';
import { readEnvironment, workspaceFolders } from '../host/workspace-facts';
import { type PluginWindow } from '../plugins/show-plugins';
import { showChatEntry } from '../status-line/chat-entry';
import { nativeFolders } from '../host/workspace-facts';
import { variablesNow } from '../session/variables-now';
import { type Availability } from '../../core/tool/tool';
import { createAgentMcp } from './agent-mcp';
import { type AgentOptions } from './agent-options';
import { createAgentPlugins, createFileContributions, createPluginWindow } from './file-contributions';
import { createToolProcesses, createWindowPorts, findWindowRipgrep, type WindowPorts } from './window-ports';

export interface Agent {
  /** Also with what only some sessions get: the chat shows calls of each. */
  readonly registry: ToolRegistry;
  readonly openSession: OpenSession;
  readonly mcp: WindowMcp;
  readonly memory: Memory;
  /** What other programs keep of this workspace. */
  readonly external: ExternalSessions;
  readonly skills: SkillCatalogue;
  /** For a fork of a session that is not open here. */
  copyCheckpoints(from: string, to: string): Promise<void>;
  readonly styles: OutputStyles;
  readonly plugins: PluginWindow;
  /** Worktrees that chats work in. */
  readonly trees: SessionTrees;
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

export function openAgent(options: AgentOptions): Agent {
  const { rules, store } = options;
  const saves = watchSaves();
  const chatEntry = showChatEntry();
  const processes = createToolProcesses(options);
  const plugins = createAgentPlugins(options);
  const mcp = createAgentMcp(options, plugins);
  const ports = createWindowPorts(options, processes, mcp.servers);
  const availability = availabilityInWindow(ports, rules);
  const registry = registryOfAll(availability);
  const contributions = createFileContributions(options, plugins);
  const checkpoints = createNodeCheckpoints({
    ripgrep: findWindowRipgrep,
    log: options.log,
    uuid: ports.uuid,
    early: true,
    savedSince: saves.since,
  });
  const trees = createSessionTrees(createRunGit(options.terminal.environment), worktreesDirectory(homeFolder()));
  const openSession = createSessionFactory({
    ...{ ports, store, checkpoints, trees, availability, rules, mcp },
    ...contributions,
    ...factsOfWindow(options, mcp),
    registry: () => registry,
  });
  return {
    registry,
    trees,
    memory: contributions.memory,
    skills: contributions.skills.catalogue,
    styles: contributions.styles,
    plugins: createPluginWindow(options, plugins),
    openSession: async (id, connection) => {
      await rules.load().catch(() => undefined);
      if (!requestVariables(variablesNow(rules)).variables.simple) mcp.start();
      // Their hooks look at the session from its start, and what they run must be what was agreed to.
      await plugins.refresh();
      return openSession(id, connection);
    },
    mcp,
    external: openExternalSessions(),
    copyCheckpoints: (from, to) =>
      checkpoints.copy(portPath(store.resultsDirectory(from)), portPath(store.resultsDirectory(to))),
    bindChat,
    close: async () =>
      void (
        chatEntry.dispose(),
        saves.dispose(),
        plugins.dispose(),
        await Promise.all([
          processes.repl.dispose(),
          processes.pages.dispose(),
          processes.sandbox.close(),
          mcp.dispose(),
        ])
      ),
  };
}

function availabilityInWindow(ports: WindowPorts, rules: RuleSource): Availability {
  const names = (name: string): boolean => rules.namesTool(name);
  return availabilityOf(ports, {
    interactive: true,
    platform: process.platform,
    names,
    tracks: tracksBy(() => variablesNow(rules), names),
    teams: () => teamsOn(variablesNow(rules)),
  });
}

/** With every tool that the settings could name one day. */
function registryOfAll(availability: Availability): ToolRegistry {
  return createToolRegistry([
    ...withTeams(
      getTools({
        isDenied: () => false,
        simple: false,
        availability: { ...availability, names: () => true, tracks: () => true, teams: () => true },
      }),
      true,
    ),
    reviewTool,
  ]);
}

/** What sessions ask of the window as it is at that moment. */
function factsOfWindow(
  { context, models, diagnostics, terminal, hooks, files }: AgentOptions,
  mcp: WindowMcp,
): Pick<
  SessionFactoryOptions,
  | 'diagnostics'
  | 'hooks'
  | 'environment'
  | 'outputDirectories'
  | 'listedModel'
  | 'fitModel'
  | 'lastMode'
  | 'findings'
  | 'secrets'
  | 'version'
> {
  return {
    diagnostics: diagnostics.of,
    hooks: hooks.judged,
    environment: () => readEnvironment(files),
    outputDirectories: () => terminal.outputDirectories(),
    listedModel: () => listedModel(models.client.provider, context.globalState),
    fitModel: (wanted, usual) => models.fitModel(wanted, usual),
    lastMode: () => context.workspaceState.get(lastModeKey),
    findings: { dismissed: () => dismissedFindings(context.workspaceState) },
    secrets: () => [...models.secrets(), ...mcp.secrets()],
    version: (context.extension.packageJSON as { version: string }).version,
  };
}

function openExternalSessions(): ExternalSessions {
  return createExternalSessions({
    home: homeFolder(),
    environment: process.env,
    folders: nativeFolders,
    cache: sessionsDirectory(
      homeFolder(),
      workspaceFolders()[0]?.path ?? homeFolder(),
      readConfiguration().sessionsDirectory,
    ),
  });
}
