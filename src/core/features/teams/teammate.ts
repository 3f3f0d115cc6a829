// One teammate: an agent with the team's tools and notes that waits for mail when its turn is over, until it agrees to end or is stopped.
import { type TurnEnd } from '../../loop/after-reply';
import { canonicalToolName } from '../../permissions/rules/rule-syntax';
import { type TeamMember } from '../../tool/session-team';
import { createToolRegistry, type ToolRegistry } from '../../tools/registry';
import { maxStopContinuations } from '../hooks/hooks-feature';
import { type AgentRun, isOwedATurn } from '../subagents/agent-run';
import { type AgentOpening, type StayingAgent } from '../subagents/agent-team';
import { type TrackedAgent } from '../subagents/running-agents';
import { reportOf } from '../subagents/subagent-steps';
import { taskPrompt } from '../subagents/subagent-texts';
import notes from './teammate-notes.md';
import { offeredText, type Words, words } from '../../text/words';

/** What every teammate has, whatever its file lists, unless the file refuses it. */
const teamTools = ['SendMessage', 'TaskCreate', 'TaskUpdate', 'TaskGet', 'TaskList'];

/** `lastWords`: what it wrote last if it is idle now; undefined if it works again. */
type OnIdle = (mate: Teammate, lastWords: string | undefined) => void;

export class Teammate implements StayingAgent {
  readonly name: string;
  readonly agent: TrackedAgent;
  readonly #team: string;
  readonly #onIdle: OnIdle;
  /** How often hooks have kept it working since it was last idle. */
  #kept = 0;
  /** It has written to the lead since it was last idle. */
  spoke = false;
  /** It has not agreed to end. */
  stays = true;

  constructor(name: string, agent: TrackedAgent, team: string, onIdle: OnIdle) {
    this.name = name;
    this.agent = agent;
    this.#team = team;
    this.#onIdle = onIdle;
  }

  get state(): TeamMember['state'] {
    const { run, idle } = this.agent;
    return run === undefined ? 'ended' : idle === true ? 'idle' : 'working';
  }

  async rest(run: AgentRun, signal: AbortSignal): Promise<TurnEnd> {
    const fields = () => ({ teammate_name: this.name, team_name: this.#team });
    // As with Stop hooks: they may not keep it working forever.
    const asksHooks = this.#kept < maxStopContinuations;
    const { stop, block } = asksHooks ? await run.runHooks('TeammateIdle', fields, signal) : {};
    if (stop !== undefined)
      return { reason: 'hook_stopped', message: `A TeammateIdle hook ended it${stop === '' ? '.' : `: ${stop}`}` };
    if (block !== undefined) {
      this.#kept++;
      run.steer(taskPrompt(`A TeammateIdle hook says that you are not finished: ${block}`));
    } else if (!isOwedATurn(run)) await this.#waitForMail(run, signal);
    return { reason: signal.aborted ? 'interrupted' : 'completed' };
  }

  async #waitForMail(run: AgentRun, signal: AbortSignal): Promise<void> {
    let wake = (): void => undefined;
    const woken = new Promise<void>((resolve) => (wake = resolve));
    // It rests often, and the signal is that of its whole life.
    signal.addEventListener('abort', wake, { once: true });
    const unsubscribe = run.onArrival(() => isOwedATurn(run) && wake());
    this.agent.idle = true;
    this.#onIdle(this, reportOf(run.records));
    if (!signal.aborted) await woken;
    unsubscribe();
    signal.removeEventListener('abort', wake);
    this.agent.idle = false;
    this.#kept = 0;
    this.#onIdle(this, undefined);
  }
}

/** Its session. `registry`: all tools of the conversation. */
export function teammateOpening(
  own: AgentOpening,
  { name, team }: { name: string; team: string },
  registry: ToolRegistry,
  refused: readonly string[],
): AgentOpening {
  const { settings } = own;
  const without = new Set(refused.map(canonicalToolName));
  const added = teamTools.flatMap((tool) => (without.has(tool) ? [] : (registry.find(tool) ?? [])));
  const teamNotes: Words = (offers) =>
    offeredText(notes.trim(), offers).replaceAll('{name}', name).replaceAll('{team}', team);
  return {
    ...own,
    settings: {
      ...settings,
      registry: createToolRegistry([...settings.registry.all(), ...added]),
      requests: { ...settings.requests, systemPrompt: words`${settings.requests?.systemPrompt ?? ''}\n\n${teamNotes}` },
    },
  };
}
