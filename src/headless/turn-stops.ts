// Ends one turn and not the run: what the program's `interrupt` does, and its "no" that ends all.

export interface TurnStops {
  /** Of the turn that runs, or of the run where none does. */
  readonly signal: AbortSignal;
  /** The turn that runs, or ran last, ended early because the program wanted it. */
  readonly byProgram: boolean;
  /** A turn begins. */
  begin(): void;
  /** Nothing happens between turns. */
  interrupt(): void;
  /** The turn ends by an answer of the program. */
  answered(): void;
}

export function createTurnStops(run: AbortSignal): TurnStops {
  let turn = new AbortController();
  let byProgram = false;
  return {
    get signal() {
      return AbortSignal.any([run, turn.signal]);
    },
    get byProgram() {
      return byProgram && !run.aborted;
    },
    begin() {
      turn = new AbortController();
      byProgram = false;
    },
    interrupt() {
      byProgram = true;
      turn.abort(new DOMException('The turn was interrupted.', 'AbortError'));
    },
    answered() {
      byProgram = true;
    },
  };
}
