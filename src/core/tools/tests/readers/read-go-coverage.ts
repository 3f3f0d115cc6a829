// Go's coverage profile, among the events of `go test -json`: `module/file.go:3.23,5.2 statements count` for each block of code.
import { join } from 'pathe';
import { type Path } from '../../../ports/path';
import { type Coverage } from './read-lcov';
import { type ReadPlace } from './test-report';

const block = /^(\S+\.go):(\d+)\.\d+,(\d+)\.\d+ \d+ (\d+)$/;

export function isOfProfile(line: string): boolean {
  return /^mode: \w+$/.test(line.trimEnd()) || block.test(line.trimEnd());
}

/**
 * Undefined where there is none in it. `module`: the path that go.mod gives the folder. A line on which one block ends and another begins
 * has run if either has.
 */
export function readGoCoverage(output: string, { folder }: ReadPlace, module: string): Coverage | undefined {
  const files = new Map<Path, Map<number, number>>();
  for (const text of output.split('\n')) {
    const [, file = '', first, last, count] = block.exec(text.trimEnd()) ?? [];
    if (!file.startsWith(`${module}/`)) continue;
    const path = join(folder, file.slice(module.length + 1));
    const lines = files.get(path) ?? new Map<number, number>();
    files.set(path, lines);
    for (let line = Number(first); line <= Number(last); line++)
      lines.set(line, (lines.get(line) ?? 0) + Number(count));
  }
  return files.size === 0 ? undefined : files;
}
