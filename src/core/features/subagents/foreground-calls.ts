// Calls that wait for their agents: any of them may stop waiting, and its agent goes on in the background.
import { type SubagentCall } from '../../subagents/subagents';

/** What a call that no longer waits gets in place of its agent's outcome. */
export const movedToBackground = Symbol('moved to the background');

export interface WaitingCall {
  /** For the agent: it hears no more of the call once it is in the background, and the call nothing of the agent. */
  own: SubagentCall;
  moved: Promise<typeof movedToBackground>;
  /** The call waits no more. */
  over(): void;
}

export class ForegroundCalls {
  readonly #moves = new Map<string, () => void>();

  wait(call: SubagentCall): WaitingCall {
    const { toolUseId, signal, onProgress } = call;
    const stop = new AbortController();
    const abort = (): void => stop.abort(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    let waits = true;
    let move = (): void => undefined;
    const moved = new Promise<typeof movedToBackground>((resolve) => (move = () => resolve(movedToBackground)));
    const over = (): void => {
      waits = false;
      signal.removeEventListener('abort', abort);
      if (this.#moves.get(toolUseId) === begin) this.#moves.delete(toolUseId);
    };
    const begin = (): void => {
      // In the same step: what ends the turn from now on does not end the agent.
      over();
      move();
    };
    this.#moves.set(toolUseId, begin);
    const own: SubagentCall = {
      toolUseId,
      signal: stop.signal,
      onProgress: (text) => void (waits && onProgress(text)),
      onSteps: (steps) => void (waits && call.onSteps?.(steps)),
    };
    return { own, moved, over };
  }

  /** False where no call of this ID waits. */
  move(toolUseId: string): boolean {
    const move = this.#moves.get(toolUseId);
    move?.();
    return move !== undefined;
  }
}
