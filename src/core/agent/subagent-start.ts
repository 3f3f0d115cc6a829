// Begins the session that an agent is, and follows it to its end.
import { isAbort, messageOf } from '../text/errors';
import { type SessionLog } from '../ports';
import { type SessionRecord } from '../ports/record';
import { agentLimits, agentModel } from '../subagents/agent-choices';
import { type AgentDefinition } from '../subagents/agent-definition';
import { type SubagentCall, type SubagentOutcome } from '../subagents/subagents';
import { filterToolsByContext, resolveAgentTools } from '../subagents/tool-filter';
import { type ToolSession } from '../tool/tool';
import { type Usage } from '../wire/wire';
import { type PermissionRule, type PermissionUpdate } from '../../shared/permission';
import { isToolDenied } from '../permissions/rules/tool-rules';
import { type AutoMode } from '../calls/auto-mode';
import { binding, boundRules } from '../calls/bound-rules';
import { type TurnEnd } from './loop';
import { type PermissionState } from '../calls/permission-state';
import { type RecordWriter } from '../events/record-writer';
import { type SessionOptions } from './session-options';
import { type SessionEvent } from '../events/session-event';
import { type Prompt } from '../events/steering-queue';
import { type AgentRun, createFleetAgent, type FleetAgent, startedBelow, type SubagentFleet } from '../features/subagents/running-agents';
import { agentSessionOptions } from '../features/subagents/subagent-session';
import { type SessionHooks } from './session-hooks';
import { callRecord } from '../sessions/call-records';
import { type AgentEquipment } from '../features/subagents/subagent-equipment';
import { keepsServerTool, reachesServerTool, withNamedServers } from '../subagents/agent-servers';
import { worktreeFolders } from '../subagents/worktree-view';
import { withMemoryTools } from '../features/subagents/agent-memory';
import { type PriceFacts, pricedAs } from '../loop/reply-facts';
import { createSteps, reportOf, type StepsOf } from '../features/subagents/subagent-steps';
import { coloured, failed, type Failure, outcomeOf, withPlace } from '../features/subagents/subagent-texts';

export interface SubagentParts {
  /** Of the session that starts them. */
  options: SessionOptions;
  session: ToolSession;
  model: () => string;
  thinking: () => boolean;
  permission: PermissionState;
  /** With those of the session's turn, which say what it may start. */
  rules: () => readonly PermissionRule[];
  applyUpdates: (updates: PermissionUpdate[]) => Promise<void>;
  auto: AutoMode;
  fleet: SubagentFleet;
  hooksExport: () => boolean;
  /** The session's own hooks hear of what agents need. */
  event: SessionHooks['event'];
  writer: RecordWriter;
  remind: (text: string) => void;
  /** The same for what is no report: no turn is begun for it. */
  mention: (text: string) => void;
  countUsage: (model: string, usage: Usage, whom: string, facts: PriceFacts) => void;
  begin: (options: SessionOptions) => AgentRun;
}

export interface StartingAgent {
  definition: AgentDefinition;
  depth: number;
  id: string;
  name?: string | undefined;
  description: string;
  model: string | undefined;
  background: boolean;
  prompt: Prompt;
  /** They deny; none where it goes on: its log holds them. */
  rules?: readonly PermissionRule[];
  equipment: AgentEquipment;
  log: SessionLog;
  records: SessionRecord[];
}

export type StartAgent = (
  starting: StartingAgent,
  toolUseId: string,
  call?: SubagentCall,
) => { agent: FleetAgent; outcome: Promise<SubagentOutcome> } | { refused: Failure };

/** Resolves with the session's end; the agent is in the fleet before it returns. */
export function createAgentStart(parts: SubagentParts): StartAgent {
  const { options, fleet } = parts;
  const { ports } = options;
  const { host } = fleet;

  const heard = (
    event: SessionEvent,
    {
      agent,
      steps,
      toolUseId,
      call,
      colour,
    }: {
      agent: FleetAgent;
      steps: StepsOf;
      toolUseId: string;
      call: SubagentCall | undefined;
      colour: Pick<AgentDefinition, 'color'>;
    },
  ): void => {
    switch (event.type) {
      case 'record': {
        const { record } = event;
        if (record.type === 'system' && (record.subtype === 'reply_end' || record.subtype === 'side_usage'))
          parts.countUsage(record.model, record.usage, `${agent.agentType}: ${agent.description}`, pricedAs(record));
        options.emit({ type: 'subagent_record', toolUseId, agentId: agent.id, record });
        if (record.type === 'assistant')
          for (const block of record.message.content) if (block.type === 'tool_use') fleet.commands.add(block.id);
        if (steps.add(record)) call?.onSteps?.({ ...steps.shown(), ...colour });
        return;
      }
      case 'approval_asked':
        return options.emit({
          ...event,
          request: { ...event.request, agent: event.request.agent ?? { id: agent.id, name: agent.agentType } },
        });
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

  return (starting, toolUseId, call) => {
    const { definition, id, background, log, records, equipment } = starting;
    const { maxDepth } = agentLimits(host.environment());
    const mcp = host.environment()['CLAUDE_CODE_ALLOW_MCP_TOOLS_FOR_SUBAGENTS'];
    // Where the conversation itself only plans, no agent's plan is accepted before its own.
    const planning =
      definition.source !== 'builtIn' && definition.permissionMode === 'plan' && parts.permission.mode !== 'plan';
    const bound = [...binding(starting.rules ?? []), ...boundRules(records)];
    const keeps = mcp === '1' ? () => true : keepsServerTool(definition, ports.mcp);
    const reaches = reachesServerTool(ports.mcp);
    const own = new Set(equipment.serverTools.map((tool) => tool.name));
    const reached = fleet.registry.all().filter((tool) => !own.has(tool.name) && reaches(tool) && keeps(tool));
    const available = filterToolsByContext([...reached, ...equipment.serverTools], {
      builtIn: definition.source === 'builtIn',
      background,
      depth: starting.depth,
      maxDepth,
      planning,
      mcp,
    });
    const resolved = resolveAgentTools(
      available.filter((tool) => !isToolDenied(bound, tool.name)),
      withNamedServers(definition),
      mcp,
    );
    if ('error' in resolved) return { refused: failed('no-tools', resolved.error) };
    const steps = createSteps(
      fleet.registry,
      equipment.place === undefined
        ? options.environment.folders
        : worktreeFolders(options.environment.folders, equipment.place.worktree),
    );
    const stop = new AbortController();
    const { clock } = ports;
    const began = clock.now();
    const name = starting.name === undefined ? {} : { name: starting.name };
    const agent = createFleetAgent(
      {
        id,
        ...name,
        agentType: definition.name,
        description: starting.description,
        transcript: log.path,
        depth: starting.depth,
        starter: options.agent?.id,
        background,
        stop,
      },
      steps,
    );
    const run = parts.begin(
      agentSessionOptions({
        parent: { ...options, thinking: parts.thinking() },
        permission: parts.permission,
        applyUpdates: parts.applyUpdates,
        auto: parts.auto,
        fleet,
        hooksExport: parts.hooksExport,
        cwd: equipment.place?.cwd ?? parts.session.cwd,
        equipment,
        definition,
        id,
        depth: starting.depth,
        model: agentModel(definition, starting.model, parts.model(), host.environment()),
        tools: withMemoryTools(resolved.tools, available, equipment.memory),
        bound,
        log,
        records,
        emit: (event) => heard(event, { agent, steps, toolUseId, call, colour: coloured(definition) }),
      }),
    );
    agent.run = run;
    if (equipment.place !== undefined) agent.worktree = equipment.place.worktree;
    fleet.agents.set(id, agent);
    const signal = background || call === undefined ? stop.signal : AbortSignal.any([stop.signal, call.signal]);
    const outcome = untilDone(agent, run, starting.prompt, signal).then(async (end): Promise<SubagentOutcome> => {
      const usage = steps.usage(clock.now() - began);
      const { steps: done } = steps.shown();
      agent.report = reportOf(run.records);
      const busy =
        ports.terminal
          .background()
          .some(({ end: over, toolUseId: by }) => over === undefined && callRecord(run.records, by) !== undefined) ||
        fleet.running().some((one) => startedBelow(id, one, fleet));
      // Whatever goes wrong with what it had, it has ended.
      const place = await equipment
        .end(busy)
        .catch(
          (error: unknown) =>
            void ports.log.warn(`What agent ${id} had of its own was not put away: ${messageOf(error)}`),
        );
      const ended = withPlace(outcomeOf(end, agent.report, id, usage, done), place);
      if (place !== undefined) agent.place = place;
      if (place !== undefined) agent.report = `${agent.report}\n\n${place}`.trim();
      agent.state = ended.kind === 'completed' ? 'completed' : ended.kind === 'failed' ? 'failed' : 'stopped';
      if (ended.kind === 'failed')
        agent.report = [ended.message, agent.report].filter((text) => text !== '').join('\n\n');
      await run
        .close()
        .catch((error: unknown) => ports.log.warn(`The transcript of agent ${id} was not closed: ${messageOf(error)}`));
      return ended.kind === 'failed' ? ended : { ...ended, ...coloured(definition) };
    });
    agent.ended = outcome.then(() => undefined);
    void agent.ended.then(() => {
      for (const listener of [...agent.listeners]) listener();
      agent.listeners.clear();
    });
    return { agent, outcome };
  };

  async function untilDone(agent: FleetAgent, run: AgentRun, first: Prompt, signal: AbortSignal): Promise<TurnEnd> {
    try {
      let end = await run.run(first, signal);
      // What came too late for its last request.
      while (end.reason === 'completed' && (run.waiting.length > 0 || run.owesReport)) {
        if (run.waiting.length === 0) {
          end = await run.run(undefined, signal);
          continue;
        }
        const late = run.waiting.map(({ id }) => run.takeBack(id)).filter((prompt) => prompt !== undefined);
        end = await run.run(
          {
            content: late.flatMap(({ content }) => content),
            display: { text: late.map(({ display }) => display.text).join('\n\n'), attachments: [], images: 0 },
          },
          signal,
        );
      }
      return end;
    } catch (error) {
      if (isAbort(error) || signal.aborted) return { reason: 'interrupted' };
      ports.log.error('An agent failed unexpectedly', error);
      return { reason: 'error', message: `${messageOf(error)} This is a fault of Deft.` };
    } finally {
      // In the same step as its last look at what waits: a later message is one for the agent that has ended, and waits for that.
      delete agent.run;
    }
  }
}
