// The session that an agent is, as those see it who wait for it and write to it.
import { type Prompt, type QueuedPrompt } from '../../events/steering-queue';
import { type AgentSession } from '../../feature/agent-session';
import { type PastDecisions } from '../../calls/past-decisions';
import { type HookOutcome, noOutcome } from '../../hooks/hook-outcome';
import { type TurnEnd } from '../../loop/after-reply';
import { type HookEvent } from '../../ports/hook-events';
import { type SessionRecord } from '../../ports/record';
import { type BackgroundCommand } from '../../ports/terminal';
import { type ToolSession } from '../../tool/tool';
import { hooks } from '../hooks/hooks-key';

export interface AgentRun {
  readonly records: readonly SessionRecord[];
  readonly waiting: readonly QueuedPrompt[];
  readonly owesReport: boolean;
  readonly decisions: Pick<PastDecisions, 'trace'>;
  readonly onArrival: ToolSession['onArrival'];
  run(prompt: Prompt | undefined, signal: AbortSignal): Promise<TurnEnd>;
  steer(prompt: Prompt): string;
  takeBack(id: string): QueuedPrompt | undefined;
  backgroundEnded(command: BackgroundCommand): Promise<boolean>;
  /** An event of a feature, passed to the hooks of its session. */
  runHooks(event: HookEvent, fields: () => Record<string, unknown>, signal: AbortSignal): Promise<HookOutcome>;
  close(): Promise<void>;
}

/** Something waits that no request has held: a message, or a report. */
export function isOwedATurn({ waiting, owesReport }: AgentRun): boolean {
  return waiting.length > 0 || owesReport;
}

export function agentRun(session: AgentSession): AgentRun {
  return {
    get records() {
      return session.records;
    },
    get waiting() {
      return session.pending.waiting;
    },
    get owesReport() {
      return session.pending.owesReport;
    },
    decisions: session.permission.decisions,
    onArrival: session.surroundings.onArrival,
    run: (prompt, signal) => session.run(prompt, signal),
    steer: (prompt) => session.steer(prompt),
    takeBack: (id) => session.pending.takeBack(id),
    backgroundEnded: (command) => session.backgroundEnded(command),
    runHooks: (...event) => session.feature(hooks)?.event(...event) ?? Promise.resolve(noOutcome),
    close: () => session.close(),
  };
}
