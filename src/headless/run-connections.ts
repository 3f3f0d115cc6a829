// What connects a run to the world: turns and control channel to the program, hooks, MCP servers, and the ports.
import { defined } from '../shared/defined';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { type AgentSession } from '../core/feature/agent-session';
import { hooks as hooksOfSession } from '../core/features/hooks/hooks-key';
import { noOutcome } from '../core/hooks/hook-outcome';
import { timesFromVariables } from '../core/mcp/limits';
import { type McpPeople, type McpServers } from '../core/ports/mcp';
import { isObject } from '../shared/plain-object';
import { createLog } from '../node/file-log';
import { type RunningMcpServers } from '../node/mcp/create-mcp-servers';
import { createSystemClock } from '../node/system-clock';
import { type AskingApprover } from './control/asking-approver';
import { createControlApprover } from './control/control-approver';
import { type ControlChannel, createControlChannel } from './control/control-channel';
import { createCurrentHandler, type CurrentHandler } from './control/current-handler';
import { createProgramServers, type RunProgramServers } from './control/program-servers';
import { type ServersTarget } from './control/control-servers';
import { createControlElicitation, createControlQuestioner } from './control/control-people';
import { createSessionStates, type SessionStates } from './control/session-states';
import { createServerApprover } from './control/server-approver';
import { createHookCallback } from './control/control-hooks';
import { elicitationPeople } from './elicitation-people';
import { type RunBasis, type RunEditor, type RunLog } from './run-basis';
import { createRunHooks, type RunHooks } from './run-hooks';
import { createRunMcp, programServersRefusal, type RunMcpOptions } from './run-mcp';
import { withPluginPath } from './run-plugins';
import { createRunPorts, type RunPorts } from './run-ports';
import { createTurnRunner, type TurnRunner } from './run-turn';
import { createTaskReports, type TaskReports } from './control/task-reports';
import { createTurnStops, type TurnStops } from './turn-stops';

type RunPeople = Pick<RunEditor, 'approver' | 'questioner'>;

/** Something that is made later than what uses it. */
export interface Late<T> {
  set(value: T): void;
  /** Throws where it is not there yet. */
  get(): T;
}

function late<T extends object>(name: string): Late<T> {
  let held: T | undefined;
  return {
    set: (value) => (held = value),
    get() {
      if (held === undefined) throw new Error(`The ${name} was requested before it was available.`);
      return held;
    },
  };
}

export interface RunConnections {
  /** Hooks about questions of MCP servers run in it. */
  session: Late<AgentSession>;
  /** Who answers the control channel. */
  requests: CurrentHandler;
  stops: TurnStops;
  turns: TurnRunner;
  states: SessionStates;
  /** What tasks in the background have to tell the model. */
  reports: TaskReports;
  control: ControlChannel;
  servers: RunProgramServers;
  /** Servers of the program in place of those that it named before. */
  setServers: ServersTarget['setServers'];
  toggleServer: ServersTarget['toggleServer'];
  /** What names servers may have changed. */
  rereadServers(): Promise<void>;
  /** Undefined where the program is not asked. */
  approver: AskingApprover | undefined;
  /** Somebody answers what a user is asked. */
  interactive: boolean;
  hooks: RunHooks;
  mcpOptions: RunMcpOptions;
  /** Undefined where there are to be none. */
  mcp: RunningMcpServers | undefined;
  ports: RunPorts;
}

export function openConnections(basis: RunBasis, { store, opened }: RunLog): RunConnections {
  const { options, host, environment, settings, plugins, model, streaming } = basis;
  const { warn, output } = host;
  const session = late<AgentSession>('session');
  const requests = createCurrentHandler();
  const stops = createTurnStops(host.interruption.signal);
  const runner = createTurnRunner({
    partialMessages: options.formats.partialMessages,
    replayMessages: options.formats.replayMessages,
    output,
    clock: createSystemClock(),
    model: model.client,
    verify: () => settings.values.verify ?? [],
    host: { warn, interruption: stops },
  });
  const reports = createTaskReports();
  const turns = heardBy([(event) => host.hears?.(event), reports.hear], runner);
  const control = createControlChannel({
    send: (message) => host.write(`${JSON.stringify(message)}\n`),
    handle: requests.handle,
    warn,
    uuid: randomUUID,
  });
  const states = createSessionStates(host.environment, (state) =>
    output.message({
      ...{ type: 'system', subtype: 'session_state_changed', state },
      ...{ session_id: session.get().id, uuid: randomUUID() },
    }),
  );
  const asked = states.around(control);
  const approver =
    options.permissions.asks === 'stdio' ? createControlApprover(asked, stops.answered, warn) : undefined;
  const editor = host.editor?.(opened.log.id);
  const people: RunPeople | undefined =
    editor ??
    (approver && { approver, questioner: createControlQuestioner(asked, stops.answered) }) ??
    askedServer(options.permissions.asks, () => mcp, warn);
  const elicitor = editor?.people ?? (options.initialized ? createControlElicitation(asked, warn) : undefined);
  const hooks = createRunHooks(basis);
  const servers = createProgramServers(control);
  const named = new ProgramNames(options.programServers);
  const switchedOff = new Set<string>();
  const mcpOptions = mcpOptionsOf(basis, hooks, session, { servers, named, elicitor, switchedOff });
  const mcp: RunningMcpServers | undefined = basis.variables.simple ? undefined : createRunMcp(mcpOptions);
  const ports = createRunPorts({
    environment: withPluginPath(environment, plugins),
    passed: passedVariables(settings),
    installation: host.installation,
    version: host.version,
    model: turns.model,
    sessions: store,
    warn,
    commandsFolder: path.join(path.dirname(store.resultsDirectory(opened.log.id)), 'commands'),
    log: createLog(warn, { level: () => 'error', secrets: () => model.secrets }),
    ...defined({ mcp }),
    checks: settings.values.problemCommands ?? [],
    ...{ people, hands: editor },
    saves: { target: basis.settings.target, locked: () => basis.settings.managedRulesOnly },
    ...(streaming ? { callback: createHookCallback(control) } : {}),
  });
  const setServers: RunConnections['setServers'] = async (given) => {
    const refusal = await programServersRefusal(Object.keys(given), basis.settings.values);
    if (refusal !== undefined) return refusal;
    const changed = named.replace(given);
    await reread();
    return changed;
  };
  const reread = async (): Promise<void> => {
    await mcp?.refresh();
    await mcp?.settled(timesFromVariables(environment).connectMs, host.interruption.signal);
  };
  const toggleServer: RunConnections['toggleServer'] = async (name, enabled) => {
    if (enabled) switchedOff.delete(name);
    else switchedOff.add(name);
    await reread();
  };
  return {
    ...{
      session,
      requests,
      stops,
      turns,
      states,
      reports,
      control,
      servers,
      setServers,
      toggleServer,
      rereadServers: reread,
    },
    ...{ approver, interactive: editor !== undefined || approver !== undefined, hooks, mcpOptions, mcp, ports },
  };
}

/** They hear each event before it is written. */
function heardBy(listeners: readonly TurnRunner['emit'][], runner: TurnRunner): TurnRunner {
  return {
    ...runner,
    emit(event) {
      for (const listener of listeners) listener(event);
      runner.emit(event);
    },
  };
}

/** A tool of a server decides; it cannot be asked anything else. */
function askedServer(
  tool: string | undefined,
  servers: () => McpServers | undefined,
  warn: (sentence: string) => void,
): RunPeople | undefined {
  return tool === undefined ? undefined : { approver: createServerApprover({ tool, servers, warn }) };
}

/** The servers that the program names while it runs: `initialize` begins, `mcp_set_servers` replaces. */
class ProgramNames {
  inside: readonly string[];
  named: Readonly<Record<string, unknown>> = {};

  constructor(inside: readonly string[]) {
    this.inside = inside;
  }

  replace(servers: Readonly<Record<string, unknown>>): { added: string[]; removed: string[] } {
    const before = new Set([...this.inside, ...Object.keys(this.named)]);
    const isInside = (value: unknown): boolean => isObject(value) && value['type'] === 'sdk';
    const entries = Object.entries(servers);
    this.inside = entries.flatMap(([name, value]) => (isInside(value) ? [name] : []));
    this.named = Object.fromEntries(entries.filter(([, value]) => !isInside(value)));
    const after = new Set(Object.keys(servers));
    return {
      added: [...after].filter((name) => !before.has(name)),
      removed: [...before].filter((name) => !after.has(name)),
    };
  }
}

function mcpOptionsOf(
  { options, host, cwd, home, where, environment, settings, plugins }: RunBasis,
  hooks: RunHooks,
  session: Late<AgentSession>,
  {
    servers,
    named,
    elicitor,
    switchedOff,
  }: {
    servers: RunProgramServers;
    named: ProgramNames;
    elicitor: McpPeople | undefined;
    switchedOff: ReadonlySet<string>;
  },
): RunMcpOptions {
  return {
    given: options.mcpConfig,
    strict: options.strictMcpConfig,
    settingSources: options.settingSources,
    ofProgram: () => named,
    program: servers,
    switchedOff,
    cwd,
    folders: where.folders,
    home,
    environment,
    passed: passedVariables(settings),
    settings: settings.values,
    version: host.version,
    people: elicitationPeople(hooks.atStart, elicitor, {
      event: async (...event) =>
        session
          .get()
          .feature(hooksOfSession)
          ?.event(...event) ?? noOutcome,
      onProblem: host.warn,
    }),
    plugins,
  };
}

/** The user names them for the processes of Deft: as variables of its settings, or as those that may be seen. */
function passedVariables({ env, values }: RunBasis['settings']): string[] {
  return [...Object.keys(env), ...(values.visibleVariables ?? [])];
}
