// Which changed lines the tests did not run, as data and as the text that the model reads.
import { z } from 'zod/v3';
import { type Path } from '../../ports/path';
import { counted } from '../../../shared/counted';
import { shownPath } from '../grep/glob-root';
import { type Coverage } from './readers/read-lcov';

export const coverageSchema = z.object({
  /** Lines that are in no commit and can run. */
  changed: z.number(),
  ran: z.number(),
  /** "3-4, 10". */
  missed: z.array(z.object({ path: z.string(), lines: z.string() })),
  /** Changed files of the runner's language that no test has loaded. */
  unmeasured: z.array(z.string()),
});
export type CoverageOutput = z.infer<typeof coverageSchema>;

const maxFiles = 20;

export function coverageOutput(
  coverage: Coverage,
  changed: ReadonlyMap<Path, readonly number[]>,
  { cwd, source }: { cwd: string; source: RegExp },
): CoverageOutput {
  const output: CoverageOutput = { changed: 0, ran: 0, missed: [], unmeasured: [] };
  for (const [path, lines] of changed) {
    const counts = coverage.get(path);
    if (counts === undefined) {
      if (source.test(path) && lines.length > 0) output.unmeasured.push(shownPath(path, cwd));
      continue;
    }
    const able = lines.filter((line) => counts.has(line));
    const missed = able.filter((line) => counts.get(line) === 0);
    output.changed += able.length;
    output.ran += able.length - missed.length;
    if (missed.length > 0) output.missed.push({ path: shownPath(path, cwd), lines: ranges(missed) });
  }
  return output;
}

/** "3-4, 10". */
function ranges(lines: readonly number[]): string {
  const found: [first: number, last: number][] = [];
  for (const line of lines) {
    const last = found.at(-1);
    if (last !== undefined && last[1] === line - 1) last[1] = line;
    else found.push([line, line]);
  }
  return found.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`)).join(', ');
}

export function coverageText({ changed, ran, missed, unmeasured }: CoverageOutput): string[] {
  if (changed === 0 && unmeasured.length === 0) return ['Coverage: no line that can run is uncommitted.'];
  const shown = missed.slice(0, maxFiles).map(({ path, lines }) => `  ${path}: ${lines}`);
  const more = missed.length > maxFiles ? [`  and in ${counted(missed.length - maxFiles, 'more file')}`] : [];
  return [
    `Coverage: ${ran} of ${counted(changed, 'uncommitted line')} that can run did.${missed.length === 0 ? '' : ' Not run:'}`,
    ...shown,
    ...more,
    ...(unmeasured.length === 0
      ? []
      : [
          `Not measured, as no test loads them: ${unmeasured.slice(0, maxFiles).join(', ')}${unmeasured.length > maxFiles ? ` and ${unmeasured.length - maxFiles} more` : ''}.`,
        ]),
  ];
}
