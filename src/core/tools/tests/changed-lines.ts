// Which lines of files are in no commit yet, as git tells it.
import { join } from 'pathe';
import { type Path } from '../../ports/path';
import { type ToolContext } from '../../tool/tool';

/** By file; lines without text are left out. Undefined where git does not tell. */
export async function changedLines(
  folder: Path,
  { ports, session }: ToolContext,
): Promise<ReadonlyMap<Path, readonly number[]> | undefined> {
  const changes = await ports.git?.changes(folder, (path) => session.isHidden(path));
  if (changes === undefined) return undefined;
  const found = new Map<Path, readonly number[]>(
    [...addedIn(changes.diff)].map(([path, lines]) => [join(folder, path), lines]),
  );
  for (const { state, path } of changes.files) {
    if (state !== '??') continue;
    const read = await ports.files.readBytes(join(folder, path), maxFile);
    if (read.outcome !== 'read') continue;
    const lines = new TextDecoder().decode(read.bytes).split('\n');
    found.set(
      join(folder, path),
      lines.flatMap((line, index) => (line.trim() === '' ? [] : [index + 1])),
    );
  }
  return found;
}

const maxFile = 1024 * 1024;

/** Of a unified difference. */
export function addedIn(diff: string): Map<string, number[]> {
  const found = new Map<string, number[]>();
  let lines: number[] | undefined;
  let at = 0;
  /** Lines of the new text that the part still has: what follows is a head again, whatever it looks like. */
  let left = 0;
  let leftOld = 0;
  for (const line of diff.split('\n')) {
    if (left > 0 || leftOld > 0) {
      const sign = line[0];
      if (sign === '+') {
        if (line.slice(1).trim() !== '') lines?.push(at);
        at++;
        left--;
      } else if (sign === '-') leftOld--;
      else if (sign !== '\\') {
        at++;
        left--;
        leftOld--;
      }
      continue;
    }
    const [, path] = /^\+\+\+ b\/(.*?)\t?$/.exec(line) ?? [];
    if (path !== undefined) found.set(path, (lines = []));
    else if (line.startsWith('+++ ')) lines = undefined;
    const [, oldCount = '1', start, count = '1'] = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
    if (start === undefined) continue;
    at = Number(start);
    left = Number(count);
    leftOld = Number(oldCount);
  }
  return found;
}
