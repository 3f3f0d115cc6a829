// Runs the commands of a call of Problems as Bash runs commands, and reads what each of them reports.
import { resolve } from 'pathe';
import { headOf, tailOf } from '../../../shared/cut-text';
import { terminalText } from '../../../shared/terminal-text';
import { type Diagnostic } from '../../ports/diagnostics';
import { type Path } from '../../ports/path';
import { type CommandResult } from '../../ports/terminal';
import { isFailure, type ToolContext, type ToolFailure } from '../../tool/tool';
import { runInPlace } from '../bash/bash-sandbox';
import { wholeOutput } from '../bash/whole-output';
import { counted } from '../../../shared/counted';
import { type PlannedCheck } from './check-plan';
import { type FoundProblem } from './found-problem';
import { readProblemJson } from './read-problem-json';
import { readProblemLines, type ReadLines } from './read-problem-lines';

export interface CheckRun {
  problems: Diagnostic[];
  /** It has looked at everything, and all that it reports could be read. */
  isWhole: boolean;
  /** Sentences: what is not known, and why. */
  notes: string[];
}

/** What the result reads in one piece; longer output is read from its file. */
const shownCharacters = 200_000;
const maxTail = 600;
const maxSaid = 200;

export async function runCheck(
  { line, folder, source, timeoutMs }: PlannedCheck,
  id: string,
  context: ToolContext,
): Promise<CheckRun | ToolFailure> {
  const placed = await runInPlace(
    { id, command: line, cwd: context.session.cwd, timeoutMs, shownCharacters, background: false, onTimeout: 'kill' },
    false,
    context,
    (progress) => context.onProgress({ kind: 'command', progress }),
  );
  if (isFailure(placed)) return placed;
  const { result, refusals } = placed;
  const text = terminalText(await wholeOutput(result, context));
  const json = readProblemJson(text);
  const read: ReadLines = json === undefined ? readProblemLines(text) : { problems: json, placeless: [], rest: [] };
  const { problems, missing } = await existing(read.problems, { folder, source }, context);
  const doubts = doubtsOf(result, timeoutMs, { ...read, text, isFound: problems.length > 0 });
  const said =
    missing > 0
      ? [`${counted(missing, 'line')} that look like problems name no file here and were left out.`]
      : doubts.length === 0 && problems.length === 0
        ? saidOf(read.rest)
        : [];
  return {
    problems,
    isWhole: doubts.length === 0,
    notes: [...doubts, ...said, ...refusals, ...result.notes].map((note) => `\`${line}\`: ${note}`),
  };
}

/** A line that only looks like a problem names no file. */
async function existing(
  found: readonly FoundProblem[],
  { folder, source }: Pick<PlannedCheck, 'folder' | 'source'>,
  { ports }: ToolContext,
): Promise<{ problems: Diagnostic[]; missing: number }> {
  const all = found.map((problem) => ({
    ...problem,
    source: problem.source ?? source,
    path: resolve(folder, problem.path),
  }));
  const there = new Map<Path, boolean>();
  for (const { path } of all) if (!there.has(path)) there.set(path, (await ports.files.stat(path))?.type === 'file');
  const problems = all.filter(({ path }) => there.get(path) === true);
  return { problems, missing: all.length - problems.length };
}

interface Facts extends ReadLines {
  text: string;
  isFound: boolean;
}

/** Why it is not known what there is besides what was read. */
function doubtsOf(result: CommandResult, timeoutMs: number, facts: Facts): string[] {
  const { end } = result;
  const tail =
    facts.text.trim() === '' ? 'It printed nothing.' : `Its last output:\n${tailOf(facts.text.trim(), maxTail)}`;
  const doubts: string[] = [];
  if (end.state === 'killed' && end.by === 'timeout')
    doubts.push(`it did not end within ${Math.round(timeoutMs / 1_000)} seconds and was killed. ${tail}`);
  else if (end.state === 'not-started' || end.state === 'lost') doubts.push(end.message);
  else if (end.state !== 'exited') doubts.push('it did not run to its end.');
  else if (end.code !== 0 && !facts.isFound)
    doubts.push(
      `it ended with exit code ${end.code}, and nothing that it printed reads as a problem: it is not known whether there are any. ${tail}`,
    );
  if (facts.placeless.length > 0) doubts.push(`it says: ${headOf(facts.placeless.join(' '), maxTail)}`);
  if (result.cut === true || result.incomplete) doubts.push('a part of its output is missing.');
  return doubts;
}

/** It found nothing, and says something: perhaps in a form that Deft does not read. */
function saidOf(rest: readonly string[]): string[] {
  const last = rest.at(-1);
  return last === undefined ? [] : [`it ended with exit code 0 and printed: ${headOf(last, maxSaid)}`];
}
