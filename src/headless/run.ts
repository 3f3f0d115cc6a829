// One run: sets everything up side by side, plays the turns, and ends what still runs.
import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import { judgeHooks } from '../core/hooks/hook-settings';
import { resumedMode } from '../core/agent/permission-state';
import { AgentSession } from '../core/agent/session';
import { type Prompt } from '../core/agent/steering-queue';
import { DeftError, messageOf } from '../core/errors';
import { smallModelOf } from '../core/model/models';
import { composePrompt, type PromptInput } from '../core/prompt/compose-prompt';
import { commandLimits } from '../core/tools/command-limits';
import { canonicalToolName } from '../core/permissions/rule-syntax';
import { type PermissionContext } from '../core/permissions/verdict';
import { ownPlans } from '../core/plan/plan-file';
import { tracksBy } from '../core/tasks/task-lists';
import { availabilityOf } from '../core/tools/availability';
import { answerLanguage } from '../core/settings/answer-language';
import { requestVariables, sessionLimits } from '../core/settings/request-variables';
import { createToolRegistry, getTools, withCommandLimits } from '../core/tools/registry';
import { createLog } from '../node/file-log';
import { createForeignSessions } from '../node/foreign-sessions';
import { createJsonlSessionStore } from '../node/jsonl-session-store';
import { portPath } from '../node/port-path';
import { findRepository } from '../node/repository';
import { sessionsDirectory } from '../node/sessions-directory';
import { createSystemClock } from '../node/system-clock';
import { type RunOptions } from './command-line';
import { type InputSource, readMessages, readPrompt } from './input';
import { type Interruption } from './interruption';
import { initMessage } from './messages';
import { createModelSource } from './model-client';
import { chooseModel } from './model-name';
import { openSession } from './open-session';
import { createOutput } from './output';
import { createRunPorts } from './run-ports';
import { openSandbox, sandboxLimits } from '../core/sandbox/tool-sandbox';
import { createRunMemory } from './run-memory';
import { readRunSettings } from './run-settings';
import { createTurnRunner } from './run-turn';
import { addedFolders, currentFolder, describeEnvironment } from './where';

export interface RunHost {
  input: InputSource;
  /** Standard output. */
  write(text: string): void;
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
  const { limits, problems } = commandLimits(environment);
  const problem = [...wrong, ...problems].join(' ');
  if (problem !== '') throw new DeftError('environment', problem, { audience: 'person' });
  const model = createModelSource({ demo: options.demo, environment, variables });
  const streaming = options.inputFormat === 'stream-json';
  const [prompt, added] = await Promise.all([
    streaming ? undefined : readPrompt(options.prompt, host.input),
    addedFolders(cwd, options.addDirectories),
  ]);
  const where = describeEnvironment(cwd, [...added, ...settings.folders], (await repository)?.branch);
  const sessions = sessionsDirectory(home, cwd);
  const store = createJsonlSessionStore(sessions);
  const foreign = createForeignSessions({ home, environment: host.environment, folders: () => [cwd], cache: sessions });
  // Last of all, so that nothing else that is wrong leaves a session behind.
  const opened = await openSession(store, options.session, randomUUID, foreign);

  const output = createOutput(options.outputFormat, host.write);
  const turns = createTurnRunner({ options, output, clock: createSystemClock(), model: model.client, host });
  const ports = createRunPorts({
    environment,
    installation: host.installation,
    version: host.version,
    model: turns.model,
    sessions: store,
    log: createLog(warn, { level: () => 'error', secrets: () => model.secrets }),
  });
  const allowed = (tool: string): boolean => settings.rules.some(({ behavior, value }) => behavior === 'allow' && canonicalToolName(value.toolName) === tool);
  const availability = availabilityOf(ports, { interactive: false, platform: process.platform, names: allowed, tracks: tracksBy(() => environment) });
  const sandbox = await openSandbox(ports.sandbox, settings.values.sandbox);
  const tools = withCommandLimits(getTools({ isDenied: settings.isDenied, simple: variables.simple, availability }), { ...limits, ...sandboxLimits(sandbox) });
  const results = [opened.log.id, opened.source].flatMap((id) =>
    id === undefined ? [] : [store.resultsDirectory(id)],
  );
  const own = [...results, opened.log.path, ownPlans(portPath(home))];
  // Nobody can be asked about hooks of the project.
  const hooks = judgeHooks(settings.hooks, { trusted: false });
  const permission = (): Omit<PermissionContext, 'mode' | 'cwd'> => {
    const commandOutput = ports.terminal.outputDirectory();
    return {
      rules: settings.rules,
      folders: where.folders,
      ownFolders: commandOutput === undefined ? own : [...own, commandOutput],
      home: portPath(home),
      ignoreCase: process.platform === 'darwin' || process.platform === 'win32',
      // The person started the run here; what the project's own files allow is left out of the rules.
      trusted: true,
      brokenSettings: settings.broken,
      autoDisabled: settings.values.disableAutoMode === 'disable',
    };
  };
  const begin = (): AgentSession => new AgentSession({
    ports,
    registry: createToolRegistry(tools),
    log: opened.log,
    records: opened.records,
    emit: turns.emit,
    model: chooseModel({ option: options.model, demo: options.demo, records: opened.records, settings: settings.values.model, environment }),
    smallModel: smallModelOf(environment),
    ...(settings.values.effortLevel === undefined ? {} : { effort: settings.values.effortLevel }),
    mode: options.permissionMode ?? resumedMode(opened.records) ?? settings.defaultMode ?? 'default',
    permission,
    plansDirectory: () => settings.values.plansDirectory,
    contextSources: [createRunMemory({ files: ports.files, settings, cwd, home, environment: host.environment, permission, secrets: () => model.secrets, warn })],
    environment: where,
    autoCompact: () => ({ enabled: settings.values.autoCompactEnabled, window: settings.values.autoCompactWindow }),
    hooks: () => hooks,
    ...(opened.source === undefined ? {} : { startSource: 'fork' as const }),
    home: portPath(home),
    resultsDirectory: store.resultsDirectory(opened.log.id),
    ...(settings.values.fileCheckpointingEnabled === false ? {} : { checkpoints: ports.checkpoints.open({ id: opened.log.id, resultsDirectory: store.resultsDirectory(opened.log.id), folders: where.folders }) }),
    version: host.version,
    secrets: () => model.secrets,
    ...(sandbox === undefined ? {} : { sandbox }),
    ...appended(options.appendSystemPrompt, answerLanguage(settings.values)),
    ...(options.maxTurns === undefined ? {} : { maxTurns: options.maxTurns }),
    ...sessionLimits(variables),
  });
  let session: AgentSession;
  try {
    session = begin();
  } catch (error) {
    await opened.log.close().catch(() => undefined);
    throw error;
  }
  ports.terminal.onBackgroundEnd((command) => void session.backgroundEnded(command));

  const names = tools.map(({ name }) => name);
  const facts = {
    cwd,
    tools: names,
    model: session.model,
    permissionMode: session.mode,
    apiKeySource: model.keySource,
    version: host.version,
  };
  output.message(initMessage(session.id, randomUUID(), facts));

  let failed = false;
  try {
    const { signal } = host.interruption;
    for await (const input of prompt === undefined ? readMessages(host.input.stdin, signal) : [prompt]) {
      if (signal.aborted) break;
      if (!(await turns.run(session, opened.log, await compose(input, session)))) failed = true;
    }
  } finally {
    await Promise.all([ports.terminal.dispose(), ports.repl.dispose()]);
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
  const named = folders.map((folder) => ({ name: folder.slice(folder.lastIndexOf('/') + 1), path: folder }));
  return composePrompt(input, { files: session.files, cwd, folders: named, isHidden, readState, secrets: session.secrets });
}
