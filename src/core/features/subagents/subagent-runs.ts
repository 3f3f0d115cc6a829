// Starts agents and resumes them: the session's side of what tools and the user ask of agents.
import { defined } from '../../../shared/defined';
import { type Prompt } from '../../events/steering-queue';
import { type SessionAccess } from '../../feature/session-feature';
import { type SessionLog } from '../../ports/session-store';
import { type BackgroundCommand } from '../../ports/terminal';
import { startedAgent, type StartedAgent } from '../../sessions/started-agents';
import { agentLimits } from '../../subagents/agent-choices';
import { type AgentDefinition } from '../../subagents/agent-definition';
import { isAgentDenied } from '../../subagents/denied-agents';
import { type AgentList } from '../../subagents/load-agents';
import {
  type SendOutcome,
  type SubagentCall,
  type SubagentOutcome,
  type SubagentRequest,
  type Subagents,
} from '../../subagents/subagents';
import { messageOf } from '../../text/errors';
import { backgroundEndText } from '../../tool/background-end';
import { AgentEnds } from './agent-ends';
import { agentTeam } from './agent-team';
import { ForegroundCalls, movedToBackground } from './foreground-calls';
import { type RunningAgents, startedBelow, type TrackedAgent } from './running-agents';
import { type AgentEquipments, createAgentEquipments } from './subagent-equipment';
import { type StartingAgent, startAgent } from './subagent-start';
import {
  abortError,
  agentMessage,
  coloured,
  failed,
  type Failure,
  runningText,
  unknownAgent,
  taskPrompt,
} from './subagent-texts';
import { words } from '../../text/words';

export interface SessionAgents extends Subagents {
  /** Those that can be started, and what is wrong with the files of others. */
  list(): Promise<AgentList>;
  /** Those that the user may ask for by name. */
  names(): Promise<string[]>;
  /** Agents of the conversation and of all agents below it. */
  readonly running: RunningAgents;
  /** Delivers to one that runs, or resumes it. */
  deliver(to: string, prompt: Prompt, toolUseId: string): Promise<SendOutcome>;
  /** Waits until none runs, or for the signal. True if a report has not been sent to the model yet: a turn without a prompt sends it. */
  allEnded(signal: AbortSignal): Promise<boolean>;
  /** The call that waits for its agent ends now, and the agent goes on in the background. False where none waits. */
  moveToBackground(toolUseId: string): boolean;
  /** What they have left in the repository. */
  readonly worktrees: AgentEquipments['worktrees'];
  /** Stops all that run, ahead of what they use. */
  close(): Promise<void>;
}

const never = new AbortController().signal;

export class SubagentRuns implements SessionAgents {
  readonly running: RunningAgents;
  readonly #access: SessionAccess;
  readonly #ends: AgentEnds;
  readonly #equipments: AgentEquipments;
  readonly #depth: number;
  readonly #foreground = new ForegroundCalls();
  /** From the first moment of the end on: what is still being made ready starts no more. */
  #closing = false;

  constructor(access: SessionAccess, running: RunningAgents) {
    this.running = running;
    this.#access = access;
    this.#ends = new AgentEnds(access, running);
    this.#equipments = createAgentEquipments(access, running);
    this.#depth = (access.settings.agent?.depth ?? 0) + 1;
  }

  #goesOn(request: SubagentRequest, definition: AgentDefinition): boolean {
    return !this.#waits && (request.background || definition.background === true);
  }

  /** The user wants nothing in the background. */
  get #waits(): boolean {
    return this.#access.settings.tools?.withoutBackground === true;
  }

  get worktrees(): AgentEquipments['worktrees'] {
    return this.#equipments.worktrees;
  }

  list(): Promise<AgentList> {
    return this.running.host.list();
  }

  async offered(): Promise<AgentDefinition[]> {
    const { rules } = this.#access.settings.permission.current();
    return (await this.list()).agents.filter(({ name }) => !isAgentDenied(rules, name));
  }

  async names(): Promise<string[]> {
    if (!this.#access.requests.toolNames.includes('Agent')) return [];
    const { rules } = this.#access.permission.now();
    return (await this.list()).agents.flatMap(({ name }) => (isAgentDenied(rules, name) ? [] : [name]));
  }

  async run(request: SubagentRequest, call: SubagentCall): Promise<SubagentOutcome> {
    call.signal.throwIfAborted();
    const refused = this.#refusal(this.#depth);
    if (refused !== undefined) return refused;
    const definition = await this.#definitionOf(request);
    if ('kind' in definition) return definition;
    call.signal.throwIfAborted();
    const id = `a${this.#access.ports.uuid().replaceAll('-', '').slice(-12)}`;
    const { isolation } = request;
    const equipment = await this.#equipments.open({ definition, id, isolation, again: false }, call.signal);
    if ('kind' in equipment) return equipment;
    const log = await this.running.host.createLog(id).catch(async (error: unknown) => {
      await equipment.end(false);
      throw error;
    });
    const undo = async (): Promise<void> => void (await Promise.all([log.close(), equipment.end(false)]));
    // Others may have begun while a worktree or servers were made ready, or the user has pressed Stop.
    const late = this.#refusal(this.#depth);
    if (late !== undefined || call.signal.aborted) {
      await undo();
      call.signal.throwIfAborted();
      if (late !== undefined) return late;
    }
    const { name, description, model } = request;
    const slot = name === undefined ? undefined : this.#access.feature(agentTeam)?.join(name);
    if (slot !== undefined && 'problem' in slot) {
      await undo();
      return failed('no-teammate', slot.problem);
    }
    const background = this.#goesOn(request, definition) || slot !== undefined;
    const rules = [...(this.#access.settings.agent?.bound ?? []), ...(request.rules ?? [])];
    const prompt = taskPrompt(request.prompt);
    const { own, moved, over } = this.#foreground.wait(call);
    const started = startAgent(
      { definition, depth: this.#depth, id, name, description, model, background, prompt, equipment, rules, log, slot },
      this.#access,
      this.running,
      { toolUseId: call.toolUseId, call: own },
    );
    if ('refused' in started) {
      over();
      await undo();
      return started.refused;
    }
    if (!background) {
      const first = await Promise.race([started.outcome, moved]).finally(over);
      if (first !== movedToBackground) return first;
      started.agent.background = true;
    } else over();
    this.#ends.follow(started.agent, call.toolUseId);
    const team = defined({ team: slot?.team });
    return { kind: 'launched', agentId: id, transcript: log.path, ...team, ...coloured(definition) };
  }

  moveToBackground(toolUseId: string): boolean {
    return !this.#waits && this.#foreground.move(toolUseId);
  }

  send(to: string, message: string, toolUseId: string): Promise<SendOutcome> {
    return this.deliver(to, agentMessage(message), toolUseId);
  }

  async deliver(to: string, prompt: Prompt, toolUseId: string): Promise<SendOutcome> {
    const known = this.running.find(to);
    if (known?.state === 'running' && known.run !== undefined) {
      known.run.steer(prompt);
      return { kind: 'delivered', agentId: known.id };
    }
    await known?.ended;
    const earlier = known ?? startedAgent(this.#access.settings.records, to);
    if (earlier === undefined)
      return failed(
        'unknown-agent',
        `There is no agent ${JSON.stringify(to)} in this session.${runningText(this.running)}`,
      );
    // Another message is resuming it already, or has done so: two runs would write one transcript.
    const { resuming, agents } = this.running;
    const other = resuming.get(earlier.id);
    if (other !== undefined || (known !== undefined && agents.get(known.id) !== known)) {
      await other;
      return this.deliver(to, prompt, toolUseId);
    }
    const outcome = this.#goOn(earlier, known, prompt, toolUseId);
    const settled = outcome.then(
      () => undefined,
      () => undefined,
    );
    resuming.set(earlier.id, settled);
    void settled.then(() => resuming.delete(earlier.id));
    return outcome;
  }

  tasks(): TrackedAgent[] {
    return [...this.running.agents.values()].filter((agent) => this.#isBelow(agent));
  }

  async stop(to: string, by: 'user' | 'agent'): Promise<boolean> {
    const agent = this.#findBelow(to);
    if (agent?.state !== 'running') return false;
    if (agent.run === undefined) {
      // It is ending by itself: its report is sent.
      await agent.ended;
      return false;
    }
    if (by === 'agent') agent.stoppedIn = this.#ends.self;
    agent.stop.abort(abortError());
    await agent.ended;
    return true;
  }

  onEnd(to: string, listener: () => void): () => void {
    const agent = this.#findBelow(to);
    agent?.listeners.add(listener);
    return () => void agent?.listeners.delete(listener);
  }

  resultWritten(toolUseId: string): void {
    this.#ends.resultWritten(toolUseId);
  }

  /** Reports which agents of an earlier process are lost, and what they have left. */
  catchUp(): void {
    const { settings, feature, messages, writer, ports } = this.#access;
    if (settings.agent !== undefined) return;
    feature(agentTeam)?.catchUp();
    this.#ends.reportLost();
    // No prompt waits for git.
    void this.#equipments
      .leftBehind()
      .then((message) => {
        if (message === undefined || this.#ends.closed) return;
        messages.remind(message);
        writer.write({ type: 'system', subtype: 'worktrees_left', message });
      })
      .catch((error: unknown) =>
        ports.log.warn(`Could not find out which worktrees agents have left: ${messageOf(error)}`),
      );
  }

  /** A command that one of them started has ended. False where none of them did. */
  async commandEnded(command: BackgroundCommand): Promise<boolean> {
    if (this.#access.settings.agent !== undefined) return false;
    for (const { run } of this.running.running()) if ((await run?.backgroundEnded(command)) === true) return true;
    if (!this.running.commands.has(command.toolUseId)) return false;
    // Its starter has ended.
    this.#access.messages.report(backgroundEndText(command));
    return true;
  }

  async allEnded(signal: AbortSignal): Promise<boolean> {
    const { messages, feature } = this.#access;
    if (signal.aborted) return messages.owesReport;
    const team = feature(agentTeam);
    let stop = (): void => undefined;
    const aborted = new Promise<void>((resolve) => (stop = resolve));
    signal.addEventListener('abort', stop, { once: true });
    // Teammates that are idle wait for mail, and would for ever.
    const atWork = (): TrackedAgent[] => this.running.running().filter(({ idle }) => idle !== true);
    while (atWork().length > 0 && team?.callsLead !== true && !signal.aborted)
      await Promise.race([ended(atWork()), aborted, ...(team === undefined ? [] : [team.nextChange()])]);
    await Promise.race([ended(this.#notRunning()), aborted]);
    // It may be the signal of a whole run, after each of whose turns this is asked.
    signal.removeEventListener('abort', stop);
    return messages.owesReport;
  }

  async close(): Promise<void> {
    this.#closing = true;
    if (this.#access.settings.agent === undefined) {
      const running = this.running.running();
      for (const { stop } of running) stop.abort(abortError());
      this.#ends.allWritten();
      await ended(running);
    }
    this.#ends.close();
  }

  #notRunning(): TrackedAgent[] {
    return [...this.running.agents.values()].filter(({ state }) => state !== 'running');
  }

  /** The conversation knows of all, an agent of those below it. */
  #isBelow(agent: TrackedAgent): boolean {
    return this.#access.settings.agent === undefined || startedBelow(this.#ends.self, agent, this.running);
  }

  #findBelow(to: string): TrackedAgent | undefined {
    const agent = this.running.find(to);
    return agent !== undefined && this.#isBelow(agent) ? agent : undefined;
  }

  #refusal(depth: number): Failure | undefined {
    if (this.#closing) return failed('closed', 'The session is closing: no more agents can start.');
    const { maxDepth, maxAgents } = agentLimits(this.running.host.environment());
    if (depth > maxDepth)
      return failed('too-deep', `Agents may nest ${maxDepth} deep, and this would be deeper. Do the task yourself.`);
    const running = this.running.running();
    if (running.length < maxAgents) return undefined;
    return failed(
      'too-many',
      words`${running.length} agents are running, which is the limit. Wait until one ends{{TaskStop: , or stop one with TaskStop}}: ${running.map(({ id, description }) => `${id} (${description})`).join(', ')}.`,
    );
  }

  async #definitionOf(request: SubagentRequest): Promise<AgentDefinition | Failure> {
    const { agents } = await this.list();
    const { agentType } = request;
    const definition =
      agents.find(({ name }) => name === agentType) ??
      agents.find(({ name }) => name.toLowerCase() === agentType.toLowerCase());
    const isDenied = (name: string): boolean => isAgentDenied(this.#access.permission.now().rules, name);
    if (definition !== undefined && !isDenied(definition.name)) return definition;
    const others = agents.filter(({ name }) => !isDenied(name));
    return failed('unknown-agent', unknownAgent(request, others));
  }

  async #goOn(
    earlier: TrackedAgent | StartedAgent,
    known: TrackedAgent | undefined,
    prompt: Prompt,
    toolUseId: string,
  ): Promise<SendOutcome> {
    const { id, name, description, agentType } = earlier;
    const depth = known?.depth ?? this.#depth;
    const refused = this.#refusal(depth);
    if (refused !== undefined) return refused;
    const definition = (await this.list()).agents.find((agent) => agent.name === agentType);
    if (definition === undefined)
      return failed(
        'unknown-agent',
        `The agent ${agentType} is not defined any more: ${id} cannot go on. Start another agent.`,
      );
    const opened = await this.running.host.openLog(id);
    if (opened === undefined)
      return failed('no-transcript', `The transcript of agent ${id} is gone: it cannot go on. Start another agent.`);
    const equipment = await this.#equipments.open(
      { definition, id, isolation: undefined, again: true, earlier: known?.worktree },
      never,
    );
    if ('kind' in equipment) {
      await opened.log.close();
      return equipment;
    }
    const undo = async (log: SessionLog): Promise<void> =>
      void (await Promise.all([log.close(), equipment.end(false)]));
    const late = this.#refusal(depth);
    if (late !== undefined) {
      await undo(opened.log);
      return late;
    }
    const slot = this.#access.feature(agentTeam)?.rejoin(id);
    const starting: StartingAgent = {
      ...{ definition, depth, id, name, description, prompt, equipment, slot },
      ...{ model: undefined, background: true, log: opened.log, records: opened.records },
    };
    const started = startAgent(starting, this.#access, this.running, { toolUseId });
    if ('refused' in started) {
      await undo(opened.log);
      return started.refused;
    }
    this.#ends.follow(started.agent, toolUseId);
    return { kind: 'resumed', agentId: id, transcript: opened.log.path };
  }
}

/** Resolves when these have ended and their ends are reported. */
async function ended(agents: readonly TrackedAgent[]): Promise<void> {
  await Promise.all(agents.map((agent) => agent.ended));
  // Their ends are reported after that.
  await Promise.resolve();
  await Promise.resolve();
}
