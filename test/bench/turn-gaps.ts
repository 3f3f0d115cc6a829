// Gaps over many turns: the first twenty next to the last twenty show whether a long conversation costs more.
import type { BenchOptions } from './main';
import type { Report } from './report';

export interface GapFigure {
  readonly area: string;
  readonly tool: string;
  readonly target?: number;
  readonly peer?: string;
  readonly note?: string;
}

const compared = 20;

/** Turns of one run. */
export function turnsOf({ quick }: BenchOptions): number {
  return quick ? 2 * compared : 200;
}

/** Adds two rows from the gaps of several runs. */
export function addGaps(
  report: Report,
  options: BenchOptions,
  figure: GapFigure,
  runs: readonly (readonly number[])[],
): void {
  const { tool, ...row } = figure;
  const turns = turnsOf(options);
  const early = runs.flatMap((gaps) => gaps.slice(0, compared));
  const late = runs.flatMap((gaps) => gaps.slice(turns - compared, turns));
  report.add({ ...row, name: `gap after ${tool}, turns 1–${compared}`, unit: 'ms' }, early);
  report.add({ ...row, name: `gap after ${tool}, turns ${turns - compared + 1}–${turns}`, unit: 'ms' }, late);
}
