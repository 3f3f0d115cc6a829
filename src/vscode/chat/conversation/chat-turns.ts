// Runs a chat's turns one after another, and what was queued when one ends.
import { type AgentSession } from '../../../core/feature/agent-session';
import { type Prompt } from '../../../core/events/steering-queue';
import { slashLine } from '../../../core/text/slash-line';
import { DeftError, messageOf } from '../../../core/text/errors';
import { type NoticeItem } from '../../../shared/chat';
import { type EventPoster } from './event-poster';
import { joinedPrompt } from './unsent-prompt';
import { agentTeam } from '../../../core/features/subagents/agent-team';
import { compaction } from '../../../core/features/compaction/compaction-key';

export interface ChatTurnServices {
  poster: EventPoster;
  notify(event: 'ended' | 'failed', text: string): void;
  turnCompleted(session: AgentSession): void;
  notice(level: NoticeItem['level'], title: string, detail: string, action?: NoticeItem['action']): void;
  /** A turn has ended, and nothing runs but what was queued. */
  over(completed: boolean): void;
}

/** What a turn leaves to be done. */
interface AfterTurn {
  sendsQueued?: boolean;
  /** Whether it came to its own end; undefined where it was none. */
  completed?: boolean | undefined;
}

/** A team whose members call each other would continue for ever, at the user's cost. */
export const maxCalledTurns = 30;

export class ChatTurns {
  readonly #services: ChatTurnServices;
  #running: AbortController | undefined;
  #turn: Promise<void> = Promise.resolve();
  /** What a compaction that waits for the turn's end is to keep. */
  #waitingFocus: string | undefined;
  /** The user has stopped the last turn: they speak next. */
  #held = false;
  /** Turns that the team has begun since the user last spoke. */
  #called = 0;

  constructor(services: ChatTurnServices) {
    this.#services = services;
  }

  get running(): boolean {
    return this.#running !== undefined;
  }

  /** Without a prompt the turn continues where the log ends. */
  start(session: AgentSession, prompt: Prompt | undefined): void {
    this.#begin(session, async (signal) => {
      const { poster, notify, turnCompleted } = this.#services;
      const end = await session.run(prompt, signal);
      if (end.reason !== 'interrupted') notify(end.reason === 'error' ? 'failed' : 'ended', poster.state.title);
      if (end.reason === 'completed') turnCompleted(session);
      this.#held = end.reason === 'interrupted' || end.reason === 'denied';
      return {
        sendsQueued: ['completed', 'denied', 'hook_stopped'].includes(end.reason),
        completed: end.reason === 'completed',
      };
    });
  }

  sendQueued(session: AgentSession): void {
    // A command is at the start of a message: what comes with it or after it waits for the running turn.
    const commandAt = session.pending.waiting.findIndex(({ display }) => slashLine(display.text) !== undefined);
    const sent = commandAt === -1 ? session.pending.waiting : session.pending.waiting.slice(0, Math.max(1, commandAt));
    const queued = sent.map(({ id }) => session.pending.takeBack(id)).filter((prompt) => prompt !== undefined);
    if (queued.length > 0) this.start(session, joinedPrompt(queued));
  }

  /** The team has something for the lead: a turn reads it, unless the user has just ended one, or many have gone by without them. */
  wake(session: AgentSession): void {
    if (this.running || this.#held || !session.feature(agentTeam)?.callsLead) return;
    if (this.#called < maxCalledTurns) {
      this.#called++;
      return this.start(session, undefined);
    }
    // Said once.
    if (this.#called++ === maxCalledTurns)
      this.#services.notice(
        'warning',
        `The team has called its lead ${maxCalledTurns} times since your last message.`,
        'Deft starts no further turn for it automatically. Send a message to continue: the lead then also reads the waiting reports.',
      );
  }

  /** The user has sent a message, or asked to continue: the team may call its lead again. */
  spoken(): void {
    this.#called = 0;
  }

  /** Compacts now, or when what runs has ended by itself; the user is notified. */
  compact(session: AgentSession, focus: string): void {
    if (!this.running) return this.#compactNow(session, focus, { sendsQueued: true });
    this.#waitingFocus = focus;
    this.#services.notice(
      'info',
      'The conversation will be compacted when this turn ends.',
      'Queued messages are sent afterwards. Stopping the turn cancels it.',
    );
  }

  /** Work of the user's own that no turn may run beside; what is queued meanwhile is sent behind it. */
  beside(session: AgentSession, work: (signal: AbortSignal) => Promise<void>): void {
    if (this.running) return;
    this.#begin(session, async (signal) => {
      await work(signal);
      return { sendsQueued: true };
    });
  }

  /** Resolves when what ran is over. It is stopped by the user where no other reason is given. */
  async stop(reason: Error = new DOMException('Stopped by the user.', 'AbortError')): Promise<void> {
    this.#running?.abort(reason);
    await this.#turn;
  }

  #compactNow(session: AgentSession, focus: string, after: AfterTurn): void {
    this.#begin(session, async (signal) => {
      await session.feature(compaction)?.byHand(focus, signal);
      return after;
    });
  }

  /** Work that only one of may run at a time, such as a turn. */
  #begin(session: AgentSession, work: (signal: AbortSignal) => Promise<AfterTurn>): void {
    const { poster, notice, notify } = this.#services;
    const abort = new AbortController();
    this.#running = abort;
    poster.push([{ type: 'status', status: 'working' }]);
    let after: AfterTurn = { completed: false };
    this.#turn = work(abort.signal)
      .then(
        (end) => void (after = end),
        (error: unknown) => {
          const detail = error instanceof DeftError ? error.message : `${messageOf(error)} This is a bug in Deft.`;
          notice('error', 'The turn ended unexpectedly.', detail, { label: 'Show log', command: 'showLog' });
          poster.push([{ type: 'status', status: 'idle' }]);
          notify('failed', poster.state.title);
        },
      )
      .finally(() => {
        if (this.#running === abort) this.#running = undefined;
        this.#ended(session, after, abort.signal.aborted);
      });
  }

  #ended(session: AgentSession, after: AfterTurn, aborted: boolean): void {
    const focus = this.#waitingFocus;
    this.#waitingFocus = undefined;
    if (focus !== undefined) {
      if (!aborted) return this.#compactNow(session, focus, after);
      this.#services.notice(
        'info',
        'The conversation was not compacted.',
        'The turn that it waited for was stopped. /compact does it now.',
      );
    }
    // What came too late for the turn's last request, and what was queued when a rejection ended it.
    if (after.sendsQueued && !aborted) this.sendQueued(session);
    // A compaction is not a turn.
    if (after.completed !== undefined) this.#services.over(after.completed);
    if (after.completed !== false && !aborted) this.wake(session);
  }
}
