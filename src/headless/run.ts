// One run: its basis, what it connects to, its session; then its turns, and the end of what still runs.
import { randomUUID } from 'node:crypto';
import { type AgentSession } from '../core/feature/agent-session';
import { type Prompt } from '../core/events/steering-queue';
import { featureCommands } from '../core/features/shown-features';
import { subagents } from '../core/features/subagents/subagents-key';
import { branchText } from '../core/features/subagents/worktrees-command';
import { timesFromVariables } from '../core/mcp/limits';
import { settleServers } from '../core/mcp/settle-servers';
import { composePrompt, type PromptInput } from '../core/prompt/compose-prompt';
import { shortenedProblems } from '../core/skills/skill-list-text';
import { DeftError, messageOf } from '../core/text/errors';
import { namedFolders } from '../core/text/short-paths';
import { slashLine } from '../core/text/slash-line';
import { headOf } from '../shared/cut-text';
import { type RunOptions } from './command-line/run-options';
import { createRequestHandler } from './control/control-requests';
import { type McpServerStatus } from '../core/ports/mcp';
import { type SessionRecord } from '../core/ports/record';
import { type BackgroundCommand, type Terminal } from '../core/ports/terminal';
import { reportServers } from './late-servers';
import { filesLeftOut, hooksLeftOut, hooksLocked, serversLeftOut } from './left-out';
import { type MessageStream, openMessageStream } from './message-stream';
import { withInitialize } from './control/initialize-options';
import { initMessage } from './messages';
import { openRunLog, readRunBasis, type RunBasis, type RunHost, type RunLog } from './run-basis';
import { openConnections, type RunConnections } from './run-connections';
import { findContents, type RunContents } from './run-contents';
import { listedProcesses } from '../node/terminal/process-tree';
import { openRunSession } from './run-session';
import { switchedOff } from './run-settings';

/** Resolves to the exit code: 0 or 1. Throws DeftErrors for everything that keeps the run from starting. */
export async function run(given: RunOptions, host: RunHost): Promise<number> {
  const streams = given.formats.input === 'stream-json';
  const stream = streams ? openMessageStream(host.input.stdin, host.interruption.signal) : undefined;
  const fields = await stream?.initialize();
  const options = fields === undefined ? given : withInitialize(given, fields);
  if (typeof options === 'string') throw new DeftError('initialize', options, { audience: 'user' });
  const basis = await readRunBasis(options, host);
  // Last of all, so that nothing else that is wrong leaves a session behind.
  const log = await openRunLog(basis);
  const connections = openConnections(basis, log);
  stream?.attach(connections.control);
  await copyCheckpoints(log, connections);
  const contents = await findContents(basis, log, connections).catch(async (error: unknown) => {
    await letGo(log, connections);
    throw error;
  });
  const parts = { basis, log, connections, contents, stream, initialized: fields !== undefined };
  const lost = lostLines(log.opened.records);
  if (lost > 0)
    host.warn(`${lost} line(s) of the session's log cannot be read and are skipped: ${log.opened.log.path}`);
  const session = await beginSession(parts);
  await announce(session, parts);

  let failed = false;
  try {
    failed = !(await play(session, parts));
  } finally {
    failed = !(await end(session, parts)) || failed;
  }
  return failed ? 1 : 0;
}

interface RunParts {
  basis: RunBasis;
  log: RunLog;
  connections: RunConnections;
  contents: RunContents;
  /** Undefined where the prompt is given. */
  stream: MessageStream | undefined;
  /** `initialize` came first, so what it says about the session was heeded. */
  initialized: boolean;
}

async function copyCheckpoints({ store, opened }: RunLog, { ports }: RunConnections): Promise<void> {
  if (opened.source !== undefined && opened.source !== opened.log.id)
    await ports.checkpoints.copy(store.resultsDirectory(opened.source), store.resultsDirectory(opened.log.id));
}

/** Of what a run that does not begin has opened. */
async function letGo({ opened }: RunLog, { mcp, ports }: RunConnections): Promise<void> {
  await Promise.all([opened.log.close().catch(() => undefined), mcp?.dispose(), ports.sandbox.close()]);
}

async function beginSession({ basis, log, connections, contents }: RunParts): Promise<AgentSession> {
  const { options, host, variables, settings, environment, cwd, home, where, model } = basis;
  const { opened, store } = log;
  const { ports, turns, hooks } = connections;
  let session: AgentSession;
  try {
    session = openRunSession({
      given: {
        options,
        variables,
        settings,
        systemPrompt: basis.systemPrompt,
        thinking: basis.thinking,
        answer: basis.answer,
      },
      program: { environment, startEnvironment: host.environment, version: host.version, warn: host.warn },
      place: { cwd, home, where, resultsDirectory: store.resultsDirectory(opened.log.id) },
      ...{ opened, ports, ...contents },
      secrets: () => model.secrets,
      emit: turns.emit,
      hooks: hooks.current,
    });
  } catch (error) {
    await letGo(log, connections);
    throw error;
  }
  if (options.title !== undefined) session.writer.write({ type: 'custom-title', title: options.title });
  if (options.effort !== undefined && opened.records.length > 0) session.choices.setEffort(options.effort);
  connections.session.set(session);
  ports.terminal.onBackgroundEnd((command) => void session.backgroundEnded(command));
  return session;
}

/** Names what the run has and what it lacks; from then on the program's requests are answered. */
async function announce(session: AgentSession, { basis, connections, contents, initialized }: RunParts): Promise<void> {
  const { options, host, cwd, environment, settings, model } = basis;
  const servers = await settledServers(basis, connections);
  const [listed, { agents, problems }] = await Promise.all([contents.skills.list(), contents.agentHost.list()]);
  const skills = options.withoutCommands ? [] : listed.skills.filter(({ forUser }) => forUser);
  const unused = [...listed.problems.filter(({ broken }) => broken), ...shortenedProblems(listed.skills)];
  for (const sentence of filesLeftOut([...unused, ...problems])) host.warn(sentence);
  const commands = [
    { name: 'compact', description: 'Replaces the conversation so far with a summary.', argumentHint: '[focus]' },
    ...[...featureCommands, ...skills].map(({ name, description, argumentHint = '' }) => ({
      name,
      description,
      argumentHint,
    })),
  ];
  const style = (await contents.styles.current()).name;
  const facts = {
    cwd,
    tools: session.requests.toolNames,
    mcpServers: servers,
    model: session.choices.model,
    permissionMode: session.permission.mode,
    apiKeySource: model.keySource,
    commands: commands.map(({ name }) => name),
    version: host.version,
    outputStyle: style,
    agents: agents.map(({ name }) => name),
    skills: skills.map(({ name }) => name),
    plugins: basis.plugins.shown,
  };
  host.output.message(initMessage(session.id, randomUUID(), facts));
  const handler = createRequestHandler({
    session,
    model: session.choices.model,
    demo: options.demo,
    available: settings.values.availableModels,
    environment,
    commands,
    agents,
    initialized,
    outputStyle: style,
    styles: (await contents.styles.list()).styles.map(({ name }) => name),
    switchedOff: (mode) => switchedOff(settings, mode),
    bypassStarted: options.permissions.mode === 'bypassPermissions' || options.permissions.mayBypass,
    interrupt: connections.stops.interrupt,
    register: connections.hooks.register,
    changed: () => connections.approver?.recheck(),
    limitThinking: (tokens) => (basis.thinking.limit = tokens ?? basis.variables.maxThinkingTokens),
    mcp: connections.mcp,
    setServers: connections.setServers,
    fromServer: connections.servers.take,
    warn: host.warn,
  });
  connections.answerWith(handler);
}

/** Servers are waited for briefly: a program that runs Deft cannot wait for them itself, and one that hangs must not hold it up. */
async function settledServers(
  { host, environment }: RunBasis,
  { mcp, hooks }: RunConnections,
): Promise<readonly McpServerStatus[]> {
  const { warn } = host;
  if (mcp !== undefined) await settleServers(mcp, timesFromVariables(environment).connectMs, host.interruption.signal);
  for (const sentence of mcp?.problems() ?? []) warn(sentence);
  const servers = mcp?.list() ?? [];
  if (mcp !== undefined) reportServers(mcp, warn);
  for (const sentence of [hooksLeftOut(hooks.atStart), hooksLocked(hooks.atStart), serversLeftOut(servers)])
    if (sentence !== undefined) warn(sentence);
  return servers;
}

/** True where every turn succeeded. */
async function play(session: AgentSession, parts: RunParts): Promise<boolean> {
  const { basis, log, connections, contents, stream } = parts;
  const { options, host, prompt, streaming } = basis;
  const { turns, stops } = connections;
  const { signal } = host.interruption;
  let failed = false;
  if (options.setup?.alone === true) failed = !(await turns.setUp(session, signal));
  else
    for await (const input of stream?.play() ?? (prompt === undefined ? [] : [prompt])) {
      if (signal.aborted) break;
      stops.begin();
      const begun = session.records.some(({ type }) => type === 'assistant');
      const opening = begun ? undefined : contents.agent?.initialPrompt;
      const said = opening === undefined ? input : { ...input, text: `${opening}\n\n${input.text}` };
      if (!(await playMessage(said, session, { basis, log, connections }))) failed = true;
    }
  stops.begin();
  if (
    streaming &&
    !signal.aborted &&
    (await session.feature(subagents)?.allEnded(signal)) === true &&
    !(await turns.run(session, log.opened.log, undefined, true))
  )
    failed = true;
  return !failed;
}

/** As a turn, or as the command of a feature, which may answer with a prompt for one. */
async function playMessage(
  input: PromptInput,
  session: AgentSession,
  { basis, log, connections }: Pick<RunParts, 'basis' | 'log' | 'connections'>,
): Promise<boolean> {
  const { turns } = connections;
  const line = input.images.length === 0 && input.files === undefined ? slashLine(input.text) : undefined;
  const answer = line && (await session.controls.run(line.name, line.rest));
  const said = answer?.notice === undefined ? '' : `${answer.notice.title}\n${answer.notice.detail}`;
  if (answer !== undefined && answer.prompt === undefined) return turns.answered(session, log.opened.log, said);
  if (said !== '') basis.host.warn(said);
  const sent: PromptInput = answer?.prompt === undefined ? input : { ...answer.prompt, images: [] };
  return turns.run(session, log.opened.log, await compose(sent, session), !basis.streaming);
}

/** Ends what still runs. True where the session was saved to its end. */
async function end(session: AgentSession, { basis, connections }: RunParts): Promise<boolean> {
  const { ports, mcp } = connections;
  await session.feature(subagents)?.close();
  const left = (await session.feature(subagents)?.worktrees.left()) ?? [];
  if (left.length > 0)
    basis.host.warn(`Agents left ${left.map(branchText).join('; ')}. List, merge or remove it with -p "/worktrees".`);
  const running = new Set(runningIn(ports.terminal).map(({ taskId }) => taskId));
  await Promise.all([ports.terminal.dispose(), ports.repl.dispose(), mcp?.dispose()]);
  for (const command of ports.terminal.background())
    if (running.has(command.taskId)) basis.host.warn(endedWithRun(command));
  for (const { command, processes } of await ports.terminal.leftAlive())
    basis.host.warn(`Still running after the run, started by ${lineOf(command)}: ${listedProcesses(processes)}`);
  await ports.sandbox.close();
  try {
    await session.close();
    return true;
  } catch (error) {
    basis.host.warn(messageOf(error));
    return false;
  }
}

function lostLines(records: readonly SessionRecord[]): number {
  return records.reduce(
    (sum, record) => (record.type === 'system' && record.subtype === 'unreadable_lines' ? sum + record.lines : sum),
    0,
  );
}

function runningIn(terminal: Pick<Terminal, 'background'>): BackgroundCommand[] {
  return terminal.background().filter(({ end }) => end === undefined);
}

function endedWithRun({ command, end, survivors = [] }: BackgroundCommand): string {
  const line = lineOf(command);
  if (end !== undefined && survivors.length === 0)
    return `A command still running in the background was ended with the run: ${line}`;
  const left = survivors.length === 0 ? '' : `. Still running: ${listedProcesses(survivors)}`;
  return `A command in the background could not be ended with the run: ${line}${left}`;
}

function lineOf(command: string): string {
  return headOf(command.replace(/\s+/g, ' '), 200);
}

function compose(input: PromptInput, session: AgentSession): Promise<Prompt> {
  const { cwd, folders, isHidden, readState } = session.surroundings;
  return composePrompt(input, {
    agents: async () => (await session.feature(subagents)?.names()) ?? [],
    files: session.ports.files,
    cwd,
    folders: namedFolders(folders),
    isHidden,
    readState,
    secrets: session.settings.secrets?.() ?? [],
  });
}
