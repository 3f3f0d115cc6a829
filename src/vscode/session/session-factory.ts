// Opens sessions on VS Code's ports: a new log or an existing one, with the rules that hold in this window.
import * as os from 'node:os';
import { setImmediate as nextTask } from 'node:timers/promises';
import * as vscode from 'vscode';
import { lastSetting, resumedMode } from '../../core/calls/permission-state';
import { thinkingChoices } from '../../core/session/chosen-effort';
import { AgentSession } from '../../core/agent/session';
import { defaultSilenceMs } from '../../core/loop/silence';
import { type SessionEvent } from '../../core/events/session-event';
import { type Environment } from '../../core/text/environment-reminder';
import { type AgentPlace } from '../../core/subagents/agent-places';
import { type AgentHost } from '../../core/features/subagents/agent-host';
import { createAgentHost } from '../../core/features/subagents/create-agent-host';
import { type JudgedHooks } from '../../core/hooks/hook-settings';
import { type Memory } from '../../core/memory/memory';
import { createMemorySource } from '../../core/memory/memory-source';
import { smallModelOf } from '../../core/model/models';
import { hiddenNow } from '../../core/permissions/files/hidden-paths';
import { ownPlans } from '../../core/plan/plan-file';
import { type PermissionContext } from '../../core/permissions/rules/verdict';
import { DeftError } from '../../core/text/errors';
import { type Approver, type Clock, type Ports, type SessionLog, type SessionStore } from '../../core/ports';
import { type Checkpoints, type SessionCheckpoints } from '../../core/ports/checkpoints';
import { type McpPeople, type McpServers } from '../../core/ports/mcp';
import { type Questioner } from '../../core/ports/questions';
import { openSandbox, type OpenSandbox, sandboxLimits } from '../../core/sandbox/tool-sandbox';
import { type SessionSkillOptions } from '../../core/skills/skill-options';
import { foldInSlices } from '../../core/sessions/fold-slices';
import { type SessionRecord } from '../../core/ports/record';
import { questionTimeoutMs } from '../../core/settings/question-timeout';
import { fallbackWithin } from '../../core/settings/fallback-models';
import { commitAttribution } from '../../core/settings/commit-attribution';
import { answerLanguage } from '../../core/settings/answer-language';
import { requestVariables, sessionLimits } from '../../core/settings/request-variables';
import { type OutputStyles } from '../../core/styles/find-styles';
import { createStyleSource } from '../../core/styles/style-source';
import { commandLimits } from '../../core/settings/command-limits';
import { createToolRegistry, getTools, type ToolRegistry, withCommandLimits } from '../../core/tools/registry';
import { withTeams } from '../../core/tools/teams/team-tools';
import { type AnyTool, type Availability } from '../../core/tool/tool';
import { portPath } from '../../node/files/port-path';
import { personalFolder } from '../../node/settings-files';
import { readConfiguration } from '../host/configuration';
import { pathOf } from '../host/uri-path';
import { initialMode, initialModel, offeredMode, usualModel } from './initial-settings';
import { type PermissionMode } from '../../shared/permission';
import { type ModelSource } from '../model/model-source';
import { type RuleSource } from './rule-source';

export interface SessionFactoryOptions {
  ports: Omit<Ports, 'approver' | 'questioner' | 'sessions'>;
  store: SessionStore;
  checkpoints: Checkpoints;
  /** As one session asks for problems. */
  diagnostics: (session: string) => Ports['diagnostics'];
  registry: () => ToolRegistry;
  memory: Memory;
  /** What this host offers, and what the settings name now. */
  availability: Availability;
  rules: RuleSource;
  /** Where agent files lie now. */
  agentPlaces: () => Promise<readonly AgentPlace[]>;
  /** The hooks that may run now. */
  hooks: () => JudgedHooks;
  environment: () => Promise<Environment>;
  /** The servers as one chat's sessions call them. */
  mcp: (people: McpPeople) => McpServers;
  /** Servers that an agent's own file describes. */
  startServers: AgentHost['startServers'];
  skills: SessionSkillOptions;
  styles: OutputStyles;
  /** Folders of Deft's own that the model may read: command output. */
  outputDirectories: () => string[];
  version: string;
  /** Credentials that no tool result may hold. */
  secrets: () => readonly string[];
  /** The newest Opus of the account, where its list has been read. */
  listedModel: () => string | undefined;
  fitModel: ModelSource['fitModel'];
  /** The mode that the person picked last in this workspace. */
  lastMode: () => PermissionMode | undefined;
}

export interface SessionConnection {
  emit: (event: SessionEvent) => void;
  approver: Approver;
  questioner: Questioner;
  /** Asked what servers want to know. */
  mcpPeople: McpPeople;
  /** Why a new session begins. */
  startSource: 'startup' | 'clear';
  /** A new session begins with these: the copy of another. Given the new id. */
  copy?: (id: string) => SessionRecord[];
}

const lockPatienceMs = 5_000;
const lockRetryMs = 150;

/** Undefined where `id` names no session. Rejects with a DeftError where another window has it open. */
export type OpenSession = (id: string | undefined, connection: SessionConnection) => Promise<OpenedSession | undefined>;

interface OpenedSession {
  session: AgentSession;
  resumed: boolean;
  /** The model that its log names, where the provider of now has none of that name. */
  replacedModel?: string;
}

export function createSessionFactory(options: SessionFactoryOptions): OpenSession {
  const { store, rules } = options;
  const { worktrees, ...ports } = options.ports;
  const begin = async (
    opened: LogWithRecords,
    environment: Environment,
    { emit, approver, questioner, mcpPeople, startSource, copy }: SessionConnection,
  ): Promise<OpenedSession> => {
    const { log } = opened;
    const records = await foldInSlices(opened.records, { pause: nextTask, now: () => performance.now() });
    const sandbox = await openSandbox(isOnDisk() ? ports.sandbox : undefined, rules.values().sandbox);
    const effort = readConfiguration().effort ?? rules.values().effortLevel;
    const { variables, problems } = requestVariables({ ...process.env, ...rules.environment() });
    for (const problem of problems) ports.log.warn(problem);
    const added = [answerLanguage(rules.values()), commitAttribution(rules.values())]
      .filter((text) => text !== undefined)
      .join('\n\n');
    const resultsDirectory = portPath(store.resultsDirectory(log.id));
    const home = portPath(os.homedir());
    const permission = (): Omit<PermissionContext, 'mode' | 'cwd'> => ({
      ...rules.current(),
      ownFolders: [resultsDirectory, log.path, ownPlans(home), ...options.outputDirectories()],
      home,
      ignoreCase: process.platform === 'win32' || process.platform === 'darwin',
      trusted: vscode.workspace.isTrusted,
    });
    const isHidden = hiddenNow(() => ({ ...permission(), mode: 'default', cwd: environment.cwd }));
    const memory = createMemorySource({
      memory: options.memory,
      isHidden,
      trusted: () => vscode.workspace.isTrusted,
      secrets: options.secrets,
    });
    const wanted = lastSetting(records, 'model') ?? initialModel(rules, options.listedModel());
    const model = await options.fitModel(wanted, usualModel(options.listedModel()));
    const session = new AgentSession({
      // git would take the path of a virtual workspace for one of this machine.
      ports: {
        ...ports,
        ...(worktrees === undefined || !isOnDisk() ? {} : { worktrees }),
        diagnostics: options.diagnostics(log.id),
        approver,
        questioner,
        ...(variables.simple ? {} : { mcp: options.mcp(mcpPeople) }),
        sessions: store,
        permissionStore: rules.store,
      },
      registry: createToolRegistry(sessionTools(options, sandbox, variables.simple)),
      log,
      records,
      emit,
      model: model.id,
      smallModel: smallModelOf({ ...process.env, ...rules.environment() }),
      ...(effort === undefined ? {} : { effort }),
      ...(added === '' ? {} : { appendSystemPrompt: added }),
      ...sessionLimits(variables),
      silenceMs: defaultSilenceMs,
      ...thinkingChoices(rules.values()),
      cacheLifetime: () => (variables.withoutCaching ? 'off' : readConfiguration().cacheLifetime),
      mode: offeredMode(resumedMode(records), rules) ?? initialMode(rules, options.lastMode()),
      permission,
      contextSources: [memory, createStyleSource(options.styles.current, records)],
      writesUnread: () => rules.values().allowUnreadWrites === true,
      plansDirectory: () => rules.values().plansDirectory,
      autoRules: () => rules.values().autoMode,
      autoCompact: () => ({ enabled: rules.values().autoCompactEnabled, window: rules.values().autoCompactWindow }),
      contextManagement: () =>
        readConfiguration().contextManagement === 'default'
          ? (variables.contextManagement ?? 'default')
          : readConfiguration().contextManagement,
      maxDollars: { limit: () => readConfiguration().sessionBudget, counts: 'session' },
      fallback: () =>
        fallbackWithin(
          rules.values().fallbackModel,
          rules.values().availableModels,
          { ...process.env, ...rules.environment() },
          false,
        ),
      questionTimeoutMs: () => questionTimeoutMs(rules.values()),
      ...(sandbox === undefined ? {} : { sandbox }),
      checkpoints:
        isOnDisk() && rules.values().fileCheckpointingEnabled !== false
          ? ofDisk(options.checkpoints.open({ id: log.id, resultsDirectory, folders: environment.folders }))
          : undefined,
      environment,
      agents: createAgentHost({
        files: ports.files,
        places: async () => ({ places: await options.agentPlaces(), trusted: vscode.workspace.isTrusted }),
        isHidden,
        secrets: options.secrets,
        logs: () => store.agentLogs?.(log.id),
        environment: () => ({ ...process.env, ...rules.environment() }),
        memoryPlaces: !isOnDisk()
          ? undefined
          : {
              personalFolder: portPath(personalFolder(process.env, os.homedir())),
              project: () => environment.folders[0],
            },
        ...(variables.simple ? {} : { startServers: options.startServers }),
      }),
      hooks: options.hooks,
      skills: options.skills,
      ...(copy !== undefined ? { startSource: 'fork' as const } : records.length > 0 ? {} : { startSource }),
      home,
      resultsDirectory,
      version: options.version,
      secrets: options.secrets,
    });
    return { session, resumed: records.length > 0, ...(model.replaced ? { replacedModel: wanted } : {}) };
  };
  return async (id, connection) => {
    const opening: Promise<LogWithRecords | undefined> =
      id === undefined ? createSession(store, ports.uuid(), connection.copy) : openWhenFree(id, store, ports.clock);
    try {
      const [environment, opened] = await Promise.all([options.environment(), opening, rules.load()]);
      return opened && (await begin(opened, environment, connection));
    } catch (error) {
      // Its lock would keep it from being opened again.
      await opening.then((opened) => opened?.log.close()).catch(() => undefined);
      throw error;
    }
  };
}

interface LogWithRecords {
  log: SessionLog;
  records: SessionRecord[];
}

/** Without what a rule denies or nothing names, within the limits that the person has set. */
function sessionTools(
  { registry, rules, availability, ports }: SessionFactoryOptions,
  sandbox: OpenSandbox | undefined,
  simple: boolean,
): AnyTool[] {
  const { limits, problems } = commandLimits(process.env, rules.environment());
  for (const problem of problems) ports.log.warn(problem);
  const wanted = getTools({ isDenied: (name) => rules.removesTool(name), simple, availability }, registry().all());
  return withCommandLimits(withTeams(wanted, availability.teams?.() ?? false), {
    ...limits,
    gitInstructions: rules.values().includeGitInstructions !== false,
    ...sandboxLimits(sandbox),
  });
}

async function createSession(
  store: SessionStore,
  id: string,
  copy: SessionConnection['copy'],
): Promise<LogWithRecords> {
  const log = await store.create(id);
  const records = copy?.(id) ?? [];
  log.append(records);
  return { log, records };
}

/** Commands of a virtual workspace run elsewhere, if at all. */
function isOnDisk(): boolean {
  return (vscode.workspace.workspaceFolders ?? []).every(({ uri }) => uri.scheme === 'file');
}

/** A folder that comes later may be on no disk: there are no checkpoints of that. */
function ofDisk(checkpoints: SessionCheckpoints): SessionCheckpoints {
  const onDisk = (): string[] =>
    (vscode.workspace.workspaceFolders ?? []).flatMap(({ uri }) => (uri.scheme === 'file' ? [pathOf(uri)] : []));
  return {
    ...checkpoints,
    follow: (folders) => checkpoints.follow(folders.filter((folder) => onDisk().includes(folder))),
  };
}

/** After a reload the old extension host may hold the session for a moment longer. */
async function openWhenFree(id: string, store: SessionStore, clock: Clock): ReturnType<SessionStore['open']> {
  const until = clock.now() + lockPatienceMs;
  for (;;) {
    try {
      return await store.open(id);
    } catch (error) {
      if (!(error instanceof DeftError) || error.code !== 'session-locked' || clock.now() >= until) throw error;
      await clock.sleep(lockRetryMs, new AbortController().signal);
    }
  }
}
