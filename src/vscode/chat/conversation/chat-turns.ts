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
  notify(event: 'ended', text: string): void;
  turnCompleted(session: AgentSession): void;
  notice(level: NoticeItem['level'], title: string, detail: string, action?: NoticeItem['action']): void;
  /** A turn has ended, and nothing runs but what was queued. */
  over(completed: boolean): void;
}

export interface ChatTurns {
  readonly running: boolean;
  start(session: AgentSession, prompt: Prompt | undefined): void;
  sendQueued(session: AgentSession): void;
  /** The team has something for the lead: a turn reads it, unless the user has just ended one, or many have gone by without them. */
  wake(session: AgentSession): void;
  /** The user has spoken into the turn that runs. */
  spoken(): void;
  /** Compacts now, or when what runs has ended by itself; the user is told. */
  compact(session: AgentSession, focus: string): void;
  /** Resolves when what ran is over. */
  /** By the user where no other reason is given. */
  stop(reason?: Error): Promise<void>;
}

/** What a turn leaves to be done. */
interface AfterTurn {
  sendsQueued?: boolean;
  /** Whether it came to its own end; undefined where it was none. */
  completed?: boolean | undefined;
}

/** A team whose members call each other would go on for ever, at the user's cost. */
export const maxCalledTurns = 30;

export function createChatTurns({ poster, notify, turnCompleted, notice, over }: ChatTurnServices): ChatTurns {
  let running: AbortController | undefined;
  let turn: Promise<void> = Promise.resolve();
  /** What a compaction that waits for the turn's end is to keep. */
  let waitingFocus: string | undefined;
  /** The user has stopped the last turn: they speak next. */
  let held = false;
  /** Turns that the team has begun since the user last spoke. */
  let called = 0;

  const runTurn = (session: AgentSession, prompt: Prompt | undefined): void =>
    begin(session, async (signal) => {
      const end = await session.run(prompt, signal);
      if (end.reason !== 'interrupted') notify('ended', poster.state.title);
      if (end.reason === 'completed') turnCompleted(session);
      held = end.reason === 'interrupted' || end.reason === 'denied';
      return {
        sendsQueued: ['completed', 'denied', 'hook_stopped'].includes(end.reason),
        completed: end.reason === 'completed',
      };
    });

  /** Work that only one of may run at a time, such as a turn. */
  const begin = (session: AgentSession, work: (signal: AbortSignal) => Promise<AfterTurn>): void => {
    const abort = new AbortController();
    running = abort;
    poster.push([{ type: 'status', status: 'working' }]);
    let sendsQueued = false;
    let completed: boolean | undefined = false;
    turn = work(abort.signal)
      .then(
        (end) => {
          sendsQueued = end.sendsQueued === true;
          completed = end.completed;
        },
        (error: unknown) => {
          const detail = error instanceof DeftError ? error.message : `${messageOf(error)} This is a bug in Deft.`;
          notice('error', 'The turn ended unexpectedly.', detail, { label: 'Show log', command: 'showLog' });
          poster.push([{ type: 'status', status: 'idle' }]);
        },
      )
      .finally(() => {
        if (running === abort) running = undefined;
        const focus = waitingFocus;
        waitingFocus = undefined;
        if (focus !== undefined) {
          if (!abort.signal.aborted) return compactNow(session, focus, { sendsQueued, completed });
          notice(
            'info',
            'The conversation was not compacted.',
            'The turn that it waited for was stopped. /compact does it now.',
          );
        }
        // What came too late for the turn's last request, and what was queued when a rejection ended it.
        if (sendsQueued && !abort.signal.aborted) sendQueued(session);
        // A compaction is no turn.
        if (completed !== undefined) over(completed);
        if (completed !== false && !abort.signal.aborted) wake(session);
      });
  };

  const compactNow = (session: AgentSession, focus: string, after: AfterTurn): void =>
    begin(session, async (signal) => {
      await session.feature(compaction)?.byHand(focus, signal);
      return after;
    });

  const sendQueued = (session: AgentSession): void => {
    // A command stands at the start of a message: what comes with it or behind it waits for the running turn.
    const commandAt = session.pending.waiting.findIndex(({ display }) => slashLine(display.text) !== undefined);
    const sent = commandAt === -1 ? session.pending.waiting : session.pending.waiting.slice(0, Math.max(1, commandAt));
    const queued = sent.map(({ id }) => session.pending.takeBack(id)).filter((prompt) => prompt !== undefined);
    if (queued.length > 0) start(session, joinedPrompt(queued));
  };

  const start = (session: AgentSession, prompt: Prompt | undefined): void => {
    called = 0;
    runTurn(session, prompt);
  };

  const wake = (session: AgentSession): void => {
    if (running !== undefined || held || !session.feature(agentTeam)?.callsLead) return;
    if (called < maxCalledTurns) {
      called++;
      return runTurn(session, undefined);
    }
    // Said once.
    if (called++ === maxCalledTurns)
      notice(
        'warning',
        `The team has called its lead ${maxCalledTurns} times since your last message.`,
        'Deft begins no further turn for it by itself. What teammates report waits: send a message to go on, which the lead reads with it.',
      );
  };

  return {
    get running() {
      return running !== undefined;
    },
    start,
    sendQueued,
    wake,
    spoken: () => void (called = 0),
    compact(session, focus) {
      if (running === undefined) return compactNow(session, focus, { sendsQueued: true });
      waitingFocus = focus;
      notice(
        'info',
        'The conversation will be compacted when this turn ends.',
        'Queued messages are sent afterwards. Stopping the turn cancels it.',
      );
    },
    async stop(reason = new DOMException('Stopped by the user.', 'AbortError')) {
      running?.abort(reason);
      await turn;
    },
  };
}
