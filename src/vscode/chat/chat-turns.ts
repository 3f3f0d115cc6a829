// Runs a chat's turns one after another, and what was queued when one ends.
import { type AgentSession } from '../../core/agent/session';
import { type Prompt } from '../../core/agent/steering-queue';
import { slashLine } from '../../core/prompt/slash-line';
import { DeftError, messageOf } from '../../core/errors';
import { type NoticeItem } from '../../shared/chat';
import { type EventPoster } from './event-poster';
import { joinedPrompt } from './unsent-prompt';

export interface ChatTurnServices {
  poster: EventPoster;
  notify(event: 'ended', text: string): void;
  turnCompleted(session: AgentSession): void;
  notice(level: NoticeItem['level'], title: string, detail: string, action?: NoticeItem['action']): void;
}

export interface ChatTurns {
  readonly running: boolean;
  start(session: AgentSession, prompt: Prompt | undefined): void;
  sendQueued(session: AgentSession): void;
  /** Compacts now, or when what runs has ended by itself; the person is told. */
  compact(session: AgentSession, focus: string): void;
  /** Resolves when what ran is over. */
  stop(): Promise<void>;
}

export function createChatTurns({ poster, notify, turnCompleted, notice }: ChatTurnServices): ChatTurns {
  let running: AbortController | undefined;
  let turn: Promise<void> = Promise.resolve();
  /** What a compaction that waits for the turn's end is to keep. */
  let waitingFocus: string | undefined;

  const start = (session: AgentSession, prompt: Prompt | undefined): void =>
    begin(session, async (signal) => {
      const end = await session.run(prompt, signal);
      if (end.reason !== 'interrupted') notify('ended', poster.state.title);
      if (end.reason === 'completed') turnCompleted(session);
      return { sendsQueued: ['completed', 'denied', 'hook_stopped'].includes(end.reason) };
    });

  /** Work that only one of may run at a time, such as a turn. */
  const begin = (session: AgentSession, work: (signal: AbortSignal) => Promise<{ sendsQueued?: boolean }>): void => {
    const abort = new AbortController();
    running = abort;
    poster.push([{ type: 'status', status: 'working' }]);
    let sendsQueued = false;
    turn = work(abort.signal)
      .then(
        (end) => {
          sendsQueued = end.sendsQueued === true;
        },
        (error: unknown) => {
          const detail = error instanceof DeftError ? error.message : `${messageOf(error)} This is a fault of Deft.`;
          notice('error', 'The turn ended unexpectedly.', detail, { label: 'Show log', command: 'showLog' });
          poster.push([{ type: 'status', status: 'idle' }]);
        },
      )
      .finally(() => {
        if (running === abort) running = undefined;
        const focus = waitingFocus;
        waitingFocus = undefined;
        if (focus !== undefined) {
          if (!abort.signal.aborted) return compactNow(session, focus, sendsQueued);
          notice('info', 'The conversation was not compacted.', 'The turn that it waited for was stopped. /compact does it now.');
        }
        // What came too late for the turn's last request, and what was queued when a rejection ended it.
        if (sendsQueued && !abort.signal.aborted) sendQueued(session);
      });
  };

  const compactNow = (session: AgentSession, focus: string, sendsQueued: boolean): void =>
    begin(session, async (signal) => {
      await session.compact(focus, signal);
      return { sendsQueued };
    });

  const sendQueued = (session: AgentSession): void => {
    // A command stands at the start of a message: what comes with it or behind it waits for the running turn.
    const commandAt = session.waiting.findIndex(({ display }) => slashLine(display.text) !== undefined);
    const sent = commandAt === -1 ? session.waiting : session.waiting.slice(0, Math.max(1, commandAt));
    const queued = sent.map(({ id }) => session.takeBack(id)).filter((prompt) => prompt !== undefined);
    if (queued.length > 0) start(session, joinedPrompt(queued));
  };

  return {
    get running() {
      return running !== undefined;
    },
    start,
    sendQueued,
    compact(session, focus) {
      if (running === undefined) return compactNow(session, focus, true);
      waitingFocus = focus;
      notice('info', 'The conversation will be compacted when this turn ends.', 'Messages that wait are sent after it. To stop the turn calls it off.');
    },
    async stop() {
      running?.abort(new DOMException('Stopped by the person.', 'AbortError'));
      await turn;
    },
  };
}
