// The agents of one conversation, those that agents start included: who runs, how many may, what became of each.
import { type AgentHost } from './agent-host';
import { type SubagentTask } from '../../subagents/subagents';
import { type ToolRegistry } from '../../tools/registry';
import { type Worktree } from '../../ports/worktrees';
import { type StepsOf } from './subagent-steps';
import { type AgentRun } from './agent-run';

export interface TrackedAgent extends SubagentTask {
  /** 1 for one that the conversation started. */
  depth: number;
  background: boolean;
  /** That it worked in last. */
  worktree?: Worktree;
  /** What became of it when the agent ended, in sentences. */
  place?: string;
  /** While it takes messages: none any more once it is ending. */
  run?: AgentRun;
  stop: AbortController;
  /** The agent that started it; undefined for the conversation. */
  starter: string | undefined;
  /** The session that ended it with TaskStop, and has read so there: an agent's id, or "conversation". */
  stoppedIn?: string;
  ended: Promise<void>;
  listeners: Set<() => void>;
  /** Once it has ended. */
  report: string;
}

/** Made here, where nothing else is in sight: it stays for as long as the conversation, and must not hold on to its session. */
export function createTrackedAgent(
  facts: Omit<TrackedAgent, 'state' | 'text' | 'ended' | 'listeners' | 'report'>,
  steps: Pick<StepsOf, 'shown'>,
): TrackedAgent {
  return {
    ...facts,
    state: 'running',
    report: '',
    get text() {
      return this.state === 'running' ? steps.shown().steps.join('\n') : this.report;
    },
    ended: Promise.resolve(),
    listeners: new Set(),
  };
}

export interface RunningAgents {
  readonly host: AgentHost;
  /** All tools of the conversation: an agent's are chosen from these. */
  readonly registry: ToolRegistry;
  readonly agents: Map<string, TrackedAgent>;
  /** By id: ended ones that a message is about to go on with. */
  readonly resuming: Map<string, Promise<void>>;
  /** Ids of all calls that agents have made. */
  readonly commands: Set<string>;
  running(): TrackedAgent[];
  /** By id; by name the last one. */
  find(to: string): TrackedAgent | undefined;
  /** Where the end of an agent is reported if its starter has ended. */
  root: { reportEnd(agent: TrackedAgent, toolUseId: string): void } | undefined;
}

export function createRunningAgents(host: AgentHost, registry: ToolRegistry): RunningAgents {
  const agents = new Map<string, TrackedAgent>();
  return {
    host,
    registry,
    agents,
    resuming: new Map(),
    commands: new Set(),
    running: () => [...agents.values()].filter(({ state }) => state === 'running'),
    find: (to) => agents.get(to) ?? [...agents.values()].findLast(({ name }) => name === to),
    root: undefined,
  };
}

/** Whether this agent started it, or one of those that it started did. */
export function startedBelow(id: string, { starter }: TrackedAgent, { agents }: RunningAgents): boolean {
  // Two that have sent each other on name each other.
  const seen = new Set<string>();
  for (let above = starter; above !== undefined && !seen.has(above); above = agents.get(above)?.starter) {
    if (above === id) return true;
    seen.add(above);
  }
  return false;
}
