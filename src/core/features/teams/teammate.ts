// One teammate: an agent whose run does not end with its turn, but rests and waits for mail until it is asked to end or is stopped.
import { type Prompt } from '../../events/steering-queue';
import { maxStopContinuations } from '../hooks/hooks-feature';
import { type TurnEnd } from '../../loop/after-reply';
import { type AgentRun } from '../subagents/agent-run';
import { type JoiningTeammate } from '../subagents/agent-team';
import { waitingPrompt } from '../subagents/subagent-start';
import { reportOf } from '../subagents/subagent-steps';
import { taskPrompt } from '../subagents/subagent-texts';

/** It rests, with its last words, or works again, without any. */
type OnIdle = (mate: Teammate, lastWords: string | undefined) => void;

export class Teammate {
  readonly facts: JoiningTeammate;
  readonly team: string;
  readonly #onIdle: OnIdle;
  /** Its session; undefined until it has one, and once that is closed: the team may go on for long. */
  #session: AgentRun | undefined;
  /** Mail that came before. */
  #early: Prompt[] = [];
  #idle = false;
  #over = false;
  #wake: (() => void) | undefined;
  /** It has written to the lead since it was last idle. */
  spoke = false;
  /** It has agreed to end. */
  leaving = false;

  constructor(facts: JoiningTeammate, team: string, onIdle: OnIdle) {
    this.facts = facts;
    this.team = team;
    this.#onIdle = onIdle;
  }

  get name(): string {
    return this.facts.name;
  }

  get idle(): boolean {
    return this.#idle;
  }

  /** Its run is over: mail no longer reaches it there. */
  get over(): boolean {
    return this.#over;
  }

  get unread(): number {
    return this.#session?.waiting.length ?? this.#early.length;
  }

  /** True where it was idle. */
  take(prompt: Prompt): boolean {
    const before = this.#idle;
    if (this.#session === undefined) this.#early.push(prompt);
    else this.#session.steer(prompt);
    this.wake();
    return before;
  }

  /** Something waits for it: it rests no longer. */
  wake(): void {
    this.#wake?.();
  }

  /** The run of the teammate, on the session of an agent. */
  begin(session: AgentRun): AgentRun {
    this.#session = session;
    for (const prompt of this.#early.splice(0)) session.steer(prompt);
    return {
      get records() {
        return session.records;
      },
      get waiting() {
        return session.waiting;
      },
      get owesReport() {
        return session.owesReport;
      },
      get decisions() {
        return session.decisions;
      },
      steer: (prompt) => {
        const id = session.steer(prompt);
        this.wake();
        return id;
      },
      takeBack: (id) => session.takeBack(id),
      runHooks: (...event) => session.runHooks(...event),
      backgroundEnded: (command) => session.backgroundEnded(command),
      close: () => {
        this.#over = true;
        this.#session = undefined;
        return session.close();
      },
      run: async (first, signal) => {
        this.#over = false;
        const end = await this.#untilItLeaves(session, first, signal);
        this.#over = true;
        return end;
      },
    };
  }

  async #untilItLeaves(session: AgentRun, first: Prompt | undefined, signal: AbortSignal): Promise<TurnEnd> {
    let end = await session.run(first, signal);
    // As with Stop hooks: they may not keep it at work for ever.
    let kept = 0;
    for (;;) {
      if (end.reason !== 'completed' || this.leaving) return end;
      if (session.waiting.length > 0 || (session.owesReport && !signal.aborted)) {
        end = await session.run(session.waiting.length > 0 ? waitingPrompt(session) : undefined, signal);
        continue;
      }
      const fields = () => ({ teammate_name: this.name, team_name: this.team });
      const { stop, block } = kept < maxStopContinuations ? await session.runHooks('TeammateIdle', fields, signal) : {};
      if (stop !== undefined)
        return { reason: 'hook_stopped', message: `A TeammateIdle hook ended it${stop === '' ? '.' : `: ${stop}`}` };
      if (block !== undefined && !signal.aborted) {
        kept++;
        end = await session.run(taskPrompt(`A TeammateIdle hook says that you are not finished: ${block}`), signal);
        continue;
      }
      // Mail or an end of its own may have come while the hooks ran.
      if (session.waiting.length > 0 || session.owesReport) continue;
      await this.#rest(session, signal);
      if (signal.aborted) return { reason: 'interrupted' };
      kept = 0;
    }
  }

  async #rest(session: AgentRun, signal: AbortSignal): Promise<void> {
    const woken = new Promise<void>((resolve) => (this.#wake = resolve));
    const stop = (): void => this.wake();
    // It rests often, and the signal is that of its whole life.
    signal.addEventListener('abort', stop, { once: true });
    this.#idle = true;
    this.#onIdle(this, reportOf(session.records));
    if (!signal.aborted) await woken;
    signal.removeEventListener('abort', stop);
    this.#wake = undefined;
    this.#idle = false;
    this.#onIdle(this, undefined);
  }
}
