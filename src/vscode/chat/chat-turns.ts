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
  /** A turn has ended, and nothing runs but what was queued. */
  over(completed: boolean): void;
}

export interface ChatTurns {
  readonly running: boolean;
  start(session: AgentSession, prompt: Prompt | undefined): void;
  /** Work that only one of may run at a time, such as a turn. */
  begin(session: AgentSession, work: (signal: AbortSignal) => Promise<{ sendsQueued?: boolean; completed?: boolean }>): void;
  sendQueued(session: AgentSession): void;
  /** Resolves when what ran is over. */
  stop(): Promise<void>;
}

export function createChatTurns({ poster, notify, turnCompleted, notice, over }: ChatTurnServices): ChatTurns {
  let running: AbortController | undefined;
  let turn: Promise<void> = Promise.resolve();

  const start = (session: AgentSession, prompt: Prompt | undefined): void =>
    begin(session, async (signal) => {
      const end = await session.run(prompt, signal);
      if (end.reason !== 'interrupted') notify('ended', poster.state.title);
      if (end.reason === 'completed') turnCompleted(session);
      return { sendsQueued: ['completed', 'denied', 'hook_stopped'].includes(end.reason), completed: end.reason === 'completed' };
    });

  const begin: ChatTurns['begin'] = (session, work) => {
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
          const detail = error instanceof DeftError ? error.message : `${messageOf(error)} This is a fault of Deft.`;
          notice('error', 'The turn ended unexpectedly.', detail, { label: 'Show log', command: 'showLog' });
          poster.push([{ type: 'status', status: 'idle' }]);
        },
      )
      .finally(() => {
        if (running === abort) running = undefined;
        // What came too late for the turn's last request, and what was queued when a rejection ended it.
        if (sendsQueued && !abort.signal.aborted) sendQueued(session);
        // A compaction is no turn.
        if (completed !== undefined) over(completed);
      });
  };

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
    begin,
    sendQueued,
    async stop() {
      running?.abort(new DOMException('Stopped by the person.', 'AbortError'));
      await turn;
    },
  };
}
