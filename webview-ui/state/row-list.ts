// The rows of the whole conversation as one list that grows at its end: what an event costs does not depend on how many there are.
import { type ChatItem } from '../../src/shared/chat';
import { type Fold, foldedRows, idsOf, MAX_RUN, sameRow, turnRows, type Row } from './turn-rows';

/** A user's message and everything that follows it, up to the next one. */
export interface Turn {
  /** Stable while the turn lives, also when older items join its beginning. */
  readonly key: number;
  /** Changed in place by the store alone. */
  readonly ids: string[];
  /** Among all turns that are loaded. */
  index: number;
}

/** A row in its place: how far it is from the one above depends on what that is. */
export interface PlacedRow {
  readonly row: Row;
  readonly turn: Turn;
  /** Undefined for the first row of a turn. */
  readonly after: ChatItem['kind'] | undefined;
}

/** So many ids at the end are looked at anew with each change; what is before them is settled. */
const TAIL = 2 * MAX_RUN;

/** The rows of one turn. */
class TurnRows {
  readonly rows: Row[] = [];
  /** Index of the turn's first row among all. */
  start = 0;
  /** Ids, and the rows of them, that are settled: a run of looks never goes on from there. */
  #settledIds = 0;
  #settledRows = 0;
  #fold: Fold | undefined;

  /** Brings the rows up to date, where ids from this index on may be others or fold otherwise. Returns the index of the first row that changed. */
  update(
    ids: readonly string[],
    look: (id: string) => boolean,
    how: { open: boolean; fold: Fold | undefined },
    from: number,
  ): number {
    const { open, fold } = how;
    if (from < this.#settledIds || fold !== this.#fold) this.#settledIds = this.#settledRows = 0;
    this.#fold = fold;
    const fresh = fold === undefined ? turnRows(ids.slice(this.#settledIds), look, open) : foldedRows(ids, look, fold);
    let first: number | undefined;
    fresh.forEach((row, index) => {
      const at = this.#settledRows + index;
      const before = this.rows[at];
      if (before !== undefined && sameRow(before, row)) return;
      this.rows[at] = row;
      first ??= at;
    });
    const length = this.#settledRows + fresh.length;
    if (this.rows.length > length) first ??= length;
    this.rows.length = length;
    // Finished turns hardly grow.
    if (fold === undefined && ids.length - this.#settledIds > 2 * TAIL) this.#settle(look);
    return first ?? length;
  }

  #settle(look: (id: string) => boolean): void {
    let ids = 0;
    for (let at = this.rows.length - 1; at > this.#settledRows; at--) {
      const row = this.rows[at];
      if (row === undefined) return;
      ids += idsOf(row).length;
      const above = this.rows[at - 1];
      if (ids < TAIL || above === undefined || !endsRun(above, look)) continue;
      this.#settledIds += this.rows.slice(this.#settledRows, at).reduce((sum, one) => sum + idsOf(one).length, 0);
      this.#settledRows = at;
      return;
    }
  }
}

/** What follows such a row never joins it. */
function endsRun(row: Row, look: (id: string) => boolean): boolean {
  return row.type === 'item' ? !look(row.id) : row.ids.length === MAX_RUN;
}

export interface RowSource {
  look(id: string): boolean;
  kind(id: string): ChatItem['kind'] | undefined;
  /** Undefined where the turn is shown row by row. */
  fold(turn: Turn): Fold | undefined;
}

export class RowList {
  readonly #source: RowSource;
  readonly #rows: PlacedRow[] = [];
  readonly #ofTurn = new Map<Turn, TurnRows>();
  #turns: readonly Turn[] = [];
  #changedFrom = 0;

  constructor(source: RowSource) {
    this.#source = source;
  }

  /** The same array at all times. */
  get rows(): readonly PlacedRow[] {
    return this.#rows;
  }

  /** The index from which rows are others than at the last call. */
  takeChangedFrom(): number {
    const from = Math.min(this.#changedFrom, this.#rows.length);
    this.#changedFrom = this.#rows.length;
    return from;
  }

  /** Other turns than before: those that stay keep what is known of them. */
  setTurns(turns: readonly Turn[]): void {
    this.#turns = turns;
    const kept = new Set(turns);
    for (const turn of [...this.#ofTurn.keys()]) if (!kept.has(turn)) this.#ofTurn.delete(turn);
    turns.forEach((turn, index) => {
      turn.index = index;
      this.#update(turn, 0);
    });
    this.#place(0, 0);
  }

  /** A turn began behind the others. */
  addTurn(turns: readonly Turn[]): void {
    this.#turns = turns;
    const at = turns.length - 1;
    const [before, turn] = [turns[at - 1], turns[at]];
    // The one before does not grow any more.
    const first = before === undefined ? 0 : this.#update(before, before.ids.length);
    if (turn) {
      turn.index = at;
      this.#update(turn, 0);
    }
    this.#place(before === undefined ? at : at - 1, first);
  }

  /** The ids of a turn are others from this index on, or fold otherwise. */
  turnChanged(turn: Turn, from: number): void {
    const at = this.#turns.lastIndexOf(turn);
    if (at >= 0) this.#place(at, this.#update(turn, from));
  }

  #update(turn: Turn, from: number): number {
    const own = this.#ofTurn.get(turn) ?? new TurnRows();
    this.#ofTurn.set(turn, own);
    const how = { open: turn === this.#turns.at(-1), fold: this.#source.fold(turn) };
    return own.update(turn.ids, (id) => this.#source.look(id), how, from);
  }

  /** Puts rows into the list anew: those of the turn with this index from one of its rows on, and all of the turns behind it. */
  #place(turnIndex: number, firstRow: number): void {
    const begin = this.#startOf(turnIndex) + firstRow;
    this.#changedFrom = Math.min(this.#changedFrom, begin);
    this.#rows.length = begin;
    for (let at = turnIndex; at < this.#turns.length; at++) {
      const turn = this.#turns[at];
      const own = turn && this.#ofTurn.get(turn);
      if (!turn || !own) continue;
      const from = at === turnIndex ? firstRow : 0;
      own.start = this.#rows.length - from;
      for (let index = from; index < own.rows.length; index++) {
        const row = own.rows[index];
        if (row) this.#rows.push({ row, turn, after: kindOf(own.rows[index - 1], this.#source) });
      }
    }
  }

  #startOf(turnIndex: number): number {
    const before = this.#turns[turnIndex - 1];
    const own = before && this.#ofTurn.get(before);
    return own === undefined ? 0 : own.start + own.rows.length;
  }
}

function kindOf(row: Row | undefined, source: RowSource): ChatItem['kind'] | undefined {
  if (row === undefined) return undefined;
  return row.type === 'item' ? source.kind(row.id) : 'tool';
}
