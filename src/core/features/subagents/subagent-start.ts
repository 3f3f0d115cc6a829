// Begins the session that an agent is, and follows it to its end.
import { said } from '../../text/words';
import { defined } from '../../../shared/defined';
import { type PermissionRule } from '../../../shared/permission';
import { binding, boundRules } from '../../calls/bound-rules';
import { type SessionEvent } from '../../events/session-event';
import { type Prompt } from '../../events/steering-queue';
import { type SessionAccess } from '../../feature/session-feature';
import { usableModel } from '../../feature/usable-model';
import { type TurnEnd } from '../../loop/after-reply';
import { pricedAs } from '../../loop/reply-facts';
import { isToolDenied } from '../../permissions/rules/tool-rules';
import { type SessionRecord } from '../../ports/record';
import { type SessionLog } from '../../ports/session-store';
import { callRecord } from '../../sessions/call-records';
import { agentLimits, agentModel } from '../../subagents/agent-choices';
import { type AgentDefinition } from '../../subagents/agent-definition';
import { keepsServerTool, reachesServerTool, withNamedServers } from '../../subagents/agent-servers';
import { type SubagentCall, type SubagentOutcome } from '../../subagents/subagents';
import { filterToolsByContext, resolveAgentTools } from '../../subagents/tool-filter';
import { worktreeFolders } from '../../subagents/worktree-view';
import { isAbort, messageOf } from '../../text/errors';
import { type AnyTool } from '../../tool/tool';
import { withOwnList } from './agent-list';
import { withMemoryTools } from './agent-memory';
import { type AgentRun, agentRun, isOwedATurn } from './agent-run';
import { type StayingAgent, type TeammateSlot } from './agent-team';
import { createTrackedAgent, type RunningAgents, startedBelow, type TrackedAgent } from './running-agents';
import { type AgentEquipment } from './subagent-equipment';
import { agentOpening, type AgentSessionParts } from './subagent-session';
import { createSteps, reportOf, type StepsOf } from './subagent-steps';
import { coloured, failed, type Failure, outcomeOf, withPlace } from './subagent-texts';

export interface StartingAgent {
  definition: AgentDefinition;
  depth: number;
  id: string;
  name?: string | undefined;
  description: string;
  model: string | undefined;
  background: boolean;
  prompt: Prompt;
  /** They deny; none if it is resumed: its log holds them. */
  rules?: readonly PermissionRule[];
  equipment: AgentEquipment;
  log: SessionLog;
  /** For one that is resumed. */
  records?: SessionRecord[];
  /** In a team. */
  slot: TeammateSlot | undefined;
}

/** The call that started it, or wrote to it; `call` where something waits for it there. */
export interface StartedBy {
  toolUseId: string;
  call?: SubagentCall;
}

/** Resolves with the session's end; the agent is among those that run before it returns. */
export function startAgent(
  starting: StartingAgent,
  access: SessionAccess,
  agents: RunningAgents,
  by: StartedBy,
): { agent: TrackedAgent; outcome: Promise<SubagentOutcome> } | { refused: Failure } {
  const { definition, id, background, log, equipment, slot, records = [] } = starting;
  const { folders } = access.settings.place.environment;
  const bound = [...binding(starting.rules ?? []), ...boundRules(records)];
  const tools = toolsOf(starting, bound, access, agents);
  if ('refused' in tools) return tools;
  const steps = createSteps(
    agents.registry,
    equipment.place === undefined ? folders : worktreeFolders(folders, equipment.place.worktree),
  );
  const stop = new AbortController();
  const agent = createTrackedAgent(
    {
      id,
      ...defined({ name: starting.name }),
      agentType: definition.name,
      description: starting.description,
      transcript: log.path,
      depth: starting.depth,
      starter: access.settings.agent?.id,
      background,
      stop,
    },
    steps,
  );
  // The user knows a teammate by its own name.
  const label = { id, name: (slot && starting.name) ?? definition.name };
  const began = access.ports.clock.now();
  const model = agentModel(definition, starting.model, access.choices.model, agents.host.environment());
  const opening = agentOpening(
    {
      ...{ definition, id, label, depth: starting.depth, equipment, bound, log, records },
      model: usableModel(model, access, `The agent ${definition.name}`) ?? access.choices.model,
      tools: tools.resolved,
      emit: (event) => onEvent(event, { agent, label, steps, by, definition, agents, access }),
    },
    access,
  );
  const mate = slot?.begin(agent);
  const { ports, settings, features } = slot?.opening(opening, definition.disallowedTools ?? []) ?? opening;
  const run = agentRun(access.open(ports, settings, features));
  agent.run = run;
  if (equipment.place !== undefined) agent.worktree = equipment.place.worktree;
  agents.agents.set(id, agent);
  const signal = background || by.call === undefined ? stop.signal : AbortSignal.any([stop.signal, by.call.signal]);
  const outcome = untilDone({ agent, run, mate }, starting.prompt, signal, access).then((end) =>
    putAway({ agent, run, end, steps, began, starting, access, agents }),
  );
  agent.ended = outcome.then(() => undefined);
  void agent.ended.then(() => {
    for (const listener of [...agent.listeners]) listener();
    agent.listeners.clear();
  });
  return { agent, outcome };
}

/** Those that it may call. */
function toolsOf(
  { definition, background, depth, equipment, slot }: StartingAgent,
  bound: readonly PermissionRule[],
  { ports, permission }: SessionAccess,
  { host, registry }: RunningAgents,
): { resolved: readonly AnyTool[] } | { refused: Failure } {
  const { maxDepth } = agentLimits(host.environment());
  const mcp = host.environment()['CLAUDE_CODE_ALLOW_MCP_TOOLS_FOR_SUBAGENTS'];
  // Where the conversation itself only plans, no agent's plan is accepted before its own.
  const planning =
    definition.source !== 'builtIn' && definition.permissionMode === 'plan' && permission.mode !== 'plan';
  const keeps = mcp === '1' ? () => true : keepsServerTool(definition, ports.mcp);
  const reaches = reachesServerTool(ports.mcp);
  const own = new Set(equipment.serverTools.map((tool) => tool.name));
  const reached = registry.all().filter((tool) => !own.has(tool.name) && reaches(tool) && keeps(tool));
  // A team shares one list.
  const listed = slot === undefined ? definition.tools : undefined;
  const isDenied = (name: string): boolean => isToolDenied(permission.now().rules, name);
  const found = [...withOwnList(reached, listed, isDenied), ...equipment.serverTools];
  const available = filterToolsByContext(found, {
    builtIn: definition.source === 'builtIn',
    background,
    depth,
    maxDepth,
    planning,
    mcp,
  });
  const allowed = available.filter((tool) => !isToolDenied(bound, tool.name));
  const resolved = resolveAgentTools(allowed, withNamedServers(definition), mcp);
  return 'error' in resolved
    ? { refused: failed('no-tools', resolved.error) }
    : { resolved: withMemoryTools(resolved.tools, available, equipment.memory) };
}

interface EventServices {
  agent: TrackedAgent;
  steps: StepsOf;
  by: StartedBy;
  /** For the user, where it asks something. */
  label: AgentSessionParts['label'];
  definition: AgentDefinition;
  agents: RunningAgents;
  access: SessionAccess;
}

/** What the session of an agent reports, passed on by the session that started it. */
function onEvent(event: SessionEvent, { agent, label, steps, by, definition, agents, access }: EventServices): void {
  const { emit } = access.settings;
  switch (event.type) {
    case 'record': {
      const { record } = event;
      if (record.type === 'system' && (record.subtype === 'reply_end' || record.subtype === 'side_usage'))
        access.countUsage(record.model, record.usage, `${agent.agentType}: ${agent.description}`, pricedAs(record));
      emit({ type: 'subagent_record', toolUseId: by.toolUseId, agentId: agent.id, record });
      if (record.type === 'assistant')
        for (const block of record.message.content) if (block.type === 'tool_use') agents.commands.add(block.id);
      if (steps.add(record)) by.call?.onSteps?.({ ...steps.shown(), ...coloured(definition) });
      return;
    }
    case 'approval_asked':
      return emit({ ...event, request: { ...event.request, agent: event.request.agent ?? label } });
    case 'approval_settled':
    case 'not_saved':
    case 'log_failed':
    case 'hook_step':
      return emit(event);
    // Already reported by the agent's own agent.
    case 'subagent_record':
      return emit(event);
    default:
  }
}

interface EndedAgent {
  agent: TrackedAgent;
  run: AgentRun;
  end: TurnEnd;
  steps: StepsOf;
  began: number;
  starting: StartingAgent;
  access: SessionAccess;
  agents: RunningAgents;
}

/** The agent has ended: its outcome, and what becomes of what it had of its own. */
async function putAway(parts: EndedAgent): Promise<SubagentOutcome> {
  const { agent, run, end, steps, began, starting, access, agents } = parts;
  const { clock, terminal, log } = access.ports;
  const { id } = agent;
  const usage = steps.usage(clock.now() - began);
  const { steps: done } = steps.shown();
  agent.report = reportOf(run.records);
  const busy =
    terminal
      .background()
      .some(({ end: over, toolUseId }) => over === undefined && callRecord(run.records, toolUseId) !== undefined) ||
    agents.running().some((one) => startedBelow(id, one, agents));
  // Whatever goes wrong with what it had, it has ended.
  const place = await starting.equipment
    .end(busy)
    .catch((error: unknown) => void log.warn(`The resources of agent ${id} were not released: ${messageOf(error)}`));
  const ended = withPlace(outcomeOf(end, agent.report, id, usage, done), place);
  if (place !== undefined) agent.place = place;
  if (place !== undefined) agent.report = `${agent.report}\n\n${place}`.trim();
  agent.state = ended.kind === 'completed' ? 'completed' : ended.kind === 'failed' ? 'failed' : 'stopped';
  if (ended.kind === 'failed')
    agent.report = [said(ended.message, access.session.offers), agent.report]
      .filter((text) => text !== '')
      .join('\n\n');
  await run
    .close()
    .catch((error: unknown) => log.warn(`The transcript of agent ${id} was not closed: ${messageOf(error)}`));
  return ended.kind === 'failed' ? ended : { ...ended, ...coloured(starting.definition) };
}

async function untilDone(
  { agent, run, mate }: { agent: TrackedAgent; run: AgentRun; mate: StayingAgent | undefined },
  first: Prompt,
  signal: AbortSignal,
  { ports }: SessionAccess,
): Promise<TurnEnd> {
  try {
    let end = await run.run(first, signal);
    for (;;) {
      // What came too late for its last request.
      if (end.reason === 'completed' && isOwedATurn(run))
        end = await run.run(run.waiting.length === 0 ? undefined : waitingPrompt(run), signal);
      else if (end.reason === 'completed' && mate?.stays === true) end = await mate.rest(run, signal);
      else return end;
    }
  } catch (error) {
    if (isAbort(error) || signal.aborted) return { reason: 'interrupted' };
    ports.log.error('An agent failed unexpectedly', error);
    return { reason: 'error', message: `${messageOf(error)} This is a bug in Deft.` };
  } finally {
    // In the same step as its last look at what waits: a later message is one for the agent that has ended, and waits for that.
    delete agent.run;
  }
}

/** All that waits, in the order in which it came, as one prompt: each message is taken once. */
function waitingPrompt(run: AgentRun): Prompt {
  const taken = run.waiting.map(({ id }) => run.takeBack(id)).filter((prompt) => prompt !== undefined);
  return {
    content: taken.flatMap(({ content }) => content),
    display: { text: taken.map(({ display }) => display.text).join('\n\n'), attachments: [], images: 0 },
  };
}
