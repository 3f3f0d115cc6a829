// What runs alongside a chat's conversation: a prompt that repeats, side questions with their panel, and changes that the user proposes.
import { type SessionEvent } from '../../../core/events/session-event';
import { type Approver } from '../../../core/ports/approver';
import { type Clock } from '../../../core/ports/clock';
import { type AgentSession } from '../../../core/feature/agent-session';
import { type PromptInput } from '../../../core/prompt/compose-prompt';
import { type NoticeItem, type SideExchange } from '../../../shared/chat';
import { messageOf } from '../../../core/text/errors';
import { type EventPoster } from './event-poster';
import { createPromptLoop, loopId, type PromptLoop } from './prompt-loop';
import { createUserProposals, type UserProposals } from './user-proposals';
import { sideQuestions } from '../../../core/features/side-questions/side-questions-key';

export interface SideWorkServices {
  clock: Pick<Clock, 'now' | 'sleep'>;
  poster: () => EventPoster;
  session: () => Promise<Pick<AgentSession, 'feature'>>;
  send: (input: PromptInput) => Promise<void>;
  running: () => boolean;
  approver: () => Approver;
  emit: (event: SessionEvent) => void;
  notice: (level: NoticeItem['level'], title: string, detail: string) => void;
}

export interface SideWork extends UserProposals {
  readonly loop: PromptLoop;
  /** Ends what the chat shows under this id. False where it is not shown by this. */
  end(id: string): boolean;
  /** One after the other: while one is answered, a further one is shown and waits. */
  ask(question: string): Promise<void>;
  /** Closes the panel, and forgets what was asked. */
  closeQuestions(): Promise<void>;
  turnOver(completed: boolean): void;
  /** The session is left: nothing of it continues. */
  reset(): void;
}

export function createSideWork({
  clock,
  poster,
  session,
  send,
  running,
  approver,
  emit,
  notice,
}: SideWorkServices): SideWork {
  const proposals = createUserProposals(approver, emit);
  let asking = new AbortController();
  let last: Promise<void> = Promise.resolve();
  /** What the panel shows. */
  let side: SideExchange[] = [];

  const loop = createPromptLoop({
    clock,
    running,
    shown: (line) => poster().push([{ type: 'line', id: loopId, line }]),
    notice: (title, detail) => notice('info', title, detail),
    send: (prompt, note) =>
      send(
        note === undefined
          ? { text: prompt, images: [] }
          : { text: `${prompt}\n\n${note}`, shownAs: prompt, mentionsIn: prompt, images: [] },
      ),
  });
  const show = (): void => poster().push([{ type: 'side', side }]);
  const change = (at: number, changed: Partial<SideExchange>): void => {
    side = side.map((one, index) => (index === at ? { ...one, ...changed } : one));
  };
  const answer = async (at: number, question: string, signal: AbortSignal): Promise<void> => {
    const said = (): string => side[at]?.answer ?? '';
    const ask = async (): Promise<{ problem?: string }> => {
      const questions = (await session()).feature(sideQuestions);
      if (signal.aborted) return {};
      // A chat that got its session only now has lost what it showed.
      show();
      if (questions === undefined) return {};
      return questions.ask(
        question,
        (text) => {
          if (signal.aborted) return;
          change(at, { answer: said() + text });
          poster().push([{ type: 'sideText', text }]);
        },
        signal,
      );
    };
    if (signal.aborted) return;
    const { problem } = await ask().catch((error: unknown) => ({ problem: messageOf(error) }));
    if (signal.aborted) return;
    if (problem === undefined) change(at, { state: 'done' });
    else change(at, { state: 'failed', answer: said() === '' ? problem : `${said()}\n\n${problem}` });
    show();
  };
  const forget = (): void => {
    asking.abort();
    asking = new AbortController();
    side = [];
    show();
  };

  return {
    loop,
    ...proposals,
    end: (id) => id === loopId && loop.stop(),
    ask(question) {
      const { signal } = asking;
      const at = side.length;
      side = [...side, { question, answer: '', state: 'asking' }];
      show();
      return (last = last.then(() => answer(at, question, signal)));
    },
    async closeQuestions() {
      forget();
      (await session()).feature(sideQuestions)?.clear();
    },
    turnOver(completed) {
      const said = poster().state.items.findLast(({ kind }) => kind === 'text');
      loop.turnEnded(completed, said?.kind === 'text' ? said.text : '');
    },
    reset() {
      loop.stop();
      proposals.drop();
      if (side.length > 0) forget();
    },
  };
}
