// The one client for what is set up now: made once also where several ask at the same moment, and never replaced by an older one.
import { type ModelClient } from '../../core/ports/model';

export interface KeptClient {
  /** The one that stands; undefined before the first is made. */
  readonly present: ModelClient | undefined;
  /** Called when somebody begins to read what is configured; the result is called to ask for the client for it. */
  begin(): (key: string, make: () => Promise<ModelClient>) => Promise<ModelClient>;
}

/** `replaced` is called with each client that is no longer in use, or never was. */
export function createKeptClient(replaced: (client: ModelClient) => void): KeptClient {
  let begun = 0;
  let newest: { turn: number; key: string; client: Promise<ModelClient> } | undefined;
  let present: ModelClient | undefined;

  return {
    get present() {
      return present;
    },
    begin() {
      const turn = ++begun;
      return async (key, make) => {
        if (newest?.key === key) {
          newest.turn = Math.max(newest.turn, turn);
          return newest.client;
        }
        const mine = { turn, key, client: make() };
        // What was read earlier may be made later.
        const stands = newest === undefined || newest.turn < turn;
        if (stands) newest = mine;
        try {
          const client = await mine.client;
          const gone = newest === mine ? present : client;
          if (newest === mine) present = client;
          if (gone !== undefined && gone !== present) replaced(gone);
          return client;
        } catch (error) {
          // The next one who asks tries again.
          if (newest === mine) newest = undefined;
          throw error;
        }
      };
    },
  };
}
