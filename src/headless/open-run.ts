// Opens what a run is made of, and ends it: what the command line and the agent protocol of editors share.
import { type AgentSession } from '../core/feature/agent-session';
import { budget } from '../core/features/budget/budget-key';
import { subagents } from '../core/features/subagents/subagents-key';
import { branchText } from '../core/features/subagents/worktrees-command';
import { type SessionRecord } from '../core/ports/record';
import { type BackgroundCommand, type Terminal } from '../core/ports/terminal';
import { DeftError, messageOf } from '../core/text/errors';
import { listedProcesses } from '../node/terminal/process-tree';
import { headOf } from '../shared/cut-text';
import { defined } from '../shared/defined';
import { type RunOptions } from './command-line/run-options';
import { openRunWorktree, type RunWorktree } from './places/run-worktree';
import { openRunLog, readRunBasis, type RunBasis, type RunHost, type RunLog } from './run-basis';
import { openConnections, type RunConnections } from './run-connections';
import { findContents, type RunContents } from './run-contents';
import { createRunHooks } from './run-hooks';
import { openRunSession } from './run-session';
import { currentFolder } from './where';

export interface OpenRun {
  worktree?: RunWorktree | undefined;
  basis: RunBasis;
  log: RunLog;
  connections: RunConnections;
  contents: RunContents;
  session: AgentSession;
}

/** Throws DeftErrors for everything that keeps the run from starting. `connected` is called before the session is there. */
export async function openRun(
  options: RunOptions,
  host: RunHost,
  connected: (connections: RunConnections) => void = () => undefined,
): Promise<OpenRun> {
  if (options.worktree === undefined) return openHere(options, host, connected);
  const cwd = await currentFolder(host.cwd);
  const { name } = options.worktree;
  const { environment, interruption, warn } = host;
  const worktree = await openRunWorktree({ name, cwd, environment, signal: interruption.signal, warn });
  try {
    // Sessions of a worktree that may go are kept with those of the folder that it is a copy of.
    const run = await openHere(options, { ...host, cwd: worktree.cwd, sessionsOf: cwd }, connected);
    return { ...run, worktree };
  } catch (error) {
    await worktree.end(undefined, false);
    throw error;
  }
}

async function openHere(
  options: RunOptions,
  host: RunHost,
  connected: (connections: RunConnections) => void,
): Promise<OpenRun> {
  const basis = await readRunBasis(options, host);
  const replaces =
    options.worktree && createRunHooks(basis).atStart.active.find(({ event }) => event === 'WorktreeCreate');
  if (replaces !== undefined)
    throw new DeftError(
      'worktree',
      '--worktree: a WorktreeCreate hook makes the worktrees here, and it runs for agents only. Make one with it, and start the run in there.',
      { audience: 'user' },
    );
  // Last of all, so that nothing else that is wrong leaves a session behind.
  const log = await openRunLog(basis);
  const connections = openConnections(basis, log);
  connected(connections);
  try {
    await copyCheckpoints(log, connections);
    const contents = await findContents(basis, log, connections);
    const lost = lostLines(log.opened.records);
    if (lost > 0)
      host.warn(`${lost} line(s) of the session's log cannot be read and are skipped: ${log.opened.log.path}`);
    const session = beginSession({ basis, log, connections, contents });
    connections.ports.terminal.onBackgroundEnd((command) => void connections.session.get().backgroundEnded(command));
    return { basis, log, connections, contents, session };
  } catch (error) {
    await letGo(log, connections);
    throw error;
  }
}

async function copyCheckpoints({ store, opened }: RunLog, { ports }: RunConnections): Promise<void> {
  if (opened.source !== undefined && opened.source !== opened.log.id)
    await ports.checkpoints.copy(store.resultsDirectory(opened.source), store.resultsDirectory(opened.log.id));
}

/** The same run in a new session, with the mode, the model and the effort that it had; what runs in the background goes on. */
export async function beginAnew(run: OpenRun): Promise<void> {
  const { basis, connections, session } = run;
  const { permissions, demo } = basis.options;
  const { mode } = session.permission;
  const { model, effort } = session.choices;
  const mayBypass = permissions.mayBypass || permissions.mode === 'bypassPermissions';
  const options: RunOptions = {
    ...basis.options,
    // What prepares the folder has run, and a title is one session's.
    ...{ title: undefined, setup: undefined, permissions: { ...permissions, mode, mayBypass } },
    ...(demo ? {} : { model, effort: effort ?? basis.options.effort }),
  };
  const { store } = run.log;
  // Before the old one ends: where the disk refuses, that stays.
  const opened = { log: await store.create(connections.ports.uuid()), records: [], cleared: true as const };
  connections.requests.hold();
  await session.feature(subagents)?.close();
  await session.close('clear');
  run.basis = { ...basis, options };
  // The limit is the run's, however many sessions it has.
  const log = { ...run.log, opened: { ...opened, ...defined({ spentBefore: session.feature(budget)?.spent() }) } };
  run.log = log;
  run.contents = await findContents(run.basis, log, connections);
  run.session = beginSession(run);
}

/** Of what a run that does not begin has opened. */
async function letGo({ opened, forget }: RunLog, { mcp, ports }: RunConnections): Promise<void> {
  await Promise.all([opened.log.close().catch(() => undefined), mcp?.dispose(), ports.sandbox.close()]);
  await forget?.();
}

function beginSession({ basis, log, connections, contents }: Omit<OpenRun, 'session'>): AgentSession {
  const { options, host, variables, settings, environment, cwd, home, where, model } = basis;
  const { opened, store } = log;
  const { ports, turns, hooks } = connections;
  const session = openRunSession({
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
  if (options.title !== undefined) session.writer.write({ type: 'custom-title', title: options.title });
  if (options.effort !== undefined && opened.records.length > 0) session.choices.setEffort(options.effort);
  if (options.fast === true && opened.records.length > 0) session.choices.setFast(true);
  connections.session.set(session);
  return session;
}

/** Ends what still runs. True where the session was saved to its end. */
export async function closeRun({ session, basis, connections, log, worktree }: OpenRun): Promise<boolean> {
  const { ports, mcp } = connections;
  await session.feature(subagents)?.close();
  const left = (await session.feature(subagents)?.worktrees.left()) ?? [];
  if (left.length > 0)
    basis.host.warn(`Agents left ${left.map(branchText).join('; ')}. List, merge or remove it with -p "/worktrees".`);
  const running = new Set(runningIn(ports.terminal).map(({ taskId }) => taskId));
  await Promise.all([ports.terminal.dispose(), ports.repl.dispose(), ports.pages.dispose(), mcp?.dispose()]);
  for (const command of ports.terminal.background())
    if (running.has(command.taskId)) basis.host.warn(endedWithRun(command));
  const alive = await ports.terminal.leftAlive();
  for (const { command, processes } of alive)
    basis.host.warn(`Still running after the run, started by ${lineOf(command)}: ${listedProcesses(processes)}`);
  await ports.sandbox.close();
  try {
    await session.close();
    return true;
  } catch (error) {
    basis.host.warn(messageOf(error));
    return false;
  } finally {
    await log.forget?.();
    // Behind the hooks that end a session: they run there.
    await worktree?.end(basis.options.unsaved ? undefined : session.id, alive.length > 0);
  }
}

function lostLines(records: readonly SessionRecord[]): number {
  return records.reduce(
    (sum, record) => (record.type === 'system' && record.subtype === 'unreadable_lines' ? sum + record.lines : sum),
    0,
  );
}

/** The commands in the background that have not ended. */
export function runningIn(terminal: Pick<Terminal, 'background'>): BackgroundCommand[] {
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
