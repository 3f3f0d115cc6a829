// /loop: sends one prompt again and again, at an interval or as the agent says, until it is stopped or has gone on for long.
import { type Clock } from '../../../core/ports/clock';
import { type LoopLine, paceText, readNextRound, selfPacedNote } from '../../../core/prompt/loop-line';
import { type FeatureLine } from '../../../shared/chat';

export interface PromptLoopServices {
  clock: Pick<Clock, 'now' | 'sleep'>;
  /** Starts a turn, `note` behind the prompt. */
  send: (text: string, note: string | undefined) => Promise<void>;
  running: () => boolean;
  shown: (line: FeatureLine | null) => void;
  notice: (title: string, detail: string) => void;
}

export interface PromptLoop {
  /** Undefined for none. */
  readonly current: { prompt: string; pace: string } | undefined;
  start(line: LoopLine): void;
  /** True where one was running. */
  stop(): boolean;
  /** A turn has ended: completed or not, with what was said last. */
  turnEnded(completed: boolean, answer: string): void;
}

/** Of its line. */
export const loopId = 'loop';
export const maxRounds = 100;
const maxLoopMs = 24 * 3_600_000;
const defaultWaitMs = 600_000;

export function createPromptLoop({ clock, send, running, shown, notice }: PromptLoopServices): PromptLoop {
  let current:
    { line: LoopLine; round: number; since: number; sent: boolean; due: boolean; stop: AbortController } | undefined;

  const end = (title?: string, detail = ''): void => {
    current?.stop.abort();
    current = undefined;
    shown(null);
    if (title !== undefined) notice(title, detail);
  };
  const show = (nextAt: number | null): void => {
    if (current === undefined) return;
    const { line, round } = current;
    shown({
      id: loopId,
      name: 'Loop',
      icon: 'sync',
      text: line.prompt,
      progress: round === 0 ? `${paceOf(line)}, starts after this turn` : `round ${round}, ${paceOf(line)}`,
      ...(round === 0 || nextAt === null ? {} : { nextAt }),
      stop: 'Stop the loop',
      stopped: 'Loop stopped',
    });
  };
  const round = (): void => {
    const loop = current;
    if (loop === undefined) return;
    // The user is at something with the agent: the round follows that turn.
    loop.due = running();
    if (loop.due) return;
    loop.round++;
    loop.sent = true;
    show(null);
    send(loop.line.prompt, loop.line.everyMs === undefined ? selfPacedNote : undefined).catch((error: unknown) => {
      if (current === loop) end('The loop has ended.', String(error));
    });
  };
  const wait = (ms: number): void => {
    const loop = current;
    if (loop === undefined) return;
    loop.sent = false;
    show(clock.now() + ms);
    clock.sleep(ms, loop.stop.signal).then(
      () => {
        if (current !== loop) return;
        if (running()) show(null);
        round();
      },
      () => undefined,
    );
  };

  return {
    get current() {
      return current && { prompt: current.line.prompt, pace: paceOf(current.line) };
    },
    start(line) {
      current?.stop.abort();
      current = { line, round: 0, since: clock.now(), sent: false, due: false, stop: new AbortController() };
      show(null);
      round();
    },
    stop() {
      if (current === undefined) return false;
      end();
      return true;
    },
    turnEnded(completed, answer) {
      if (current === undefined) return;
      if (!current.sent) {
        // A turn of the user's own; a round that was due meanwhile comes now, or a pause later where the user has stopped that turn.
        if (!current.due) return;
        current.due = false;
        return completed ? round() : wait(current.line.everyMs ?? defaultWaitMs);
      }
      if (!completed)
        return end(
          'The loop has ended.',
          `Its ${current.round === 1 ? 'round' : `round ${current.round}`} did not finish.`,
        );
      const said = current.line.everyMs === undefined ? readNextRound(answer) : undefined;
      if (said === 'done')
        return end('The loop is done.', `The agent has nothing left to do, after ${rounds(current.round)}.`);
      if (current.round >= maxRounds || clock.now() - current.since >= maxLoopMs)
        return end(
          'The loop has ended.',
          `It ran for ${rounds(current.round)}, the maximum. Type /loop to start again.`,
        );
      wait(current.line.everyMs ?? said ?? defaultWaitMs);
    },
  };
}

function paceOf({ everyMs }: LoopLine): string {
  return everyMs === undefined ? 'paced by the agent' : `every ${paceText(everyMs)}`;
}

function rounds(count: number): string {
  return count === 1 ? 'one round' : `${count} rounds`;
}
