// Ends one turn and not the run: what the program's `interrupt` does.

export interface TurnStops {
  /** Of the turn that runs, or of the run where none does. */
  readonly signal: AbortSignal;
  /** A turn begins. */
  begin(): void;
  /** Nothing happens between turns. */
  interrupt(): void;
  /** The turn that runs, or ran last, was ended this way. */
  readonly interrupted: boolean;
}

export function createTurnStops(run: AbortSignal): TurnStops {
  let turn = new AbortController();
  return {
    get signal() {
      return AbortSignal.any([run, turn.signal]);
    },
    begin() {
      turn = new AbortController();
    },
    interrupt() {
      turn.abort(new DOMException('The turn was interrupted.', 'AbortError'));
    },
    get interrupted() {
      return turn.signal.aborted;
    },
  };
}
