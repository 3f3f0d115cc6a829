// One run: sets everything up side by side, plays the turns, and ends what still runs.
import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import { judgeHooks, type JudgedHooks } from '../core/hooks/hook-settings';
import { resumedMode } from '../core/calls/permission-state';
import { thinkingChoices } from '../core/session/chosen-effort';
import { AgentSession } from '../core/agent/session';
import { type Prompt } from '../core/events/steering-queue';
import { DeftError, messageOf } from '../core/text/errors';
import { smallModelOf } from '../core/model/models';
import { composePrompt, type PromptInput } from '../core/prompt/compose-prompt';
import { createOutputStyles } from '../core/styles/find-styles';
import { createStyleSource } from '../core/styles/style-source';
import { commandLimits } from '../core/settings/command-limits';
import { canonicalToolName } from '../core/permissions/rules/rule-syntax';
import { timesFromVariables } from '../core/mcp/limits';
import { hiddenNow } from '../core/permissions/files/hidden-paths';
import { headOf } from '../shared/cut-text';
import { type PermissionContext } from '../core/permissions/rules/verdict';
import { ownPlans } from '../core/plan/plan-file';
import { namedFolders } from '../core/text/short-paths';
import { tracksBy } from '../core/tasks/task-lists';
import { teamsOn } from '../core/text/teams-on';
import { withTeams } from '../core/tools/teams/team-tools';
import { availabilityOf } from '../core/tool/availability';
import { commitAttribution } from '../core/settings/commit-attribution';
import { answerLanguage } from '../core/settings/answer-language';
import { requestVariables, sessionLimits } from '../core/settings/request-variables';
import { createToolRegistry, getTools, withCommandLimits } from '../core/tools/registry';
import { createLog } from '../node/file-log';
import { createAgentHost } from '../core/features/subagents/create-agent-host';
import { readAgentsJson } from '../core/subagents/agent-definition';
import { findAgentPlaces } from '../node/agent-places';
import { createForeignSessions } from '../node/sessions/external-sessions';
import { createJsonlSessionStore } from '../node/sessions/jsonl-session-store';
import { portPath } from '../node/files/port-path';
import { findRepository } from '../node/repository';
import { managedFolderOf } from '../core/settings/settings-places';
import { createSkillCatalogue } from '../core/skills/skill-catalogue';
import { skillFolders } from '../core/skills/skill-folders';
import { personalFolder } from '../node/settings-files';
import { sessionsDirectory } from '../node/sessions/sessions-directory';
import { createSystemClock } from '../node/system-clock';
import { type RunOptions } from './command-line';
import { createControlApprover } from './control-approver';
import { createHookCallback, readCallbackHooks } from './control-hooks';
import { createControlChannel, type RequestHandler } from './control-channel';
import { createRequestHandler } from './control-requests';
import { type InputSource, readPrompt } from './input';
import { type Interruption } from './interruption';
import { readMessages } from './message-stream';
import { initMessage } from './messages';
import { createModelSource } from './model-client';
import { fallbackWithin } from '../core/settings/fallback-models';
import { chooseModel } from './model-name';
import { hooksLeftOut, serversLeftOut } from './left-out';
import { openSession } from './open-session';
import { type Output } from './output';
import { elicitationPeople } from './elicitation-people';
import { agentServers, createRunMcp } from './run-mcp';
import { openRunPlugins, withPluginHooks, withPluginPath } from './run-plugins';
import { createRunPorts } from './run-ports';
import { openSandbox, sandboxLimits } from '../core/sandbox/tool-sandbox';
import { createRunMemory } from './run-memory';
import { readRunSettings, switchedOff } from './run-settings';
import { createTurnRunner } from './run-turn';
import { createTurnStops } from './turn-stops';
import { addedFolders, currentFolder, describeEnvironment } from './where';

export interface RunHost {
  input: InputSource;
  /** Standard output. */
  write(text: string): void;
  /** What writes there in the format of the run. */
  output: Output;
  /** A sentence for standard error. */
  warn(message: string): void;
  interruption: Interruption;
  environment: NodeJS.ProcessEnv;
  version: string;
  /** A folder beside or above which ripgrep may be installed. */
  installation: string;
}

/** Resolves to the exit code: 0 or 1. Throws DeftErrors for everything that keeps the run from starting. */
export async function run(options: RunOptions, host: RunHost): Promise<number> {
  const { warn } = host;
  const cwd = await currentFolder();
  const home = homedir();
  const repository = findRepository(cwd);
  const settings = await readRunSettings({ options, cwd, home, environment: host.environment, warn });
  // Settings files have the last word: they are written for this tool.
  const environment = { ...host.environment, ...settings.env };
  const { variables, problems: wrong } = requestVariables(environment);
  const plugins = await openRunPlugins({
    given: options.pluginDirectories,
    cwd,
    home,
    environment: host.environment,
    settings,
    warn,
  });
  const { limits, problems } = commandLimits(environment);
  const problem = [...wrong, ...problems].join(' ');
  if (problem !== '') throw new DeftError('environment', problem, { audience: 'person' });
  const model = await createModelSource({ demo: options.demo, environment, variables, settings: settings.values });
  const streaming = options.inputFormat === 'stream-json';
  const [prompt, added] = await Promise.all([
    streaming || options.setup?.alone === true
      ? undefined
      : readPrompt(options.prompt, host.input, host.interruption.signal),
    addedFolders(cwd, options.addDirectories),
  ]);
  const where = describeEnvironment(cwd, [...added, ...settings.folders], (await repository)?.branch);
  const sessions = sessionsDirectory(home, cwd);
  const store = createJsonlSessionStore(sessions);
  const foreign = createForeignSessions({ home, environment: host.environment, folders: () => [cwd], cache: sessions });
  // Last of all, so that nothing else that is wrong leaves a session behind.
  const opened = await openSession(store, options.session, randomUUID, foreign);

  const { output } = host;
  const stops = createTurnStops(host.interruption.signal);
  const turns = createTurnRunner({
    options,
    output,
    clock: createSystemClock(),
    model: model.client,
    host: { warn, interruption: stops },
  });
  const control = createControlChannel({
    send: (message) => host.write(`${JSON.stringify(message)}\n`),
    handle: (request) => handleRequest(request),
    warn,
    uuid: randomUUID,
  });
  const approver = options.askProgram === true ? createControlApprover(control, stops.answered) : undefined;
  // Nobody can be asked about hooks of the project: --trust-project is the person's word for all of them.
  const judged = judgeHooks(
    withPluginHooks(settings.hooks, plugins),
    options.trustProject === true ? { trusted: true, consent: { isApproved: () => true } } : { trusted: false },
  );
  let hooks: JudgedHooks = {
    ...judged,
    refuses: async ({ plugin }) => (plugin === undefined ? undefined : plugins.refuses(plugin)),
  };
  const people = elicitationPeople(hooks, { event: (...event) => session.tellHooks(...event), told: warn });
  const mcpOptions = {
    given: options.mcpConfig,
    cwd,
    folders: where.folders,
    home,
    environment,
    settings: settings.values,
    version: host.version,
    people,
    plugins,
  };
  const mcp = variables.simple ? undefined : createRunMcp(mcpOptions);
  const ports = createRunPorts({
    environment: withPluginPath(environment, plugins),
    installation: host.installation,
    version: host.version,
    model: turns.model,
    sessions: store,
    log: createLog(warn, { level: () => 'error', secrets: () => model.secrets }),
    ...(mcp === undefined ? {} : { mcp }),
    approver,
    ...(streaming ? { callback: createHookCallback(control) } : {}),
  });
  if (opened.source !== undefined && opened.source !== opened.log.id)
    await ports.checkpoints.copy(store.resultsDirectory(opened.source), store.resultsDirectory(opened.log.id));
  const allowed = (tool: string): boolean =>
    settings.rules.some(({ behavior, value }) => behavior === 'allow' && canonicalToolName(value.toolName) === tool);
  const availability = availabilityOf(ports, {
    interactive: false,
    platform: process.platform,
    names: allowed,
    tracks: tracksBy(() => environment),
    teams: () => teamsOn(environment),
  });
  const sandbox = await openSandbox(ports.sandbox, settings.values.sandbox);
  const tools = withCommandLimits(
    withTeams(getTools({ isDenied: settings.isDenied, simple: variables.simple, availability }), teamsOn(environment)),
    { ...limits, gitInstructions: settings.values.includeGitInstructions !== false, ...sandboxLimits(sandbox) },
  );
  const results = [opened.log.id, opened.source].flatMap((id) =>
    id === undefined ? [] : [store.resultsDirectory(id)],
  );
  const own = [...results, opened.log.path, ownPlans(portPath(home))];
  const checkout = (await repository)?.root;
  const claudeFolders = skillFolders({
    managedFolder: portPath(managedFolderOf(process.platform)),
    personalFolder: portPath(personalFolder(host.environment, home)),
    projects: where.folders.map((folder) => ({
      folder,
      ...(checkout !== undefined && folder === where.cwd ? { checkout: portPath(checkout) } : {}),
    })),
  });
  const styles = createOutputStyles({
    files: ports.files,
    folders: async () => claudeFolders,
    plugins: async () => plugins.styles,
    trusted: () => options.trustProject === true,
    isHidden: (path) => isHidden(path),
    chosen: () => settings.values.outputStyle,
  });
  const skills = createSkillCatalogue({
    files: ports.files,
    folders: () => claudeFolders,
    plugins: async () => plugins.skills,
    workspace: () => where.folders,
    // The person started the run here. What a project's skills would allow does not count: nobody can be asked.
    trusted: () => true,
    isHidden: (path) => isHidden(path),
    overrides: () => settings.values.skillOverrides,
  });
  const agentPlaces = await findAgentPlaces({ folders: [cwd], environment: host.environment, home });
  const given = options.agents === undefined ? undefined : readAgentsJson(options.agents);
  for (const problem of given?.problems ?? []) warn(problem);
  const agentHost = createAgentHost({
    files: ports.files,
    // The person started the run here.
    places: () => ({ places: [...agentPlaces, ...plugins.agents], trusted: true }),
    given: given?.agents,
    isHidden: (path) => isHidden(path),
    secrets: () => model.secrets,
    logs: () => store.agentLogs(opened.log.id),
    environment: () => environment,
    memoryPlaces: { personalFolder: portPath(personalFolder(host.environment, home)), project: () => where.cwd },
    ...(variables.simple ? {} : { startServers: agentServers(mcpOptions) }),
  });
  const permission = (): Omit<PermissionContext, 'mode' | 'cwd'> => {
    return {
      rules: settings.rules,
      folders: where.folders,
      ownFolders: [...own, ...ports.terminal.outputDirectories()],
      home: portPath(home),
      ignoreCase: process.platform === 'darwin' || process.platform === 'win32',
      // The person started the run here; what the project's own files allow is left out of the rules.
      trusted: true,
      brokenSettings: settings.broken,
      autoDisabled: settings.values.disableAutoMode === 'disable',
    };
  };
  const isHidden = hiddenNow(() => ({ ...permission(), mode: 'default', cwd: where.cwd }));
  const begin = (): AgentSession =>
    new AgentSession({
      ports,
      registry: createToolRegistry(tools),
      log: opened.log,
      records: opened.records,
      emit: turns.emit,
      model: chooseModel({
        option: options.model,
        demo: options.demo,
        records: opened.records,
        settings: settings.values.model,
        available: settings.values.availableModels,
        environment,
      }),
      smallModel: smallModelOf(environment),
      ...(settings.values.effortLevel === undefined ? {} : { effort: settings.values.effortLevel }),
      mode: options.permissionMode ?? resumedMode(opened.records) ?? settings.defaultMode ?? 'default',
      permission,
      writesUnread: () => settings.values.allowUnreadWrites === true,
      plansDirectory: () => settings.values.plansDirectory,
      autoRules: () => settings.values.autoMode,
      contextSources: [
        createRunMemory({
          files: ports.files,
          settings,
          cwd,
          home,
          environment: host.environment,
          permission,
          secrets: () => model.secrets,
          warn,
        }),
        createStyleSource(styles.current, opened.records),
      ],
      environment: where,
      agents: agentHost,
      autoCompact: () => ({ enabled: settings.values.autoCompactEnabled, window: settings.values.autoCompactWindow }),
      hooks: () => hooks,
      setup: options.setup?.trigger,
      skills: {
        ...(options.trustProject === true ? { agreed: () => true } : {}),
        catalogue: skills,
        shellDisabled: () => settings.values.disableSkillShellExecution === true,
        otherNames: () => ['compact'],
        variables: () => environment,
      },
      ...(opened.source === undefined ? {} : { startSource: 'fork' as const }),
      home: portPath(home),
      resultsDirectory: store.resultsDirectory(opened.log.id),
      ...(settings.values.fileCheckpointingEnabled === false
        ? {}
        : {
            checkpoints: ports.checkpoints.open({
              id: opened.log.id,
              resultsDirectory: store.resultsDirectory(opened.log.id),
              folders: where.folders,
            }),
          }),
      version: host.version,
      secrets: () => model.secrets,
      ...(sandbox === undefined ? {} : { sandbox }),
      ...appended(options.appendSystemPrompt, answerLanguage(settings.values), commitAttribution(settings.values)),
      // A flag is the person's word for refusals too: nobody can be asked later.
      fallback: () =>
        fallbackWithin(
          options.fallbackModels ?? settings.values.fallbackModel,
          settings.values.availableModels,
          environment,
          options.fallbackModels !== undefined,
        ),
      ...(options.maxTurns === undefined ? {} : { maxTurns: options.maxTurns }),
      ...(options.maxBudget === undefined
        ? {}
        : { maxDollars: { limit: () => options.maxBudget ?? 0, counts: 'run' as const } }),
      contextManagement: () => variables.contextManagement ?? 'default',
      ...sessionLimits(variables),
      ...thinkingChoices(settings.values),
      cacheLifetime: () => (variables.withoutCaching ? 'off' : '5m'),
      // Nobody is there whom the end of such a call could wake: the run waits for it, unless it is told otherwise.
      mcpBackgroundMs: variables.mcpBackgroundMs ?? 0,
    });
  let session: AgentSession;
  try {
    session = begin();
  } catch (error) {
    await Promise.all([opened.log.close().catch(() => undefined), mcp?.dispose()]);
    throw error;
  }
  ports.terminal.onBackgroundEnd((command) => void session.backgroundEnded(command));

  // Its servers are there when the first request is made: a program that runs Deft cannot wait for them itself.
  await mcp?.settled(timesFromVariables(environment).connectMs, host.interruption.signal);
  for (const sentence of mcp?.problems() ?? []) warn(sentence);
  const servers = mcp?.list() ?? [];
  for (const { entry, state } of servers)
    if (state.kind === 'failed') warn(`The MCP server ${entry.name} cannot be used: ${state.why}`);
  for (const sentence of [hooksLeftOut(judged), serversLeftOut(servers)]) if (sentence !== undefined) warn(sentence);
  const commands = (await skills.list()).skills.filter(({ forPerson }) => forPerson);
  const style = (await styles.current()).name;
  const facts = {
    cwd,
    tools: session.toolNames,
    mcpServers: servers,
    model: session.model,
    permissionMode: session.mode,
    apiKeySource: model.keySource,
    commands: ['compact', ...commands.map(({ name }) => name)],
    version: host.version,
    outputStyle: style,
  };
  output.message(initMessage(session.id, randomUUID(), facts));
  const handleRequest: RequestHandler = createRequestHandler({
    session,
    model: session.model,
    demo: options.demo,
    available: settings.values.availableModels,
    environment,
    commands: [
      { name: 'compact', description: 'Replaces what was said so far by a summary.', argumentHint: '[focus]' },
      ...commands.map(({ name, description, argumentHint = '' }) => ({ name, description, argumentHint })),
    ],
    outputStyle: style,
    styles: (await styles.list()).styles.map(({ name }) => name),
    switchedOff: (mode) => switchedOff(settings, mode),
    bypassStarted: options.permissionMode === 'bypassPermissions',
    interrupt: stops.interrupt,
    register: (given) => {
      const entries = readCallbackHooks(given, cwd);
      if (typeof entries === 'string') return entries;
      const { active } = judgeHooks({ ...settings.hooks, entries }, { trusted: false });
      if (active.length < entries.length)
        return 'A settings file switches hooks off (disableAllHooks), those of the program too.';
      hooks = { ...hooks, active: [...hooks.active.filter(({ handler }) => handler.type !== 'callback'), ...active] };
      return undefined;
    },
    changed: () => approver?.recheck(),
    warn,
  });

  let failed = false;
  try {
    const { signal } = host.interruption;
    if (options.setup?.alone === true) failed = !(await turns.setUp(session, signal));
    else
      for await (const input of prompt === undefined ? readMessages(host.input.stdin, signal, control) : [prompt]) {
        if (signal.aborted) break;
        stops.begin();
        if (!(await turns.run(session, opened.log, await compose(input, session), !streaming))) failed = true;
      }
    stops.begin();
    if (
      streaming &&
      !signal.aborted &&
      (await session.agentsEnded(signal)) &&
      !(await turns.run(session, opened.log, undefined, true))
    )
      failed = true;
  } finally {
    await session.stopAgents();
    for (const { command, end } of ports.terminal.background())
      if (end === undefined)
        warn(
          `A command that still ran in the background was ended with the run: ${headOf(command.replace(/\s+/g, ' '), 200)}`,
        );
    await Promise.all([ports.terminal.dispose(), ports.repl.dispose(), mcp?.dispose()]);
    await ports.sandbox.close();
    await session.close().catch((error: unknown) => {
      failed = true;
      warn(messageOf(error));
    });
  }
  return failed ? 1 : 0;
}

function appended(...texts: (string | undefined)[]): { appendSystemPrompt?: string } {
  const text = texts.filter((one) => one !== undefined).join('\n\n');
  return text === '' ? {} : { appendSystemPrompt: text };
}

function compose(input: PromptInput, session: AgentSession): Promise<Prompt> {
  const { cwd, folders, isHidden, readState } = session.surroundings;
  return composePrompt(input, {
    agents: () => session.agentNames(),
    files: session.files,
    cwd,
    folders: namedFolders(folders),
    isHidden,
    readState,
    secrets: session.secrets,
  });
}
