// When what is typed is kept: at once while that is cheap, since a view may be hidden with the next key; a long text once the user pauses.

const CHEAP_CHARACTERS = 10_000;
const PAUSE_MS = 200;

export interface TypedKeeper {
  /** `length` is how much there is to keep. */
  typed(length: number, keep: () => void): void;
  cancel(): void;
}

export function createTypedKeeper(): TypedKeeper {
  let saving: ReturnType<typeof setTimeout> | undefined;
  return {
    typed(length, keep) {
      clearTimeout(saving);
      if (length <= CHEAP_CHARACTERS) keep();
      else saving = setTimeout(keep, PAUSE_MS);
    },
    cancel: () => clearTimeout(saving),
  };
}
