// What goes on beside a chat's conversation: a prompt that repeats, and side questions with their panel.
import { type Clock } from '../../core/ports';
import { type AgentSession } from '../../core/agent/session';
import { type PromptInput } from '../../core/prompt/compose-prompt';
import { type NoticeItem } from '../../shared/chat';
import { type EventPoster } from './event-poster';
import { createPromptLoop, type PromptLoop } from './prompt-loop';

export interface BesideServices {
  clock: Pick<Clock, 'now' | 'sleep'>;
  poster: () => EventPoster;
  session: () => Promise<Pick<AgentSession, 'aside'>>;
  send: (input: PromptInput) => Promise<void>;
  running: () => boolean;
  notice: (level: NoticeItem['level'], title: string, detail: string) => void;
}

export interface Beside {
  readonly loop: PromptLoop;
  /** One after the other: while one is answered, a further one waits. */
  ask(question: string): Promise<void>;
  /** Closes the panel, and forgets what was asked. */
  closeQuestions(): Promise<void>;
  turnOver(completed: boolean): void;
  /** The session is left: nothing of it goes on. */
  reset(): void;
}

export function createBeside({ clock, poster, session, send, running, notice }: BesideServices): Beside {
  let asking = new AbortController();
  let last: Promise<void> = Promise.resolve();

  const loop = createPromptLoop({
    clock,
    running,
    shown: (shown) => poster().push([{ type: 'loop', loop: shown }]),
    notice: (title, detail) => notice('info', title, detail),
    send: (prompt, note) => send(note === undefined ? { text: prompt, images: [] } : { text: `${prompt}\n\n${note}`, shownAs: prompt, mentionsIn: prompt, images: [] }),
  });
  const answer = async (question: string, { signal }: AbortController): Promise<void> => {
    if (signal.aborted) return;
    const { aside } = await session();
    const before = poster().state.side;
    poster().push([{ type: 'side', side: [...before, { question, answer: '', state: 'asking' }] }]);
    const { problem } = await aside.ask(question, (text) => !signal.aborted && poster().push([{ type: 'sideText', text }]), signal);
    if (signal.aborted) return;
    const asked = poster().state.side.at(-1)?.answer ?? '';
    poster().push([{ type: 'side', side: [...before, problem === undefined ? { question, answer: asked, state: 'done' } : { question, answer: asked === '' ? problem : `${asked}\n\n${problem}`, state: 'failed' }] }]);
  };
  const forget = (): void => {
    asking.abort();
    asking = new AbortController();
    poster().push([{ type: 'side', side: [] }]);
  };

  return {
    loop,
    ask(question) {
      const turn = asking;
      return (last = last.catch(() => undefined).then(() => answer(question, turn)));
    },
    async closeQuestions() {
      forget();
      (await session()).aside.clear();
    },
    turnOver(completed) {
      const said = poster().state.items.findLast(({ kind }) => kind === 'text');
      loop.turnEnded(completed, said?.kind === 'text' ? said.text : '');
    },
    reset() {
      loop.stop();
      if (poster().state.side.length > 0) forget();
    },
  };
}
