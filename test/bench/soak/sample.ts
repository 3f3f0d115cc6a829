// What a process of a soak holds at one moment, and how that grows with the turns.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** Figures of one process after so many of its turns. */
export interface Sample {
  readonly turn: number;
  readonly figures: Readonly<Record<string, number>>;
}

/** Samples of processes that followed each other: each began anew, so growth is measured within one. */
export class Growth {
  readonly #segments: Sample[][] = [[]];

  /** The process has ended, and another takes its place. */
  restart(): void {
    this.#segments.push([]);
  }

  add(sample: Sample): void {
    this.#segments.at(-1)?.push(sample);
  }

  /** By figure: what 1,000 turns add, over all segments by their length; NaN where none has two samples. And the highest value. */
  result(): Map<string, { perThousand: number; highest: number }> {
    const names = new Set(this.#segments.flat().flatMap(({ figures }) => Object.keys(figures)));
    return new Map([...names].map((name) => [name, this.#of(name)] as const));
  }

  #of(name: string): { perThousand: number; highest: number } {
    let [together, squares] = [0, 0];
    for (const segment of this.#segments) {
      const points = segment.flatMap(({ turn, figures }) => {
        const value = figures[name];
        return value === undefined ? [] : [{ turn, value }];
      });
      const mean = (of: (point: { turn: number; value: number }) => number): number =>
        points.reduce((sum, point) => sum + of(point), 0) / points.length;
      const [turns, values] = [mean(({ turn }) => turn), mean(({ value }) => value)];
      for (const { turn, value } of points) {
        together += (turn - turns) * (value - values);
        squares += (turn - turns) ** 2;
      }
    }
    const values = this.#segments.flat().map(({ figures }) => figures[name] ?? 0);
    return { perThousand: squares === 0 ? Number.NaN : (1_000 * together) / squares, highest: Math.max(...values) };
  }
}

/** Resident MiB and open descriptors of a process; empty without /proc, or where it has ended. */
export function processFigures(pid: number): Record<string, number> {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const resident = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024;
    return { 'resident MiB': resident, descriptors: readdirSync(`/proc/${pid}/fd`).length };
  } catch {
    return {};
  }
}

/** Files below a folder and their bytes; what goes away while they are counted is not there. */
export function filesBelow(folder: string): { files: number; bytes: number } {
  let [files, bytes] = [0, 0];
  const entries = quietly(() => readdirSync(folder, { recursive: true, withFileTypes: true })) ?? [];
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    files++;
    bytes += quietly(() => statSync(path.join(entry.parentPath, entry.name)).size) ?? 0;
  }
  return { files, bytes };
}

function quietly<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
