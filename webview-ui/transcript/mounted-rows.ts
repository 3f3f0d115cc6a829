// Keeps the heights of all rows and which of them are mounted up to date, as the conversation grows, is scrolled and is drawn.
import { type ChatStore } from '../state/chat-store';
import { idsOf, type Row } from '../state/turn-rows';
import { guessedHeight } from './guessed-height';
import { Heights } from './heights';
import { mountedSpans, sameSpans, spanAround, type Span, type View } from './window';

/** Until the page is measured. */
const FIRST_VIEW: View = { top: 0, height: 900 };
const FIRST_WIDTH = 400;

/** What must be mounted wherever it is. */
export interface Kept {
  /** Ids of items. */
  readonly ids: Iterable<string>;
  /** Keys of rows. */
  readonly keys: Iterable<string>;
}

export class MountedRows {
  readonly heights = new Heights();
  spans: readonly Span[] = [];
  readonly #store: ChatStore;
  /** Measured, by the rows' keys. */
  readonly #measured = new Map<string, number>();
  /** Keys of the rows that were mounted at the last drawing. */
  #drawn = new Set<string>();
  #around: Span | undefined;
  #view = FIRST_VIEW;
  #width = FIRST_WIDTH;
  /** Those of the last decision stay for one more: what they turn into is announced by their own components. */
  #alive: readonly string[] = [];

  constructor(store: ChatStore) {
    this.#store = store;
  }

  /** Takes over rows that came, went or changed. What the reader looks at stays in the view that is assumed. */
  takeRows(): void {
    const { rows } = this.#store;
    const from = Math.min(this.#store.takeChangedFrom(), this.heights.length);
    const seen = this.heights.at(this.#view.top);
    const moved = from <= seen && this.heights.length > 0;
    const key = moved ? this.#keyAt(seen) : undefined;
    const into = this.#view.top - this.heights.before(seen);
    this.heights.cut(from);
    this.#keys.length = from;
    for (let index = from; index < rows.length; index++) {
      const row = rows[index]?.row;
      if (row === undefined) continue;
      this.#keys.push(row.key);
      this.heights.push(this.#measured.get(row.key) ?? this.#guess(row));
    }
    if (!moved) return;
    const at = key === undefined ? -1 : this.#keys.lastIndexOf(key);
    if (at >= 0) this.#view = { ...this.#view, top: this.heights.before(at) + into };
    if (at !== seen) this.#around = undefined;
  }

  /** The keys of `rows` as they were taken. */
  readonly #keys: string[] = [];

  #keyAt(index: number): string | undefined {
    return this.#keys[index];
  }

  #guess(row: Row): number {
    const [id = ''] = idsOf(row);
    return guessedHeight(row.type === 'fold' ? undefined : this.#store.item(id)?.peek(), this.#width);
  }

  look(view: View, width: number): void {
    this.#view = view;
    this.#width = width;
  }

  lookAtEnd(): void {
    this.#view = { ...this.#view, top: Math.max(0, this.heights.total - this.#view.height) };
  }

  /** True where other rows than before are to be mounted. */
  decide(kept: Kept): boolean {
    this.#around = spanAround(this.heights, this.#view, this.#around);
    const alive = [...this.#store.alive];
    const ids = new Set([...kept.ids, ...alive, ...this.#alive]);
    this.#alive = alive;
    const spans = mountedSpans(this.heights.length, this.#around, [...this.#indexes(ids, new Set(kept.keys))]);
    if (sameSpans(spans, this.spans)) return false;
    this.spans = spans;
    return true;
  }

  /** From the end: nearly all that is kept is there. */
  *#indexes(ids: Set<string>, keys: Set<string>): Iterable<number> {
    const { rows } = this.#store;
    let left = ids.size + keys.size;
    for (let index = rows.length - 1; index >= 0 && left > 0; index--) {
      const row = rows[index]?.row;
      if (row === undefined) continue;
      const found = idsOf(row).filter((id) => ids.has(id)).length + (keys.has(row.key) ? 1 : 0);
      if (found === 0) continue;
      left -= found;
      yield index;
    }
  }

  /** Its element was not there at the last drawing. */
  isNew(key: string): boolean {
    return !this.#drawn.has(key);
  }

  knownHeight(key: string): number | undefined {
    return this.#measured.get(key);
  }

  /** These are in the page now. */
  drawn(keys: Set<string>): void {
    this.#drawn = keys;
  }

  /** A row is this high now. */
  measured(key: string, height: number): void {
    if (this.#measured.get(key) === height) return;
    this.#measured.set(key, height);
    for (const { from, to } of this.spans)
      for (let index = from; index < to; index++) if (this.#keys[index] === key) return this.heights.set(index, height);
  }

  /** Another session: rows are others. */
  forget(): void {
    this.#measured.clear();
    this.#around = undefined;
  }
}
