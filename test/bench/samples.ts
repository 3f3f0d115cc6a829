// Samples of one quantity: their median and spread, and how a table shows them.

export type Unit = 'ms' | 'MiB' | 'MB' | 'kB' | '';

export interface Samples {
  readonly median: number;
  readonly min: number;
  readonly max: number;
  readonly count: number;
}

/** Throws where there is nothing to summarise: a figure that was never measured must not look like one. */
export function summarise(values: readonly number[]): Samples {
  const sorted = [...values].sort((first, second) => first - second);
  const min = sorted[0];
  const max = sorted.at(-1);
  if (min === undefined || max === undefined) throw new Error('There are no samples.');
  return { median: median(sorted), min, max, count: sorted.length };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((first, second) => first - second);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  return Number.isInteger(middle) ? (upper + (sorted[middle - 1] ?? Number.NaN)) / 2 : upper;
}

/** The differences of two lists whose entries were taken side by side. */
export function differences(values: readonly number[], base: readonly number[]): number[] {
  return values.slice(0, base.length).map((value, index) => value - (base[index] ?? Number.NaN));
}

export function formatNumber(value: number): string {
  const size = Math.abs(value);
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2);
}
