// One run of the command line: it opens, says what it has, plays its messages, and ends.
import { randomUUID } from 'node:crypto';
import { type Terminal } from '../core/ports/terminal';
import { subagents } from '../core/features/subagents/subagents-key';
import { timesFromVariables } from '../core/mcp/limits';
import { type PromptInput } from '../core/prompt/compose-prompt';
import { shortenedProblems } from '../core/skills/skill-list-text';
import { DeftError } from '../core/text/errors';
import { slashLine } from '../core/text/slash-line';
import { type RunOptions } from './command-line/run-options';
import { type Offered } from './control/control-reload';
import { type ControlTarget, createRequestHandler } from './control/control-requests';
import { withInitialize } from './control/initialize-options';
import { missingTool, serverTool } from './control/server-approver';
import { filesLeftOut, settledServers } from './left-out';
import { type MessageStream, openMessageStream } from './message-stream';
import { initMessage, resetMessage } from './messages';
import { beginAnew, closeRun, openRun, type OpenRun, runningIn } from './open-run';
import { commandsOf, playMessage, skillsForUser } from './play-message';
import { cleanUpAfter } from './places/clean-up';
import { type RunHost } from './run-basis';
import { type OfferedCommand } from './run-commands';
import { pluginReads, writtenSettings } from './run-requests';
import { modeLimits } from './run-settings';

/** Resolves to the exit code: 0 or 1. Throws DeftErrors for everything that keeps the run from starting. */
export async function run(given: RunOptions, host: RunHost): Promise<number> {
  const streams = given.formats.input === 'stream-json';
  const stream = streams ? openMessageStream(host.input.stdin, host.interruption.signal) : undefined;
  const fields = await stream?.initialize();
  const options = fields === undefined ? given : withInitialize(given, fields);
  if (typeof options === 'string') throw new DeftError('initialize', options, { audience: 'user' });
  const run = await openRun(options, host, ({ control, reports }) => {
    stream?.attach(control);
    reports.onDue(() => stream?.wake());
  });
  let failed = false;
  try {
    await announce(run, stream);
    failed = !(await play(run, stream));
  } finally {
    failed = !(await closeRun(run)) || failed;
  }
  await cleanUpAfter(run);
  return failed ? 1 : 0;
}

/** Names what the run has and what it lacks; from then on the program's requests are answered. */
async function announce(run: OpenRun, stream: MessageStream | undefined): Promise<void> {
  const { basis, connections, contents } = run;
  const { options, host, environment } = basis;
  await settledServers(basis, connections);
  const asked = options.permissions.asks;
  const byServer = asked?.startsWith('mcp__') === true;
  // Nothing can be decided without it, however long it takes.
  if (byServer) await connections.mcp?.settled(timesFromVariables(environment).connectMs, host.interruption.signal);
  if (byServer && serverTool(asked, connections.mcp) === undefined)
    throw new DeftError('permission-tool', missingTool(asked), { audience: 'user' });
  const [listed, { problems }] = await Promise.all([contents.skills.list(), contents.agentHost.list()]);
  const unused = [...listed.problems.filter(({ broken }) => broken), ...shortenedProblems(listed.skills)];
  for (const sentence of filesLeftOut([...unused, ...problems])) host.warn(sentence);
  await introduce(run, stream);
}

/** The session of the run, which may be another one later. */
async function introduce(run: OpenRun, stream: MessageStream | undefined): Promise<void> {
  const { session, basis, connections, contents } = run;
  const { options, host, cwd, environment, settings, model } = basis;
  const offered = await offeredBy(run);
  const { commands, agents, skills } = offered;
  const style = (await contents.styles.current()).name;
  const facts = {
    cwd,
    tools: session.requests.toolNames,
    mcpServers: connections.mcp?.list() ?? [],
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
  const target: ControlTarget = {
    session,
    model: session.choices.model,
    demo: options.demo,
    available: settings.values.availableModels,
    environment,
    ...offered,
    reload: {
      ...pluginReads(run),
      waits: () => stream?.waiting() === true,
      async offered() {
        const now = await offeredBy(run);
        Object.assign(target, now);
        return now;
      },
    },
    written: writtenSettings(run),
    initialized: options.initialized,
    outputStyle: style,
    keySource: model.keySource,
    styles: (await contents.styles.list()).styles.map(({ name }) => name),
    ...modeLimits(basis),
    interrupt: connections.stops.interrupt,
    register: connections.hooks.register,
    changed: () => connections.approver?.recheck(),
    limitThinking: (tokens) => (basis.thinking.limit = tokens ?? basis.variables.maxThinkingTokens),
    mcp: connections.mcp,
    setServers: connections.setServers,
    toggleServer: connections.toggleServer,
    fromServer: connections.servers.take,
    warn: host.warn,
  };
  connections.requests.set(createRequestHandler(target));
}

/** What users and programs may name now. */
async function offeredBy(run: OpenRun): Promise<Offered> {
  const { contents, basis } = run;
  const [listed, { agents }] = await Promise.all([contents.skills.list(), contents.agentHost.list()]);
  const skills = skillsForUser(run, listed.skills);
  return {
    commands: [...commandsOf(run, skills), ...(basis.options.withoutCommands ? [] : [clearCommand])],
    ...{ agents, skills },
  };
}

/** True where every turn succeeded. `stream` is undefined where the prompt is given. */
async function play(run: OpenRun, stream: MessageStream | undefined): Promise<boolean> {
  const { basis, connections } = run;
  const { options, host, prompt, streaming } = basis;
  const { turns, stops, states, reports } = connections;
  const { signal } = host.interruption;
  let failed = false;
  if (options.setup?.alone === true) failed = !(await turns.setUp(run.session, signal));
  else
    for await (const input of stream?.play(() => reports.isDue(run.session)) ?? [prompt]) {
      if (signal.aborted) break;
      if (input === undefined && stream === undefined) break;
      stops.begin();
      states.set('running');
      if (!(await playInput(input, run, stream))) failed = true;
      // Whoever ends a turn speaks next.
      if (stops.byProgram) reports.told();
      states.set('idle');
    }
  stops.begin();
  if (streaming && !signal.aborted && (await run.session.feature(subagents)?.allEnded(signal)) === true) {
    states.set('running');
    if (!(await turns.run(run.session, run.log.opened.log, undefined, true))) failed = true;
    states.set('idle');
  }
  await backgroundEnded(connections.ports.terminal, signal);
  return !failed;
}

/** A message, or what tasks in the background have reported while there was none. */
function playInput(input: PromptInput | undefined, run: OpenRun, stream: MessageStream | undefined): Promise<boolean> {
  const { turns, reports } = run.connections;
  if (input === undefined) {
    reports.told();
    return turns.run(run.session, run.log.opened.log, undefined);
  }
  return isClear(input, run) ? clear(input, run, stream) : playMessage(input, run);
}

const clearCommand: OfferedCommand = {
  name: 'clear',
  description: 'Begins a new session in the same run.',
  argumentHint: '',
};

function isClear({ text, images, files }: PromptInput, { basis }: OpenRun): boolean {
  const line = images.length === 0 && files === undefined ? slashLine(text) : undefined;
  return line?.name === clearCommand.name && !basis.options.withoutCommands;
}

/** True for a success: the program is told which session goes on, and that with the next message all is new. */
async function clear(input: PromptInput, run: OpenRun, stream: MessageStream | undefined): Promise<boolean> {
  const before = run.session.id;
  await beginAnew(run);
  const { session, basis, connections, log } = run;
  basis.host.output.message(resetMessage({ before, now: session.id }, randomUUID(), new Date(), input.uuid));
  await introduce(run, stream);
  return connections.turns.answered(session, log.opened.log, '');
}

/** How long commands in the background are waited for once all is said: as long as the public tool does. */
const backgroundMs = 5_000;

function backgroundEnded(
  terminal: Pick<Terminal, 'background' | 'onBackgroundEnd'>,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      stop();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const look = (): void => {
      if (signal.aborted || runningIn(terminal).length === 0) done();
    };
    const timer = setTimeout(done, backgroundMs);
    const stop = terminal.onBackgroundEnd(look);
    signal.addEventListener('abort', done);
    look();
  });
}
