// The heights of all rows, one below the other (a Fenwick tree): places, sums and changes in logarithmic time.

export class Heights {
  readonly #own: number[] = [];
  /** At each index the sum of a range that ends there; the first entry is unused. */
  readonly #sums: number[] = [0];

  get length(): number {
    return this.#own.length;
  }

  get total(): number {
    return this.before(this.length);
  }

  of(index: number): number {
    return this.#own[index] ?? 0;
  }

  push(height: number): void {
    this.#own.push(height);
    const at = this.#own.length;
    let sum = height;
    for (let below = at - 1; below > at - lowBit(at); below -= lowBit(below)) sum += this.#sums[below] ?? 0;
    this.#sums[at] = sum;
  }

  set(index: number, height: number): void {
    const change = height - this.of(index);
    if (index >= this.length || change === 0) return;
    this.#own[index] = height;
    for (let at = index + 1; at <= this.length; at += lowBit(at)) this.#sums[at] = (this.#sums[at] ?? 0) + change;
  }

  /** Drops the rows from this index on. */
  cut(length: number): void {
    if (length >= this.length) return;
    this.#own.length = length;
    this.#sums.length = length + 1;
  }

  /** How far the top of a row is below the top of the first. */
  before(index: number): number {
    let sum = 0;
    for (let at = Math.min(index, this.length); at > 0; at -= lowBit(at)) sum += this.#sums[at] ?? 0;
    return sum;
  }

  /** The row at this distance below the top of the first: the first or the last one where it is beyond them. */
  at(y: number): number {
    let index = 0;
    let left = y;
    let step = 1;
    while (step * 2 <= this.length) step *= 2;
    for (; step >= 1; step /= 2) {
      const sum = this.#sums[index + step];
      if (index + step > this.length || sum === undefined || sum > left) continue;
      index += step;
      left -= sum;
    }
    return Math.max(0, Math.min(index, this.length - 1));
  }
}

function lowBit(index: number): number {
  return index & -index;
}
