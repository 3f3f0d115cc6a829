// What connects a run to the world: turns and control channel to the program, hooks, MCP servers, and the ports.
import { defined } from '../shared/defined';
import { randomUUID } from 'node:crypto';
import { type AgentSession } from '../core/feature/agent-session';
import { hooks as hooksOfSession } from '../core/features/hooks/hooks-key';
import { noOutcome } from '../core/hooks/hook-outcome';
import { createLog } from '../node/file-log';
import { type RunningMcpServers } from '../node/mcp/create-mcp-servers';
import { createSystemClock } from '../node/system-clock';
import { createControlApprover } from './control-approver';
import { type ControlChannel, createControlChannel, type RequestHandler } from './control-channel';
import { createHookCallback } from './control-hooks';
import { elicitationPeople } from './elicitation-people';
import { type RunBasis, type RunLog } from './run-basis';
import { createRunHooks, type RunHooks } from './run-hooks';
import { createRunMcp, type RunMcpOptions } from './run-mcp';
import { withPluginPath } from './run-plugins';
import { createRunPorts, type RunPorts } from './run-ports';
import { createTurnRunner, type TurnRunner } from './run-turn';
import { createTurnStops, type TurnStops } from './turn-stops';

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
  /** Answers the control channel. */
  handler: Late<RequestHandler>;
  stops: TurnStops;
  turns: TurnRunner;
  control: ControlChannel;
  /** Undefined where the program is not asked. */
  approver: ReturnType<typeof createControlApprover> | undefined;
  hooks: RunHooks;
  mcpOptions: RunMcpOptions;
  /** Undefined where there are to be none. */
  mcp: RunningMcpServers | undefined;
  ports: RunPorts;
}

export function openConnections(basis: RunBasis, { store }: RunLog): RunConnections {
  const { options, host, environment, settings, plugins, model, streaming } = basis;
  const { warn, output } = host;
  const session = late<AgentSession>('session');
  const handler = late<RequestHandler>('request handler');
  const stops = createTurnStops(host.interruption.signal);
  const turns = createTurnRunner({
    partialMessages: options.formats.partialMessages,
    output,
    clock: createSystemClock(),
    model: model.client,
    host: { warn, interruption: stops },
  });
  const control = createControlChannel({
    send: (message) => host.write(`${JSON.stringify(message)}\n`),
    handle: (request) => handler.get()(request),
    warn,
    uuid: randomUUID,
  });
  const approver = options.permissions.askProgram ? createControlApprover(control, stops.answered, warn) : undefined;
  const hooks = createRunHooks(basis);
  const mcpOptions = mcpOptionsOf(basis, hooks, session);
  const mcp = basis.variables.simple ? undefined : createRunMcp(mcpOptions);
  const ports = createRunPorts({
    environment: withPluginPath(environment, plugins),
    passed: passedVariables(settings),
    installation: host.installation,
    version: host.version,
    model: turns.model,
    sessions: store,
    log: createLog(warn, { level: () => 'error', secrets: () => model.secrets }),
    ...defined({ mcp }),
    approver,
    saves: { target: basis.settings.target, locked: () => basis.settings.managedRulesOnly },
    ...(streaming ? { callback: createHookCallback(control) } : {}),
  });
  return { session, handler, stops, turns, control, approver, hooks, mcpOptions, mcp, ports };
}

function mcpOptionsOf(
  { options, host, cwd, home, where, environment, settings, plugins }: RunBasis,
  hooks: RunHooks,
  session: Late<AgentSession>,
): RunMcpOptions {
  return {
    given: options.mcpConfig,
    cwd,
    folders: where.folders,
    home,
    environment,
    passed: passedVariables(settings),
    settings: settings.values,
    version: host.version,
    people: elicitationPeople(hooks.atStart, {
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
