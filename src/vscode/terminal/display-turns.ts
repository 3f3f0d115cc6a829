// One terminal, commands one after another: what the next one prints waits until the one before has printed its last.

export interface DisplayTurn {
  write(text: string): void;
  /** Nothing more will come from this turn. */
  end(): void;
}

/** `write` gets the text of one turn after another, in the order in which they were opened. */
export function createDisplayTurns(write: (text: string) => void): () => DisplayTurn {
  const turns: { waiting: string; over: boolean }[] = [];

  const advance = (): void => {
    while (turns[0]) {
      if (turns[0].waiting !== '') write(turns[0].waiting);
      turns[0].waiting = '';
      if (!turns[0].over) return;
      turns.shift();
    }
  };

  return () => {
    const turn = { waiting: '', over: false };
    turns.push(turn);
    return {
      write: (text) => {
        if (turn.over) return;
        turn.waiting += text;
        if (turns[0] === turn) advance();
      },
      end: () => {
        turn.over = true;
        advance();
      },
    };
  };
}
