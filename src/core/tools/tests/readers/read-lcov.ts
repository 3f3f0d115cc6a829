// Coverage in LCOV's format: which lines of which files ran, wherever it stands in a runner's output.
import { type Path } from '../../../ports/path';
import { placedPath, type ReadPlace } from './test-report';

/** By file: how often each line ran that can run. */
export type Coverage = ReadonlyMap<Path, ReadonlyMap<number, number>>;

/** pytest has not ended the line of its progress by then. */
const start = /^[.FEsxXpP\d%[\]\s]*SF:(.+)$/;

/** Undefined where there is none in it. */
export function readLcov(output: string, place: ReadPlace): Coverage | undefined {
  const files = new Map<Path, Map<number, number>>();
  let lines: Map<number, number> | undefined;
  for (const text of output.split('\n')) {
    const line = text.trimEnd();
    const file = start.exec(line)?.[1];
    if (file !== undefined) {
      const path = placedPath(file, place);
      lines = files.get(path) ?? new Map<number, number>();
      files.set(path, lines);
    } else if (line === 'end_of_record') lines = undefined;
    else if (lines !== undefined) {
      const [, at, count] = /^DA:(\d+),(\d+)/.exec(line) ?? [];
      if (at !== undefined) lines.set(Number(at), (lines.get(Number(at)) ?? 0) + Number(count));
    }
  }
  return files.size === 0 ? undefined : files;
}
