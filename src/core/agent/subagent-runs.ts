// Starts agents, follows what they do, and tells of their ends: the session's side of what tools ask of agents.
import { type BackgroundCommand } from '../ports';
import { messageOf } from '../text/errors';
import { backgroundEndText } from '../tool/background-end';
import { unendedAgents, type StartedAgent, startedAgent } from '../sessions/started-agents';
import { agentLimits } from '../subagents/agent-choices';
import { isAgentDenied } from '../subagents/denied-agents';
import { type AgentDefinition } from '../subagents/agent-definition';
import { type SendOutcome, type Subagents } from '../subagents/subagents';
import { type FleetAgent, startedBelow } from '../features/subagents/running-agents';
import { type Prompt } from '../events/steering-queue';
import { createAgentStart, type StartAgent, type SubagentParts } from './subagent-start';
import { createAgentEquipments } from '../features/subagents/subagent-equipment';
import {
  abortError,
  agentMessage,
  coloured,
  endWords,
  failed,
  type Failure,
  firstPrompt,
  runningText,
  unknownAgent,
} from '../features/subagents/subagent-texts';
import { type TeammateSeat } from './team-room';
import { beginTeammate } from './teammate-options';
import { headOf } from '../../shared/cut-text';

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

const never = new AbortController().signal;
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
  /** From the first moment of the end on: what is still being made ready starts no more. */
  let closing = false;

  /** The conversation knows of all, an agent of those below it. */
  const isBelow = (agent: FleetAgent): boolean => options.agent === undefined || startedBelow(self, agent, fleet);
  const findBelow = (to: string): FleetAgent | undefined => {
    const agent = fleet.find(to);
    return agent !== undefined && isBelow(agent) ? agent : undefined;
  };

  const tellHere = (agent: FleetAgent, toolUseId: string): void => {
    const { id, description, agentType, text, state, transcript, place = '' } = agent;
    const head = `Agent ${id} (${agentType}: ${description}) ${endWords[state]}.`;
    const report =
      text.length > maxToldReport
        ? `${headOf(text, maxToldReport)}\n[The rest of the report is in ${transcript}.]`
        : text;
    // Who stopped it with TaskStop has read so in that result, but not what became of its worktree; its starter may be another.
    if (agent.stoppedIn === self) {
      if (place !== '') parts.mention(`${head} ${place}`);
    } else
      parts.remind(
        `${head}${report === '' ? '' : ` Its report:\n\n${report}`}\n\nSendMessage to ${id} goes on with it.`,
      );
    writer.write({
      type: 'system',
      subtype: 'background_end',
      taskId: id,
      message: head,
      toolUseId,
      tail: report,
      outputPath: transcript,
    });
    // Whom the person has stopped, the lead is not to start again at once: it reads so with its next turn.
    if (options.agent === undefined && state !== 'stopped') fleet.team?.callLead();
  };
  const tell = (agent: FleetAgent, toolUseId: string): void => {
    if (!closed) tellHere(agent, toolUseId);
    else fleet.root?.tell(agent, toolUseId);
  };
  if (options.agent === undefined)
    fleet.root = { tell: (agent, toolUseId) => void (closed || tellHere(agent, toolUseId)) };

  const refusal = (agentDepth: number): Failure | undefined => {
    if (closing) return failed('closed', 'The session is being closed: no agent starts in it any more.');
    const { maxDepth, maxAgents } = limits();
    if (agentDepth > maxDepth)
      return failed(
        'too-deep',
        `Agents may start agents ${maxDepth} deep, and this would be deeper. Do the task yourself.`,
      );
    const running = fleet.running();
    if (running.length < maxAgents) return undefined;
    return failed(
      'too-many',
      `${running.length} agents run already, as many as may at once. Wait until one has ended, or end one with TaskStop: ${running.map(({ id, description }) => `${id} (${description})`).join(', ')}.`,
    );
  };

  /** In the background: the end is told once the result of the call that started it is in the log. */
  const follow = (agent: FleetAgent, toolUseId: string): void => {
    const written = new Promise<void>((resolve) => unwritten.set(toolUseId, resolve));
    void Promise.all([agent.ended, written]).then(() => tell(agent, toolUseId));
  };

  const start = createAgentStart(parts);
  if (options.agent === undefined) fleet.team?.resumeWith((id, prompt, toolUseId) => deliver(id, prompt, toolUseId));
  /** A teammate's session, where it has a seat in the team. */
  const startIn = (
    seat: TeammateSeat | undefined,
    id: string,
    { disallowedTools = [] }: AgentDefinition,
  ): StartAgent =>
    seat === undefined
      ? start
      : createAgentStart({
          ...parts,
          begin: (own) =>
            beginTeammate(own, { id, seat, registry: fleet.registry, refused: disallowedTools, begin: parts.begin }),
        });
  const equipments = createAgentEquipments(parts);
  const newId = (): string => `a${ports.uuid().replaceAll('-', '').slice(-12)}`;

  return {
    async run(request, call) {
      call.signal.throwIfAborted();
      const refused = refusal(depth);
      if (refused !== undefined) return refused;
      const { agents } = await host.list();
      const definition =
        agents.find(({ name }) => name === request.agentType) ??
        agents.find(({ name }) => name.toLowerCase() === request.agentType.toLowerCase());
      const denied = (name: string): boolean => isAgentDenied(parts.rules(), name);
      if (definition === undefined || denied(definition.name))
        return failed(
          'unknown-agent',
          unknownAgent(
            request,
            agents.filter(({ name }) => !denied(name)),
          ),
        );
      call.signal.throwIfAborted();
      const id = newId();
      const equipment = await equipments.open(
        { definition, id, isolation: request.isolation, again: false },
        call.signal,
      );
      if ('kind' in equipment) return equipment;
      const seat =
        options.agent !== undefined || request.name === undefined
          ? undefined
          : fleet.team?.join({ id, name: request.name, agentType: definition.name, description: request.description });
      if (seat !== undefined && 'problem' in seat) {
        await equipment.end(false);
        return failed('no-teammate', seat.problem);
      }
      const log = await host.createLog(id).catch(async (error: unknown) => {
        seat?.leave();
        await equipment.end(false);
        throw error;
      });
      const background = request.background || definition.background === true || seat !== undefined;
      const undo = async (): Promise<void> => {
        seat?.leave();
        await Promise.all([log.close(), equipment.end(false)]);
      };
      // Others may have begun while a worktree or servers were made ready, or the person has pressed Stop.
      const late = refusal(depth);
      if (late !== undefined || call.signal.aborted) {
        await undo();
        call.signal.throwIfAborted();
        if (late !== undefined) return late;
      }
      const rules = [...(options.agent?.bound ?? []), ...(request.rules ?? [])];
      const started = startIn(seat, id, definition)(
        {
          definition,
          depth,
          id,
          name: request.name,
          description: request.description,
          model: request.model,
          background,
          prompt: firstPrompt(definition, request),
          equipment,
          rules,
          log,
          records: [],
        },
        call.toolUseId,
        call,
      );
      if ('refused' in started) {
        await undo();
        return started.refused;
      }
      if (!background) return started.outcome;
      follow(started.agent, call.toolUseId);
      return {
        kind: 'launched',
        agentId: id,
        transcript: log.path,
        ...(seat === undefined ? {} : { team: seat.life.team }),
        ...coloured(definition),
      };
    },

    send: (to, message, toolUseId) => deliver(to, agentMessage(message), toolUseId),
    tasks: () => [...fleet.agents.values()].filter(isBelow),
    async stop(to, by) {
      const agent = findBelow(to);
      if (agent?.state !== 'running') return false;
      if (agent.run === undefined) {
        // It is ending by itself: its report is told.
        await agent.ended;
        return false;
      }
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
      fleet.team?.catchUp();
      for (const { id, agentType, description, toolUseId, transcript } of unendedAgents(options.records)) {
        if (fleet.agents.has(id)) continue;
        const message = `Agent ${id} (${agentType}: ${description}) is lost: the window or process that ran it was closed or reloaded before it had ended.`;
        parts.remind(`${message} What it did is in ${transcript}. SendMessage to ${id} goes on with it.`);
        writer.write({
          type: 'system',
          subtype: 'background_end',
          taskId: id,
          message,
          toolUseId,
          outputPath: transcript,
        });
      }
      // No prompt waits for git.
      void equipments
        .leftBehind()
        .then((message) => {
          if (message === undefined || closed) return;
          parts.mention(message);
          writer.write({ type: 'system', subtype: 'worktrees_left', message });
        })
        .catch((error: unknown) =>
          ports.log.warn(`Nobody could tell which worktrees agents have left: ${messageOf(error)}`),
        );
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
      let stop = (): void => undefined;
      const aborted = new Promise<void>((resolve) => (stop = resolve));
      signal.addEventListener('abort', stop, { once: true });
      // Teammates that are idle wait for mail, and would for ever.
      const atWork = (): FleetAgent[] => fleet.running().filter(({ idle }) => idle !== true);
      while (atWork().length > 0 && fleet.team?.callsLead !== true && !signal.aborted)
        await Promise.race([told(atWork()), aborted, ...(fleet.team === undefined ? [] : [fleet.team.nextChange()])]);
      await Promise.race([told([...fleet.agents.values()].filter(({ state }) => state !== 'running')), aborted]);
      // It may be the signal of a whole run, after each of whose turns this is asked.
      signal.removeEventListener('abort', stop);
    },
    async close() {
      closing = true;
      if (options.agent === undefined) {
        const running = fleet.running();
        for (const { stop } of running) stop.abort(abortError());
        for (const resolve of unwritten.values()) resolve();
        await told(running);
      }
      closed = true;
    },
  };

  async function deliver(to: string, prompt: Prompt, toolUseId: string): Promise<SendOutcome> {
    const known = fleet.find(to);
    if (known?.state === 'running' && known.run !== undefined) {
      known.run.steer(prompt);
      return { kind: 'delivered', agentId: known.id };
    }
    await known?.ended;
    const earlier = known ?? startedAgent(options.records, to);
    if (earlier === undefined)
      return failed('unknown-agent', `There is no agent ${JSON.stringify(to)} in this session.${runningText(fleet)}`);
    // Another message goes on with it already, or has: two runs would write one transcript.
    const other = fleet.resuming.get(earlier.id);
    if (other !== undefined || (known !== undefined && fleet.agents.get(known.id) !== known)) {
      await other;
      return deliver(to, prompt, toolUseId);
    }
    const outcome = goOn(earlier, known, prompt, toolUseId);
    const settled = outcome.then(
      () => undefined,
      () => undefined,
    );
    fleet.resuming.set(earlier.id, settled);
    void settled.then(() => fleet.resuming.delete(earlier.id));
    return outcome;
  }

  async function goOn(
    earlier: FleetAgent | StartedAgent,
    known: FleetAgent | undefined,
    prompt: Prompt,
    toolUseId: string,
  ): Promise<SendOutcome> {
    const refused = refusal(known?.depth ?? depth);
    if (refused !== undefined) return refused;
    const definition = (await host.list()).agents.find(({ name }) => name === earlier.agentType);
    if (definition === undefined)
      return failed(
        'unknown-agent',
        `The agent ${earlier.agentType} is not defined any more: ${earlier.id} cannot go on. Start another agent.`,
      );
    const opened = await host.openLog(earlier.id);
    if (opened === undefined)
      return failed(
        'no-transcript',
        `The transcript of agent ${earlier.id} is gone: it cannot go on. Start another agent.`,
      );
    const equipment = await equipments.open(
      { definition, id: earlier.id, isolation: undefined, again: true, earlier: known?.worktree },
      never,
    );
    if ('kind' in equipment) {
      await opened.log.close();
      return equipment;
    }
    const late = refusal(known?.depth ?? depth);
    if (late !== undefined) {
      await Promise.all([opened.log.close(), equipment.end(false)]);
      return late;
    }
    const seat =
      earlier.name === undefined || options.agent !== undefined
        ? undefined
        : fleet.team?.rejoin(
            { id: earlier.id, name: earlier.name, agentType: earlier.agentType, description: earlier.description },
            'team' in earlier ? earlier.team : undefined,
          );
    const started = startIn(
      seat,
      earlier.id,
      definition,
    )(
      {
        definition,
        depth: known?.depth ?? depth,
        id: earlier.id,
        name: earlier.name,
        description: earlier.description,
        model: undefined,
        background: true,
        prompt,
        equipment,
        log: opened.log,
        records: opened.records,
      },
      toolUseId,
    );
    if ('refused' in started) {
      seat?.leave();
      await Promise.all([opened.log.close(), equipment.end(false)]);
      return started.refused;
    }
    follow(started.agent, toolUseId);
    return { kind: 'resumed', agentId: earlier.id, transcript: opened.log.path };
  }

  async function told(agents: readonly FleetAgent[]): Promise<void> {
    await Promise.all(agents.map(({ ended }) => ended));
    // Their ends are told behind them.
    await Promise.resolve();
    await Promise.resolve();
  }
}
