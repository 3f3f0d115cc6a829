// What a window supplies to one of its sessions: ports, settings with their tools and permissions, and features.
import { defined } from '../../shared/defined';
import * as vscode from 'vscode';
import { homeFolder } from '../../node/home-folder';
import { resumedMode } from '../../core/calls/permission-state';
import { settingsOfFiles } from '../../core/session/settings-of-files';
import { type FeatureFacts, standardFeatures } from '../../core/features/standard-features';
import { defaultSilenceMs } from '../../core/loop/silence';
import { type AgentHost } from '../../core/features/subagents/agent-host';
import { createAgentHost } from '../../core/features/subagents/create-agent-host';
import { type ContextSource } from '../../core/context/context-source';
import { createGitSource } from '../../core/context/git-source';
import { createMemorySource } from '../../core/memory/memory-source';
import { hiddenNow } from '../../core/permissions/files/hidden-paths';
import { ownPlans } from '../../core/plan/plan-file';
import { type Ports } from '../../core/ports/ports';
import { type SessionLog } from '../../core/ports/session-store';
import { type SessionCheckpoints } from '../../core/ports/checkpoints';
import { type OpenSandbox, requiredSandbox, sandboxLimits } from '../../core/sandbox/tool-sandbox';
import { type SessionRecord } from '../../core/ports/record';
import { questionTimeoutMs } from '../../core/settings/question-timeout';
import { fallbackWithin } from '../../core/settings/fallback-models';
import { type RequestVariables } from '../../core/settings/request-variables';
import { createStyleSource } from '../../core/styles/style-source';
import { commandLimits } from '../../core/settings/command-limits';
import { createToolRegistry, getTools, withCommandLimits } from '../../core/tools/registry';
import { withTeams } from '../../core/tools/teams/team-tools';
import { type AnyTool } from '../../core/tool/tool';
import {
  createLeftWorktreeSource,
  createWorktreeSource,
  permissionInTree,
} from '../../core/worktrees/session-worktree';
import { portPath } from '../../node/files/port-path';
import { personalFolder } from '../../node/settings-files';
import { readConfiguration } from '../host/configuration';
import { pathOf } from '../host/uri-path';
import { initialMode, offeredMode } from './initial-settings';
import { type RuleSource } from './rule-source';
import {
  type SessionSettings,
  type SessionPlace,
  type InitialChoices,
  type PermissionSettings,
} from '../../core/feature/session-settings';
import { type FeatureFactory } from '../../core/feature/session-feature';
import { type SessionConnection, type SessionFactoryOptions } from './session-factory-options';
import { ignoresCase, type SessionTree } from './session-tree';
import { startRefusal } from './start-refusal';
import { variablesNow } from './variables-now';

/** A session that is about to open: what of it stands already. */
export interface SessionFacts {
  log: SessionLog;
  records: SessionRecord[];
  connection: SessionConnection;
  variables: RequestVariables;
  sandbox: OpenSandbox | undefined;
  place: SessionPlace;
  /** It works in a worktree of its own. */
  tree?: SessionTree;
}

export function portsOfSession(
  { ports: { worktrees, git, ...ports }, diagnostics, mcp, store, rules }: SessionFactoryOptions,
  { log, connection, variables }: SessionFacts,
): Ports {
  const own = diagnostics(log.id);
  return {
    ...ports,
    // git would take the path of a virtual workspace for one of this machine.
    ...(isOnDisk() ? defined({ worktrees, git }) : {}),
    diagnostics: own,
    problems: own,
    approver: connection.approver,
    questioner: connection.questioner,
    // In the simple mode none is started: a turn would wait for them.
    ...(variables.simple ? {} : { mcp: mcp.of(connection.mcpPeople) }),
    sessions: store,
    permissionStore: rules.store,
  };
}

export function settingsOfSession(
  options: SessionFactoryOptions,
  facts: SessionFacts,
  choices: InitialChoices,
): SessionSettings {
  const { rules, version, secrets } = options;
  const { log, records, connection, variables, sandbox, place } = facts;
  return {
    ...settingsOfWindow(rules, variables, sandbox),
    registry: createToolRegistry(sessionTools(options, sandbox, variables)),
    ...{ log, records, emit: connection.emit, version, secrets, place, choices },
    permission: {
      mode: offeredMode(resumedMode(records), rules) ?? initialMode(rules, options.lastMode()),
      current: permissionOf(options, facts),
      autoRules: () => rules.values().autoMode,
    },
    checkpoints: checkpointsOf(options, facts),
  };
}

export function featuresOfSession(options: SessionFactoryOptions, facts: SessionFacts): FeatureFactory[] {
  const { rules } = options;
  const { records, connection, place } = facts;
  const permission = permissionOf(options, facts);
  const isHidden = hiddenNow(() => ({ ...permission(), mode: 'default', cwd: place.environment.cwd }));
  const memory = createMemorySource({
    memory: options.memory,
    isHidden,
    trusted: () => vscode.workspace.isTrusted,
    secrets: options.secrets,
  });
  return standardFeatures({
    sources: [
      memory,
      createStyleSource(options.styles.current, records),
      ...gitSources(options, facts),
      ...treeSources(facts),
    ],
    hooks: options.hooks,
    ...startOf(connection, records),
    skills: options.skills,
    budget: { limit: () => readConfiguration().sessionBudget, counts: 'session' },
    fallback: () =>
      fallbackWithin(rules.values().fallbackModel, rules.values().availableModels, variablesNow(rules), false),
    agents: agentsOf(options, facts, isHidden),
    findings: options.findings,
    startRefusal: () => startRefusal(rules) ?? requiredSandbox(facts.sandbox, rules.sandboxRequiredBy()),
  });
}

function treeSources({ tree, records, place }: SessionFacts): ContextSource[] {
  const source =
    tree === undefined
      ? createLeftWorktreeSource(records, place.environment.cwd)
      : createWorktreeSource(tree.view, tree.restored);
  return source === undefined ? [] : [source];
}

/** Read at once, so that no prompt waits for it. What git obeys in a repository is the repository's: none without trust. */
function gitSources(
  { ports: { git }, rules, secrets }: SessionFactoryOptions,
  { place }: SessionFacts,
): ContextSource[] {
  const { cwd, folders } = place.environment;
  const wanted = rules.values().includeGitInstructions !== false && vscode.workspace.isTrusted && isOnDisk();
  return git === undefined || !wanted || folders.length === 0 ? [] : [createGitSource(git.state(cwd), secrets)];
}

/** Asked at every decision. */
function permissionOf(
  { rules, outputDirectories }: SessionFactoryOptions,
  { log, tree, place: { home, resultsDirectory } }: SessionFacts,
): PermissionSettings['current'] {
  return () => {
    const context = {
      ...rules.current(),
      ownFolders: [resultsDirectory, log.path, ownPlans(home), ...outputDirectories()],
      home,
      ignoreCase: ignoresCase,
      trusted: vscode.workspace.isTrusted,
    };
    return tree === undefined ? context : permissionInTree(context, tree.view, tree.environment.folders);
  };
}

function checkpointsOf(
  { rules, checkpoints }: SessionFactoryOptions,
  { log, place, tree }: SessionFacts,
): SessionCheckpoints | undefined {
  if (!isOnDisk() || rules.values().fileCheckpointingEnabled === false) return undefined;
  const { resultsDirectory, environment } = place;
  const opened = checkpoints.open({ id: log.id, resultsDirectory, folders: environment.folders });
  // A worktree is always on the disk, and no folder of the workspace.
  return tree === undefined ? ofDisk(opened) : opened;
}

/** A session that continues has no start. */
function startOf(
  { copy, startSource }: SessionConnection,
  records: readonly SessionRecord[],
): Pick<FeatureFacts, 'startSource'> {
  // A new session in a worktree begins with a record that says so.
  const isNew = !records.some(({ type }) => type === 'user');
  if (copy !== undefined) return { startSource: isNew ? startSource : 'fork' };
  return records.length > 0 ? {} : { startSource };
}

function agentsOf(
  { ports, store, rules, mcp, agentPlaces, secrets }: SessionFactoryOptions,
  { log, variables, place: { environment } }: SessionFacts,
  isHidden: (path: string) => boolean,
): AgentHost {
  return createAgentHost({
    files: ports.files,
    places: async () => ({ places: await agentPlaces(), trusted: vscode.workspace.isTrusted }),
    isHidden,
    secrets,
    logs: () => store.agentLogs?.(log.id),
    environment: () => variablesNow(rules),
    memoryPlaces: !isOnDisk()
      ? undefined
      : {
          personalFolder: portPath(personalFolder(process.env, homeFolder())),
          project: () => environment.folders[0],
        },
    ...(variables.simple ? {} : { startServers: (servers, file) => mcp.startServers(servers, file) }),
  });
}

/** What the settings of this window say of requests, turns and tools. */
function settingsOfWindow(
  rules: RuleSource,
  variables: RequestVariables,
  sandbox: OpenSandbox | undefined,
): Pick<SessionSettings, 'requests' | 'turns' | 'tools'> {
  const { requests, turns, tools } = settingsOfFiles(() => rules.values(), variables);
  return {
    requests: {
      ...requests,
      strictTools: readConfiguration().strictTools || variables.strictTools,
      cacheLifetime: () => (variables.withoutCaching ? 'off' : readConfiguration().cacheLifetime),
      contextManagement: () => {
        const { contextManagement } = readConfiguration();
        return contextManagement === 'default' ? (variables.contextManagement ?? 'default') : contextManagement;
      },
    },
    turns: { ...turns, silenceMs: defaultSilenceMs, asksAhead: true },
    tools: { ...tools, questionTimeoutMs: () => questionTimeoutMs(rules.values()), ...defined({ sandbox }) },
  };
}

/** Without what a rule denies or nothing names, within the limits that the user has set. */
function sessionTools(
  { registry, rules, availability, ports }: SessionFactoryOptions,
  sandbox: OpenSandbox | undefined,
  { simple, withoutBackground }: RequestVariables,
): AnyTool[] {
  const { limits, problems } = commandLimits(process.env, rules.environment());
  for (const problem of problems) ports.log.warn(problem);
  const wanted = getTools(
    { isDenied: (name) => rules.removesTool(name), simple, availability: { ...availability, runsCommands } },
    registry().all(),
  );
  return withCommandLimits(withTeams(wanted, availability.teams?.() ?? false), {
    ...limits,
    withoutBackground,
    gitInstructions: rules.values().includeGitInstructions !== false,
    ...sandboxLimits(sandbox),
  });
}

/** Commands of a virtual workspace run elsewhere, if at all. */
export function isOnDisk(): boolean {
  return (vscode.workspace.workspaceFolders ?? []).every(({ uri }) => uri.scheme === 'file');
}

/** In a workspace of which nothing is on a disk, a command would find none of its files. */
function runsCommands(): boolean {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.length === 0 || folders.some(({ uri }) => uri.scheme === 'file');
}

/** A folder that comes later may be on no disk: there are no checkpoints of that. */
function ofDisk(checkpoints: SessionCheckpoints): SessionCheckpoints {
  const onDisk = (): string[] =>
    (vscode.workspace.workspaceFolders ?? []).flatMap(({ uri }) => (uri.scheme === 'file' ? [pathOf(uri)] : []));
  return {
    prompt: (id, text) => checkpoints.prompt(id, text),
    before: (call) => checkpoints.before(call),
    points: () => checkpoints.points(),
    preview: (to) => checkpoints.preview(to),
    leftByCommands: (undone) => checkpoints.leftByCommands(undone),
    rewind: (to, steps) => checkpoints.rewind(to, steps),
    changedBy: (id) => checkpoints.changedBy(id),
    bytes: (state) => checkpoints.bytes(state),
    follow: (folders) => checkpoints.follow(folders.filter((folder) => onDisk().includes(folder))),
    copyTo: (session) => checkpoints.copyTo(session),
    close: () => checkpoints.close(),
  };
}
