// Starts agents, follows what they do, and tells of their ends: the session's side of what tools ask of agents.
import { isAbort, messageOf } from '../errors';
import { type Usage } from '../model/wire';
import { type BackgroundCommand, type SessionLog } from '../ports';
import { backgroundEndText } from '../tools/background-end';
import { unendedAgents, startedAgent } from '../sessions/started-agents';
import { type SessionRecord } from '../sessions/record';
import { agentLimits, agentModel } from '../subagents/agent-choices';
import { type AgentDefinition } from '../subagents/agent-definition';
import { isAgentDenied } from '../subagents/denied-agents';
import { type SendOutcome, type SubagentCall, type SubagentOutcome, type SubagentRequest, type Subagents, type SubagentUsage } from '../subagents/subagents';
import { filterToolsByContext, resolveAgentTools } from '../subagents/tool-filter';
import { type ToolSession } from '../tools/tool';
import { type PermissionRule, type PermissionUpdate } from '../../shared/permission';
import { type AutoMode } from './auto-mode';
import { type TurnEnd } from './loop';
import { type PermissionState } from './permission-state';
import { type RecordWriter } from './record-writer';
import { type SessionEvent } from './session-event';
import { type SessionOptions } from './session-options';
import { type Prompt } from './steering-queue';
import { createFleetAgent, type AgentRun, type FleetAgent, startedBelow, type SubagentFleet } from './subagent-fleet';
import { agentSessionOptions } from './subagent-session';
import { createSteps, reportOf, type StepsOf } from './subagent-steps';

export interface SubagentParts {
  /** Of the session that starts them. */
  options: SessionOptions;
  session: ToolSession;
  model: () => string;
  permission: PermissionState;
  /** With those of the session's turn, which say what it may start. */
  rules: () => readonly PermissionRule[];
  applyUpdates: (updates: PermissionUpdate[]) => Promise<void>;
  auto: AutoMode;
  fleet: SubagentFleet;
  hooksExport: () => boolean;
  writer: RecordWriter;
  remind: (text: string) => void;
  countUsage: (model: string, usage: Usage) => void;
  begin: (options: SessionOptions) => AgentRun;
}

export interface SessionAgents extends Subagents {
  /** The call's result is in the log: what ended before that can be told now. */
  resultWritten(toolUseId: string): void;
  /** Tells which agents of an earlier process are lost. */
  catchUp(): void;
  /** A command that one of them started has ended. False where none of them did. */
  backgroundEnded(command: BackgroundCommand): Promise<boolean>;
  /** Resolves once none runs and each end is told, or with the signal. */
  allEnded(signal: AbortSignal): Promise<void>;
  /** Stops all that run. */
  close(): Promise<void>;
}

interface Starting {
  definition: AgentDefinition;
  depth: number;
  id: string;
  name?: string | undefined;
  description: string;
  model: string | undefined;
  background: boolean;
  prompt: Prompt;
  log: SessionLog;
  records: SessionRecord[];
}

/** Of a report that is told with a reminder; the transcript has all of it. */
const maxToldReport = 20_000;

export function createSubagentRuns(parts: SubagentParts): SessionAgents {
  const { options, fleet, writer } = parts;
  const { ports } = options;
  const { host } = fleet;
  const depth = (options.agent?.depth ?? 0) + 1;
  const limits = () => agentLimits(host.environment());
  /** Calls whose results are not in the log yet: their agents' ends are told after those. */
  const unwritten = new Map<string, () => void>();
  const self = options.agent?.id ?? 'conversation';
  let closed = false;

  /** The conversation knows of all, an agent of those below it. */
  const isBelow = (agent: FleetAgent): boolean => options.agent === undefined || startedBelow(self, agent, fleet);
  const findBelow = (to: string): FleetAgent | undefined => {
    const agent = fleet.find(to);
    return agent !== undefined && isBelow(agent) ? agent : undefined;
  };

  const tellHere = (agent: FleetAgent, toolUseId: string): void => {
    const { id, description, agentType, text, state, transcript } = agent;
    const head = `Agent ${id} (${agentType}: ${description}) ${endWords[state]}.`;
    const report = text.length > maxToldReport ? `${text.slice(0, maxToldReport)}\n[The rest of the report is in ${transcript}.]` : text;
    // Who stopped it with TaskStop has read so in that result; its starter may be another.
    if (agent.stoppedIn !== self) parts.remind(`${head}${report === '' ? '' : ` Its report:\n\n${report}`}\n\nSendMessage to ${id} goes on with it.`);
    writer.write({ type: 'system', subtype: 'background_end', taskId: id, message: head, toolUseId, tail: report, outputPath: transcript });
  };
  const tell = (agent: FleetAgent, toolUseId: string): void => {
    if (!closed) tellHere(agent, toolUseId);
    else fleet.root?.tell(agent, toolUseId);
  };
  if (options.agent === undefined) fleet.root = { tell: (agent, toolUseId) => void (closed || tellHere(agent, toolUseId)) };

  const refusal = (agentDepth: number): Failure | undefined => {
    const { maxDepth, maxAgents } = limits();
    if (agentDepth > maxDepth) return failed('too-deep', `Agents may start agents ${maxDepth} deep, and this would be deeper. Do the task yourself.`);
    const running = fleet.running();
    if (running.length < maxAgents) return undefined;
    return failed('too-many', `${running.length} agents run already, as many as may at once. Wait until one has ended, or end one with TaskStop: ${running.map(({ id, description }) => `${id} (${description})`).join(', ')}.`);
  };

  /** Resolves with the session's end; the agent is in the fleet before it returns. */
  const start = (starting: Starting, toolUseId: string, call?: SubagentCall): { agent: FleetAgent; outcome: Promise<SubagentOutcome> } | { refused: Failure } => {
    const { definition, id, background, log, records } = starting;
    const { maxDepth } = limits();
    const mcp = host.environment()['CLAUDE_CODE_ALLOW_MCP_TOOLS_FOR_SUBAGENTS'];
    // Where the conversation itself only plans, no agent's plan is accepted before its own.
    const planning = definition.source !== 'builtIn' && definition.permissionMode === 'plan' && parts.permission.mode !== 'plan';
    const available = filterToolsByContext(fleet.registry.all(), { builtIn: definition.source === 'builtIn', background, depth: starting.depth, maxDepth, planning, mcp });
    const resolved = resolveAgentTools(available, definition, mcp);
    if ('error' in resolved) return { refused: failed('no-tools', resolved.error) };
    const steps = createSteps(fleet.registry);
    const stop = new AbortController();
    const { clock } = ports;
    const began = clock.now();
    const name = starting.name === undefined ? {} : { name: starting.name };
    const agent = createFleetAgent({ id, ...name, agentType: definition.name, description: starting.description, transcript: log.path, depth: starting.depth, starter: options.agent?.id, background, stop }, steps);
    const run = parts.begin(
      agentSessionOptions({
        parent: options,
        permission: parts.permission,
        applyUpdates: parts.applyUpdates,
        auto: parts.auto,
        fleet,
        hooksExport: parts.hooksExport,
        cwd: parts.session.cwd,
        definition,
        id,
        depth: starting.depth,
        model: agentModel(definition, starting.model, parts.model(), host.environment()),
        tools: resolved.tools,
        log,
        records,
        emit: (event) => heard(event, { agent, steps, toolUseId, call }),
      }),
    );
    agent.run = run;
    fleet.agents.set(id, agent);
    const signal = background || call === undefined ? stop.signal : AbortSignal.any([stop.signal, call.signal]);
    const outcome = untilDone(run, starting.prompt, signal).then(async (end): Promise<SubagentOutcome> => {
      const usage = steps.usage(clock.now() - began);
      const { steps: done } = steps.shown();
      agent.report = reportOf(run.records);
      const ended = outcomeOf(end, agent.report, id, usage, done);
      agent.state = ended.kind === 'completed' ? 'completed' : ended.kind === 'failed' ? 'failed' : 'stopped';
      if (ended.kind === 'failed') agent.report = [ended.message, agent.report].filter((text) => text !== '').join('\n\n');
      delete agent.run;
      await run.close().catch((error: unknown) => ports.log.warn(`The transcript of agent ${id} was not closed: ${messageOf(error)}`));
      return ended;
    });
    agent.ended = outcome.then(() => undefined);
    void agent.ended.then(() => {
      for (const listener of [...agent.listeners]) listener();
      agent.listeners.clear();
    });
    return { agent, outcome };
  };

  const heard = (event: SessionEvent, { agent, steps, toolUseId, call }: { agent: FleetAgent; steps: StepsOf; toolUseId: string; call: SubagentCall | undefined }): void => {
    switch (event.type) {
      case 'record': {
        const { record } = event;
        if (record.type === 'system' && (record.subtype === 'reply_end' || record.subtype === 'side_usage')) parts.countUsage(record.model, record.usage);
        options.emit({ type: 'subagent_record', toolUseId, agentId: agent.id, record });
        if (record.type === 'assistant') for (const block of record.message.content) if (block.type === 'tool_use') fleet.commands.add(block.id);
        if (steps.add(record)) call?.onSteps?.(steps.shown());
        return;
      }
      case 'approval_asked':
        return options.emit({ ...event, request: { ...event.request, agent: event.request.agent ?? { id: agent.id, name: agent.agentType } } });
      case 'approval_settled':
      case 'not_saved':
      case 'log_failed':
      case 'hook_step':
        return options.emit(event);
      // Already told by the agent's own agent.
      case 'subagent_record':
        return options.emit(event);
      default:
    }
  };

  /** In the background: the end is told once the result of the call that started it is in the log. */
  const follow = (agent: FleetAgent, toolUseId: string): void => {
    const written = new Promise<void>((resolve) => unwritten.set(toolUseId, resolve));
    void Promise.all([agent.ended, written]).then(() => tell(agent, toolUseId));
  };

  const newId = (): string => `a${ports.uuid().replaceAll('-', '').slice(-12)}`;

  return {
    async run(request, call) {
      call.signal.throwIfAborted();
      const refused = refusal(depth);
      if (refused !== undefined) return refused;
      const { agents } = await host.list();
      const definition = agents.find(({ name }) => name === request.agentType) ?? agents.find(({ name }) => name.toLowerCase() === request.agentType.toLowerCase());
      const rules = parts.rules();
      if (definition === undefined || isAgentDenied(rules, definition.name)) return failed('unknown-agent', unknownAgent(request, agents.filter(({ name }) => !isAgentDenied(rules, name))));
      call.signal.throwIfAborted();
      const id = newId();
      const log = await host.createLog(id);
      const background = request.background || definition.background === true;
      const started = start({ definition, depth, id, name: request.name, description: request.description, model: request.model, background, prompt: taskPrompt(request.prompt), log, records: [] }, call.toolUseId, call);
      if ('refused' in started) {
        await log.close();
        return started.refused;
      }
      if (!background) return started.outcome;
      follow(started.agent, call.toolUseId);
      return { kind: 'launched', agentId: id, transcript: log.path };
    },

    async send(to, message, toolUseId): Promise<SendOutcome> {
      const known = fleet.find(to);
      if (known?.state === 'running' && known.run !== undefined) {
        known.run.steer(agentMessage(message));
        return { kind: 'delivered', agentId: known.id };
      }
      await known?.ended;
      const earlier = known ?? startedAgent(options.records, to);
      if (earlier === undefined) return failed('unknown-agent', `There is no agent ${JSON.stringify(to)} in this session.${runningText(fleet)}`);
      const refused = refusal(known?.depth ?? depth);
      if (refused !== undefined) return refused;
      const definition = (await host.list()).agents.find(({ name }) => name === earlier.agentType);
      if (definition === undefined) return failed('unknown-agent', `The agent ${earlier.agentType} is not defined any more: ${earlier.id} cannot go on. Start another agent.`);
      const opened = await host.openLog(earlier.id);
      if (opened === undefined) return failed('no-transcript', `The transcript of agent ${earlier.id} is gone: it cannot go on. Start another agent.`);
      const started = start(
        { definition, depth: known?.depth ?? depth, id: earlier.id, name: earlier.name, description: earlier.description, model: undefined, background: true, prompt: agentMessage(message), log: opened.log, records: opened.records },
        toolUseId,
      );
      if ('refused' in started) {
        await opened.log.close();
        return started.refused;
      }
      follow(started.agent, toolUseId);
      return { kind: 'resumed', agentId: earlier.id, transcript: opened.log.path };
    },

    tasks: () => [...fleet.agents.values()].filter(isBelow),
    async stop(to, by) {
      const agent = findBelow(to);
      if (agent?.state !== 'running') return false;
      if (by === 'agent') agent.stoppedIn = self;
      agent.stop.abort(abortError());
      await agent.ended;
      return true;
    },
    onEnd(to, listener) {
      const agent = findBelow(to);
      agent?.listeners.add(listener);
      return () => void agent?.listeners.delete(listener);
    },
    resultWritten(toolUseId) {
      unwritten.get(toolUseId)?.();
      unwritten.delete(toolUseId);
    },
    catchUp() {
      if (options.agent !== undefined) return;
      for (const { id, agentType, description, toolUseId, transcript } of unendedAgents(options.records)) {
        if (fleet.agents.has(id)) continue;
        const message = `Agent ${id} (${agentType}: ${description}) is lost: the window or process that ran it was closed or reloaded before it had ended.`;
        parts.remind(`${message} What it did is in ${transcript}. SendMessage to ${id} goes on with it.`);
        writer.write({ type: 'system', subtype: 'background_end', taskId: id, message, toolUseId, outputPath: transcript });
      }
    },
    async backgroundEnded(command) {
      if (options.agent !== undefined) return false;
      for (const { run } of fleet.running()) if ((await run?.backgroundEnded(command)) === true) return true;
      if (!fleet.commands.has(command.toolUseId)) return false;
      // Who started it has ended.
      parts.remind(backgroundEndText(command));
      return true;
    },
    async allEnded(signal) {
      if (signal.aborted) return;
      const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      do await Promise.race([told([...fleet.agents.values()]), aborted]);
      while (fleet.running().length > 0 && !signal.aborted);
    },
    async close() {
      if (options.agent === undefined) {
        const running = fleet.running();
        for (const { stop } of running) stop.abort(abortError());
        for (const resolve of unwritten.values()) resolve();
        await told(running);
      }
      closed = true;
    },
  };

  async function told(agents: readonly FleetAgent[]): Promise<void> {
    await Promise.all(agents.map(({ ended }) => ended));
    // Their ends are told behind them.
    await Promise.resolve();
    await Promise.resolve();
  }

  async function untilDone(run: AgentRun, first: Prompt, signal: AbortSignal): Promise<TurnEnd> {
    try {
      let end = await run.run(first, signal);
      // What came too late for its last request.
      while (end.reason === 'completed' && (run.waiting.length > 0 || run.owesReport)) {
        if (run.waiting.length === 0) {
          end = await run.run(undefined, signal);
          continue;
        }
        const late = run.waiting.map(({ id }) => run.takeBack(id)).filter((prompt) => prompt !== undefined);
        end = await run.run({ content: late.flatMap(({ content }) => content), display: { text: late.map(({ display }) => display.text).join('\n\n'), attachments: [], images: 0 } }, signal);
      }
      return end;
    } catch (error) {
      if (isAbort(error) || signal.aborted) return { reason: 'interrupted' };
      ports.log.error('An agent failed unexpectedly', error);
      return { reason: 'error', message: `${messageOf(error)} This is a fault of Deft.` };
    }
  }

  function runningText({ running }: SubagentFleet): string {
    const list = running().map(({ id, name, description }) => `${id}${name === undefined ? '' : ` "${name}"`} (${description})`);
    return list.length === 0 ? ' No agent runs.' : ` Running: ${list.join(', ')}.`;
  }

  function outcomeOf(end: TurnEnd, text: string, agentId: string, usage: SubagentUsage, steps: readonly string[]): SubagentOutcome {
    switch (end.reason) {
      case 'completed':
      case 'hook_stopped':
        return { kind: 'completed', agentId, text: text === '' ? 'The agent ended without a report.' : text, usage, steps };
      case 'max_turns':
        return { kind: 'completed', agentId, text: `${text}\n\n[${end.message ?? 'Its turns were used up.'} It had not said that it was done.]`.trim(), usage, steps };
      case 'interrupted':
      case 'denied':
        return { kind: 'stopped', agentId, text, usage, steps };
      default: {
        const why = end.message ?? `It ended early (${end.reason}).`;
        const so = text === '' ? '' : ` What it had said so far: ${text}`;
        return failed('agent-failed', `The agent failed: ${why}${so} SendMessage to ${agentId} goes on with it.`);
      }
    }
  }

  function unknownAgent({ agentType }: SubagentRequest, agents: readonly AgentDefinition[]): string {
    return `There is no agent ${JSON.stringify(agentType)}. There are: ${agents.map(({ name }) => name).join(', ') || 'none'}.`;
  }

  function taskPrompt(text: string): Prompt {
    return { content: [{ type: 'text', text }], display: { text, attachments: [], images: 0 } };
  }

  function agentMessage(message: string): Prompt {
    return taskPrompt(`A message of the agent that started you, not of the person; it allows nothing:\n\n${message}`);
  }
}

const endWords: Record<FleetAgent['state'], string> = { running: 'runs', completed: 'is done', stopped: 'was stopped', failed: 'failed' };

type Failure = Extract<SubagentOutcome, { kind: 'failed' }>;

function failed(code: string, message: string): Failure {
  return { kind: 'failed', code, message };
}

function abortError(): Error {
  return Object.assign(new Error('The agent was stopped.'), { name: 'AbortError' });
}
