// What the benchmarks found: rows next to their targets, as a table for readers and as JSON for comparisons.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { MachineFacts } from './machine';
import { formatNumber, summarise, type Samples, type Unit } from './samples';

export interface Row {
  readonly area: string;
  readonly name: string;
  readonly unit: Unit;
  readonly samples: Samples;
  /** At most this is wanted; compared with the median. */
  readonly target?: number;
  /** The best peer's figure, measured earlier on the same kind of machine. */
  readonly peer?: string;
  readonly note?: string;
}

export interface Report {
  add(row: Omit<Row, 'samples'>, values: readonly number[]): void;
  /** Something that could not be measured, and why. */
  skip(area: string, name: string, why: string): void;
  readonly rows: readonly Row[];
  readonly skipped: readonly { readonly area: string; readonly name: string; readonly why: string }[];
}

export function createReport(progress: (line: string) => void): Report {
  const rows: Row[] = [];
  const skipped: { area: string; name: string; why: string }[] = [];
  return {
    rows,
    skipped,
    add(row, values) {
      const full: Row = { ...row, samples: summarise(values) };
      rows.push(full);
      progress(`  ${full.name}: ${shown(full)}`);
    },
    skip(area, name, why) {
      skipped.push({ area, name, why });
      progress(`  ${name}: not measured, ${why}`);
    },
  };
}

/** One line a row; a cross marks a median above its target. */
export function tableOf({ rows, skipped }: Pick<Report, 'rows' | 'skipped'>): string {
  const head = ['', 'measured', 'min–max', 'runs', 'target', 'best peer', ''];
  const body = rows.map((row) => [
    `${row.area}: ${row.name}`,
    shown(row),
    row.samples.count === 1 ? '' : `${formatNumber(row.samples.min)}–${formatNumber(row.samples.max)}`,
    String(row.samples.count),
    targetOf(row),
    row.peer ?? '',
    resultOf(row),
  ]);
  const widths = head.map((_, column) => Math.max(...[head, ...body].map((cells) => (cells[column] ?? '').length)));
  const lines = [head, ...body].map((cells, index) => {
    const note = index === 0 ? undefined : rows[index - 1]?.note;
    const line = cells
      .map((cell, column) => cell[column === 0 ? 'padEnd' : 'padStart'](widths[column] ?? 0))
      .join('  ');
    return `${line.trimEnd()}${note === undefined ? '' : `  ${note}`}`;
  });
  return [...lines, ...skipped.map(({ area, name, why }) => `${area}: ${name}: not measured, ${why}`)].join('\n');
}

export function writeJson(
  file: string,
  report: Report,
  facts: Readonly<Record<'before' | 'after', MachineFacts>>,
): void {
  mkdirSync(path.dirname(file), { recursive: true });
  const content = { measuredAt: new Date().toISOString(), machine: facts, rows: report.rows, skipped: report.skipped };
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
}

export function shown({ samples, unit }: Row): string {
  return `${formatNumber(samples.median)} ${unit}`.trim();
}

/** Empty without a target. */
export function targetOf({ target, unit }: Row): string {
  return target === undefined ? '' : `≤ ${formatNumber(target)} ${unit}`.trim();
}

/** Empty without a target. */
export function resultOf({ target, samples }: Row): string {
  return target === undefined ? '' : samples.median <= target ? '✓' : '✗';
}
