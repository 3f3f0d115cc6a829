// What servers and linters reported as the output of Problems, as the text that the model reads, and as what the chat shows.
import { z } from 'zod/v3';
import { defined } from '../../../shared/defined';
import { type ToolView } from '../../../shared/tool-view';
import { type Diagnostic } from '../../ports/diagnostics';
import { type ProblemSurvey } from '../../ports/problems';
import { type CodeFix } from '../../ports/refactorings';
import { addedDiagnostics } from '../edit/compare-diagnostics';
import { diagnosticText } from '../edit/file-diagnostics';
import { counted } from '../../../shared/counted';
import { resolvePath, shownPath } from '../grep/glob-root';

export const severities = ['error', 'warning', 'information', 'hint'] as const;
export type Severity = (typeof severities)[number];

const severity = z.enum(severities);

const problemShape = {
  /** Relative to the current folder where inside it. */
  path: z.string(),
  line: z.number(),
  column: z.number(),
  cell: z.string().optional(),
  severity,
  message: z.string(),
  source: z.string().optional(),
  code: z.string().optional(),
};

export const problemsOutputSchema = z.object({
  cwd: z.string(),
  /** What was asked about. */
  places: z.array(z.string()),
  items: z.array(
    z.object({
      ...problemShape,
      /** Left out for a file of which nothing was known before. */
      isNew: z.boolean().optional(),
      fixes: z.array(z.object({ id: z.string(), title: z.string() })).optional(),
    }),
  ),
  /** Of all that fit what was asked, shown or not. */
  total: z.number(),
  files: z.number(),
  added: z.number(),
  bySeverity: z.array(z.object({ severity, count: z.number() })),
  /** Files whose problems are not all shown. */
  cut: z.array(z.object({ path: z.string(), count: z.number() })),
  fixed: z.array(z.object(problemShape)),
  fixedTotal: z.number(),
  /** Less severe ones that were not asked for. */
  below: z.number(),
  /** A command gave no whole answer: there may be others. */
  unknown: z.boolean().optional(),
  notes: z.array(z.string()),
});
export type ProblemsOutput = z.infer<typeof problemsOutputSchema>;
type Item = ProblemsOutput['items'][number];

export interface Asked {
  places: readonly string[];
  least: Severity;
  source: string | undefined;
  cwd: string;
}

export const maxShown = 50;
const maxFixed = 10;
const maxCutFiles = 20;
const maxMessage = 400;

/** What fits what was asked, in the order in which it is shown. */
export interface Judged {
  shown: Diagnostic[];
  all: Diagnostic[];
  added: ReadonlySet<Diagnostic>;
  known: (problem: Diagnostic) => boolean;
  fixed: Diagnostic[];
  below: number;
}

export function judgeProblems(
  { problems, before }: ProblemSurvey,
  { least, source }: Pick<Asked, 'least' | 'source'>,
  isHidden: (path: string) => boolean,
): Judged {
  const limit = severities.indexOf(least);
  const named = (problem: Diagnostic): boolean =>
    !isHidden(problem.path) && (source === undefined || problem.source?.toLowerCase() === source.toLowerCase());
  const severe = (problem: Diagnostic): boolean => rank(problem) <= limit;
  const now = problems.filter(named);
  const then = [...before.values()].flat().filter(named).filter(severe);
  const known = ({ path }: Diagnostic): boolean => before.has(path);
  const added = new Set(addedDiagnostics(then, now.filter(severe).filter(known)));
  const all = now
    .filter(severe)
    .sort(
      (one, other) => rank(one) - rank(other) || Number(added.has(other)) - Number(added.has(one)) || order(one, other),
    );
  return {
    all,
    shown: all.slice(0, maxShown).sort(order),
    added,
    known,
    fixed: addedDiagnostics(now, then).sort(order),
    below: now.length - all.length,
  };
}

function rank(problem: Diagnostic): number {
  return severities.indexOf(problem.severity);
}

function order(one: Diagnostic, other: Diagnostic): number {
  return one.path === other.path ? one.line - other.line || one.column - other.column : one.path < other.path ? -1 : 1;
}

export function problemsOutput(
  judged: Judged,
  fixes: readonly CodeFix[],
  notes: readonly string[],
  { cwd, places }: Asked,
): ProblemsOutput {
  const { all, shown, added, known, fixed, below } = judged;
  const left = new Map<string, number>();
  const seen = new Set(shown);
  for (const problem of all) if (!seen.has(problem)) left.set(problem.path, (left.get(problem.path) ?? 0) + 1);
  const bySeverity = severities.flatMap((one) => {
    const count = all.filter((problem) => problem.severity === one).length;
    return count === 0 ? [] : [{ severity: one, count }];
  });
  return {
    cwd,
    places: places.map((place) => shownPath(place, cwd)),
    items: shown.map((problem) => {
      const own = fixes.flatMap((fix) => (fix.problem === problem ? [{ id: fix.id, title: fix.title }] : []));
      return {
        ...plain(problem, cwd),
        ...(known(problem) ? { isNew: added.has(problem) } : {}),
        ...(own.length === 0 ? {} : { fixes: own }),
      };
    }),
    total: all.length,
    files: new Set(all.map(({ path }) => path)).size,
    added: added.size,
    bySeverity,
    cut: [...left].map(([path, count]) => ({ path: shownPath(path, cwd), count })),
    fixed: fixed.slice(0, maxFixed).map((problem) => plain(problem, cwd)),
    fixedTotal: fixed.length,
    below,
    notes: [...notes],
  };
}

function plain({ path, line, column, cell, severity, message, source, code }: Diagnostic, cwd: string): Item {
  const text = message.length > maxMessage ? `${message.slice(0, maxMessage)} …` : message;
  return { path: shownPath(path, cwd), line, column, severity, message: text, ...defined({ cell, source, code }) };
}

export function problemsText(output: ProblemsOutput): string {
  const { items, cut, fixed, fixedTotal, below, notes } = output;
  const head = headText(output);
  const change = changeText(output);
  const lines = [`${head}${change === '' ? '' : `; ${change}`}.`];
  let last: string | undefined;
  for (const item of items) {
    if (item.path !== last) lines.push(item.path);
    last = item.path;
    lines.push(`  ${placeOf(item)} ${diagnosticText(item)}${item.isNew === true ? ' [new]' : ''}`);
    lines.push(...(item.fixes ?? []).map(({ id, title }) => `    ${id}: ${title}`));
  }
  if (cut.length > 0) {
    const named = cut.slice(0, maxCutFiles).map(({ path, count }) => `${path} (${count})`);
    const more = cut.length > maxCutFiles ? `, and ${cut.length - maxCutFiles} more files` : '';
    lines.push(`Not shown: ${named.join(', ')}${more}. Ask about one of these files or folders.`);
  }
  if (fixed.length > 0) {
    lines.push('Fixed:');
    lines.push(...fixed.map((item) => `  ${item.path}:${placeOf(item)} ${diagnosticText(item)}`));
    if (fixedTotal > fixed.length) lines.push(`  … and ${fixedTotal - fixed.length} more`);
  }
  if (below > 0) lines.push(`${counted(below, 'less severe one')} not shown.`);
  return [...lines, ...notes.map((note) => `Note: ${note}`)].join('\n');
}

function headText(output: ProblemsOutput): string {
  const { total, files, places, unknown } = output;
  const where = places.length === 0 ? '' : ` in ${places.length > 3 ? `${places.length} places` : places.join(', ')}`;
  if (total > 0)
    return `${countsText(output)} in ${counted(files, 'file')}${unknown === true ? ', and perhaps others (see the notes)' : ''}`;
  return unknown === true ? `It is not known whether there are problems${where}` : `No problems are reported${where}`;
}

function placeOf({ cell, line, column }: Item): string {
  return `${cell === undefined ? '' : `cell ${cell}:`}${line}:${column}`;
}

function countsText({ bySeverity }: ProblemsOutput): string {
  const nouns = { error: 'error', warning: 'warning', information: 'remark', hint: 'hint' } as const;
  return bySeverity.map(({ severity, count }) => counted(count, nouns[severity])).join(', ');
}

function changeText({ added, fixedTotal }: ProblemsOutput): string {
  return [added === 0 ? '' : `${added} new`, fixedTotal === 0 ? '' : `${fixedTotal} fixed`]
    .filter((part) => part !== '')
    .join(', ');
}

/** A few words after the sentence. */
export function problemsDetail(output: ProblemsOutput): string {
  const change = changeText(output);
  const found = output.total > 0 ? countsText(output) : output.unknown === true ? 'not known' : 'no problems';
  return `${found}${change === '' ? '' : ` (${change})`}`;
}

export function problemsView({ cwd, items, total, files, cut }: ProblemsOutput): ToolView {
  return {
    kind: 'matches',
    pattern: '',
    matches: total,
    files,
    items: items.map((item) => ({
      path: resolvePath(item.path, cwd),
      line: item.line,
      text: `${diagnosticText(item)}${item.isNew === true ? ' · new' : ''}`,
    })),
    truncated: cut.length > 0,
  };
}
