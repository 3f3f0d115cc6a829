// Counts what the classifier blocks: an agent that runs into it again and again needs the user.

export interface AutoPauses {
  /** Why the user is asked, until auto is chosen again. */
  paused(): string | undefined;
  blocked(): void;
  allowed(): void;
  reset(): void;
}

const maxInRow = 3;
const maxInTotal = 20;

export function createAutoPauses(): AutoPauses {
  let inRow = 0;
  let inTotal = 0;
  let reason: string | undefined;
  return {
    paused: () => reason,
    blocked: () => {
      inRow++;
      inTotal++;
      if (inRow >= maxInRow)
        reason ??= `Auto mode is paused after ${maxInRow} blocked actions in a row. Select it again to continue.`;
      else if (inTotal >= maxInTotal)
        reason ??= `Auto mode is paused after ${maxInTotal} blocked actions. Select it again to continue.`;
    },
    allowed: () => void (inRow = 0),
    reset: () => {
      inRow = 0;
      inTotal = 0;
      reason = undefined;
    },
  };
}
