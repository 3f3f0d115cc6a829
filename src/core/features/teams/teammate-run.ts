// The run of a teammate: it does not end with its turn, but waits for mail until it is asked to end or is stopped.
import { maxStopContinuations } from '../hooks/hooks-feature';
import { type TurnEnd } from '../../loop/after-reply';
import { type AgentRun } from '../subagents/agent-run';
import { waitingPrompt } from '../subagents/subagent-start';
import { reportOf } from '../subagents/subagent-steps';
import { taskPrompt } from '../subagents/subagent-texts';
import { type Prompt } from '../../events/steering-queue';

/** What a teammate's run says and hears of its place in the team. */
export interface TeammateLife {
  readonly name: string;
  readonly team: string;
  /** It has agreed to end. */
  leaving: boolean;
  /** Its run is over: mail no longer reaches it there. */
  over: boolean;
  /** Ends the wait. */
  wake: (() => void) | undefined;
  rests(lastWords: string): void;
  worksAgain(): void;
  /** Its session is closed: nothing of it is held from now on. */
  ended(): void;
}

export function createTeammateRun(inner: AgentRun, life: TeammateLife): AgentRun {
  /** Why it goes on, where it does. */
  const next = (signal: AbortSignal): { prompt: Prompt | undefined } | undefined => {
    if (inner.waiting.length > 0) return { prompt: waitingPrompt(inner) };
    return inner.owesReport && !signal.aborted ? { prompt: undefined } : undefined;
  };
  const rest = async (signal: AbortSignal): Promise<void> => {
    const woken = new Promise<void>((resolve) => (life.wake = resolve));
    const stop = (): void => life.wake?.();
    // It rests often, and the signal is that of its whole life.
    signal.addEventListener('abort', stop, { once: true });
    life.rests(reportOf(inner.records));
    if (!signal.aborted) await woken;
    signal.removeEventListener('abort', stop);
    life.wake = undefined;
    life.worksAgain();
  };

  return {
    get records() {
      return inner.records;
    },
    get waiting() {
      return inner.waiting;
    },
    get owesReport() {
      return inner.owesReport;
    },
    get decisions() {
      return inner.decisions;
    },
    steer(prompt) {
      const id = inner.steer(prompt);
      life.wake?.();
      return id;
    },
    takeBack: (id) => inner.takeBack(id),
    runHooks: (event, fields, signal) => inner.runHooks(event, fields, signal),
    backgroundEnded: (command) => inner.backgroundEnded(command),
    close() {
      life.ended();
      return inner.close();
    },
    async run(first, signal) {
      life.over = false;
      const end = await untilItLeaves(first, signal);
      life.over = true;
      return end;
    },
  };

  async function untilItLeaves(first: Prompt | undefined, signal: AbortSignal): Promise<TurnEnd> {
    let end = await inner.run(first, signal);
    // As with Stop hooks: they may not keep it at work for ever.
    let kept = 0;
    for (;;) {
      if (end.reason !== 'completed' || life.leaving) return end;
      const more = next(signal);
      if (more !== undefined) {
        end = await inner.run(more.prompt, signal);
        continue;
      }
      const { stop, block } =
        kept < maxStopContinuations
          ? await inner.runHooks('TeammateIdle', () => ({ teammate_name: life.name, team_name: life.team }), signal)
          : {};
      if (stop !== undefined)
        return { reason: 'hook_stopped', message: `A TeammateIdle hook ended it${stop === '' ? '.' : `: ${stop}`}` };
      if (block !== undefined && !signal.aborted) {
        kept++;
        end = await inner.run(taskPrompt(`A TeammateIdle hook says that you are not finished: ${block}`), signal);
        continue;
      }
      // Mail or an end of its own may have come while the hooks ran.
      if (inner.waiting.length > 0 || inner.owesReport) continue;
      await rest(signal);
      if (signal.aborted) return { reason: 'interrupted' };
      kept = 0;
    }
  }
}
