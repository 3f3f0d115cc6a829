// Reads of 2,000 lines between small ones, in a warm runner: what the size costs, compared with a raw read of the bytes.
import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { toolUse, type ReplyBlock } from '../support/messages-api/script';
import type { BenchOptions } from './main';
import type { Report } from './report';

const warmUps = 20;
/** Short lines: 2,000 of them fit into what one Read may show. */
export const largeText = 'const value = 1; // a line of code\n'.repeat(2_000);

export interface LargeReads {
  /** The calls of the n-th reply; undefined when all files were read. */
  calls(turn: number): ReplyBlock[] | undefined;
  /** Reads the same bytes in this process, right before the n-th reply goes out. */
  compare(turn: number): Promise<void>;
  addRows(report: Report, area: string, gaps: readonly number[]): void;
}

/** Turns that read small files, then a large and a small one in turns; each file is read once. */
export function largeReads(folder: string, { quick }: BenchOptions): LargeReads {
  const pairs = quick ? 5 : 20;
  const isLarge = (turn: number): boolean => turn >= warmUps && (turn - warmUps) % 2 === 0;
  const files = Array.from({ length: warmUps + 2 * pairs }, (_, turn) => {
    const file = path.join(folder, `${isLarge(turn) ? 'large' : 'small'}${turn}.ts`);
    writeFileSync(file, isLarge(turn) ? largeText : 'const value = 1;\n');
    return file;
  });
  const raw: number[] = [];
  return {
    calls: (turn) => (turn < files.length ? [toolUse('Read', { file_path: files[turn] })] : undefined),
    async compare(turn) {
      const file = files[turn];
      if (file === undefined || !isLarge(turn)) return;
      const started = performance.now();
      await readFile(file);
      raw.push(performance.now() - started);
    },
    addRows(report, area, gaps) {
      const large = gaps.filter((_, turn) => isLarge(turn));
      const more = large.map((gap, index) => gap - (gaps[warmUps + 2 * index + 1] ?? Number.NaN));
      report.add({ area, name: 'gap after a Read of 2,000 lines, warm', unit: 'ms' }, large);
      report.add({ area, name: 'the raw read of the same beside it', unit: 'ms' }, raw);
      report.add({ area, name: 'what 2,000 lines add to the gap after a Read', unit: 'ms', target: 3 }, more);
    },
  };
}
