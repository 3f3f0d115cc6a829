// What a run is based on, read before anything starts: folder, settings, variables, plugins, model, prompt, and then its log.
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type PromptInput } from '../core/prompt/compose-prompt';
import { chooseProvider } from '../core/model/provider-choice';
import { commandLimits, type CommandLimits } from '../core/settings/command-limits';
import { requestVariables, type RequestVariables } from '../core/settings/request-variables';
import { stopSentence } from '../core/settings/start-stops';
import { type Emit } from '../core/events/session-event';
import { type Approver } from '../core/ports/approver';
import { type FileSystem } from '../core/ports/files';
import { type McpPeople } from '../core/ports/mcp';
import { type Questioner } from '../core/ports/questions';
import { type Launcher } from '../node/terminal/launcher';
import { type Environment } from '../core/text/environment-reminder';
import { type StructuredOutputOptions } from '../core/features/structured-output/structured-output-feature';
import { DeftError, messageOf } from '../core/text/errors';
import { defined } from '../shared/defined';
import { isObject } from '../shared/plain-object';
import { homeFolder } from '../node/home-folder';
import { openWriteLedger } from '../node/write-ledger';
import { findRepository } from '../node/repository';
import { createExternalSessions } from '../node/sessions/external-sessions';
import { createJsonlSessionStore } from '../node/sessions/jsonl-session-store';
import { sessionsDirectory } from '../node/sessions/sessions-directory';
import { fileErrorSentence } from '../node/files/file-error';
import { type GivenText, type RunOptions } from './command-line/run-options';
import { type InputSource, readPrompt } from './input';
import { type Interruption } from './interruption';
import { createModelSource, type ModelSource } from './model-client';
import { openSession, type OpenedSession } from './open-session';
import { type Output } from './output';
import { openRunPlugins, type RunPlugins } from './run-plugins';
import { readRunSettings, type RunSettings } from './run-settings';
import { addedFolders, currentFolder, describeEnvironment } from './where';

/** Who answers what a user is asked, and what works on files and commands, where a host has better than this machine's own. */
export interface RunEditor {
  approver: Approver;
  /** Left out where the agent cannot ask anything. */
  questioner?: Questioner | undefined;
  people?: McpPeople | undefined;
  files?(own: FileSystem): FileSystem;
  launch?: Launcher | undefined;
}

export interface RunHost {
  /** The folder of the run; that of the process where it is left out. */
  cwd?: string;
  /** The folder whose sessions it belongs to, where that is another one. */
  sessionsOf?: string;
  /** An editor that drives the run, for the session with this ID. */
  editor?(sessionId: string): RunEditor;
  /** Every event of the session, also before its output does. */
  hears?: Emit;
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
  /** A folder next to or above which ripgrep may be installed. */
  installation: string;
}

export interface RunBasis {
  options: RunOptions;
  host: RunHost;
  cwd: string;
  home: string;
  repository: ReturnType<typeof findRepository>;
  settings: RunSettings;
  /** That of the host, with the variables of the settings. */
  environment: NodeJS.ProcessEnv;
  variables: RequestVariables;
  plugins: RunPlugins;
  limits: CommandLimits;
  model: ModelSource;
  /** Messages and control requests come as lines of standard input. */
  streaming: boolean;
  /** Undefined where messages are streamed, and where the run only sets up. */
  prompt: PromptInput | undefined;
  systemPrompt: SystemPromptTexts;
  /** The answer is to be of this shape. */
  answer: StructuredOutputOptions | undefined;
  /** Tokens that the thinking of one reply may take; a program may change it. */
  thinking: { limit: number | undefined };
  /** The output style that the program has chosen in place of that of the settings. */
  style: { chosen: string | undefined };
  where: Environment;
}

/** Throws DeftErrors for everything that keeps the run from starting. */
export async function readRunBasis(options: RunOptions, host: RunHost): Promise<RunBasis> {
  const { warn } = host;
  for (const sentence of options.unused) warn(sentence);
  const cwd = await currentFolder(host.cwd);
  const home = homeFolder();
  const repository = findRepository(cwd);
  const systemPrompt = await givenTexts(options, cwd);
  const answer = await answerShape(options.jsonSchema);
  const settings = await readRunSettings({ options, cwd, home, environment: host.environment, warn });
  // Settings files have the last word: they are written for this tool.
  const environment = { ...host.environment, ...settings.env };
  const stop = stopSentence(settings.stops, chooseProvider('auto', environment) !== 'anthropic');
  if (stop !== undefined) throw new DeftError('settings-locked', stop, { audience: 'user' });
  const { variables: read, problems: wrong } = requestVariables(environment);
  const { maxTokens } = options.thinking;
  const variables = maxTokens === undefined ? read : { ...read, maxThinkingTokens: maxTokens };
  const plugins = await openRunPlugins({
    given: options.pluginDirectories,
    withoutServers: options.pluginsWithoutServers,
    cwd,
    home,
    environment: host.environment,
    settings,
    warn,
  });
  const { limits, problems } = commandLimits(environment);
  const problem = [...wrong, ...problems].join(' ');
  if (problem !== '') throw new DeftError('environment', problem, { audience: 'user' });
  const model = await createModelSource({
    ...{ demo: options.demo, betas: options.betas },
    ...{ environment, variables, settings: settings.values },
  });
  const streaming = options.formats.input === 'stream-json';
  const [prompt, added] = await Promise.all([
    streaming || options.setup?.alone === true
      ? undefined
      : readPrompt(options.prompt, host.input, host.interruption.signal),
    addedFolders(cwd, options.addDirectories),
  ]);
  const where = describeEnvironment(cwd, [...added, ...settings.folders], (await repository)?.branch);
  return {
    ...{ options: withEffort(options, variables, warn), host, cwd, home, repository, where, systemPrompt, answer },
    thinking: { limit: variables.maxThinkingTokens },
    style: { chosen: undefined },
    ...{ settings, environment, variables, plugins, limits, model, streaming, prompt },
  };
}

/** As in the public tool, the variable wins over the flag; who has given both is told. */
function withEffort(options: RunOptions, { effort }: RequestVariables, warn: RunHost['warn']): RunOptions {
  if (effort === undefined) return options;
  if (options.effort !== undefined && options.effort !== effort)
    warn(`CLAUDE_CODE_EFFORT_LEVEL=${effort} wins over --effort ${options.effort}.`);
  return { ...options, effort };
}

async function answerShape(text: string | undefined): Promise<StructuredOutputOptions | undefined> {
  if (text === undefined) return undefined;
  const refused = (why: string): DeftError =>
    new DeftError('json-schema', `--json-schema ${why}`, { audience: 'user' });
  let schema: unknown;
  try {
    schema = JSON.parse(text);
  } catch (error) {
    throw refused(`is not JSON: ${messageOf(error)}`);
  }
  if (!isObject(schema) || schema['type'] !== 'object') throw refused('takes a JSON schema of type "object".');
  const { schemaJudge } = await import('../node/json-schema');
  const problem = schemaJudge(schema);
  if (typeof problem === 'string') throw refused(`cannot be used: ${problem}`);
  return { schema, problem };
}

/** In place of Deft's own system prompt, and behind it. */
export interface SystemPromptTexts {
  whole: string | undefined;
  appended: string | undefined;
}

async function givenTexts({ systemPrompt, appendSystemPrompt }: RunOptions, cwd: string): Promise<SystemPromptTexts> {
  const textOf = async ({ text, file }: GivenText, option: string): Promise<string | undefined> => {
    if (file === undefined) return text;
    const full = path.resolve(cwd, file);
    try {
      return await readFile(full, 'utf8');
    } catch (error) {
      throw new DeftError('prompt-file', `${option}: ${fileErrorSentence(error, full, 'read')}`, {
        audience: 'user',
        cause: error,
      });
    }
  };
  return {
    whole: await textOf(systemPrompt, '--system-prompt-file'),
    appended: await textOf(appendSystemPrompt, '--append-system-prompt-file'),
  };
}

type Store = ReturnType<typeof createJsonlSessionStore>;

export interface RunLog {
  store: Store;
  opened: OpenedSession;
  /** Where nothing is to stay of it: removes it. */
  forget?: () => Promise<void>;
}

export async function openRunLog({ options, host, cwd, home }: RunBasis): Promise<RunLog> {
  const folder = host.sessionsOf ?? cwd;
  const sessions = sessionsDirectory(home, folder);
  await openWriteLedger(path.join(sessions, 'writes'));
  const saved = createJsonlSessionStore(sessions);
  const external = createExternalSessions({
    home,
    environment: host.environment,
    folders: () => [folder],
    cache: sessions,
  });
  const { store, forget } = options.unsaved ? await unsavedStore(saved) : { store: saved };
  try {
    const opened = await openSession(store, options.session, randomUUID, external);
    for (const sentence of opened.missing ?? []) host.warn(`The session that was copied: ${sentence}`);
    return { store, opened, ...defined({ forget }) };
  } catch (error) {
    await forget?.();
    throw error;
  }
}

/** What is made is in a folder that goes with the run; what is there can be copied. */
async function unsavedStore(saved: Store): Promise<{ store: Store; forget: () => Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'deft-session-'));
  const made = createJsonlSessionStore(folder);
  const ids = new Set<string>();
  const create: Store['create'] = (id) => {
    ids.add(id);
    return made.create(id);
  };
  return {
    store: {
      ...saved,
      ...{ create, remove: made.remove, agentLogs: made.agentLogs },
      resultsDirectory: (id) => (ids.has(id) ? made : saved).resultsDirectory(id),
    },
    forget: () => rm(folder, { recursive: true, force: true }),
  };
}
