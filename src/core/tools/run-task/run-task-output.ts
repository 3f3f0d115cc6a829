// What RunTask found, as the text that the model reads and as what the chat shows.
import { z } from 'zod/v3';
import { headOf } from '../../../shared/cut-text';
import { type ToolView } from '../../../shared/tool-view';
import { type Diagnostic } from '../../ports/diagnostics';
import { type EditorTask, type TaskRun } from '../../ports/editor-tasks';
import { said, words } from '../../text/words';
import { type ToolSession } from '../../tool/tool';
import { counted } from '../../../shared/counted';
import { shownPath } from '../grep/glob-root';
import { placesSchema, reportView } from '../../tool/report-view';

export const runTaskOutputSchema = z.object({
  /** A few words: "exit code 1, 2 problems". */
  state: z.string(),
  lines: z.array(z.string()),
  places: placesSchema.optional(),
});
export type RunTaskOutput = z.infer<typeof runTaskOutputSchema>;

const maxListed = 100;
const maxProblems = 30;
const maxText = 300;

export function listOutput(tasks: readonly EditorTask[]): RunTaskOutput {
  const lines = tasks.slice(0, maxListed).map(({ name, group, command, background }) => {
    const notes = [group, background ? 'background' : undefined].filter((note) => note !== undefined).join(', ');
    return `${name}${notes === '' ? '' : ` (${notes})`}${command === undefined ? '' : `: ${headOf(command, maxText)}`}`;
  });
  const more = tasks.length > maxListed ? [`[${counted(tasks.length - maxListed, 'more task')}, not shown]`] : [];
  return {
    state: counted(tasks.length, 'task'),
    lines:
      tasks.length === 0
        ? ['There are no tasks here: no tasks.json, and no extension provides one.']
        : [...lines, ...more],
  };
}

export function endedOutput(
  task: EditorTask,
  { end, problems, unchanged }: TaskRun,
  { cwd, isHidden, offers }: Pick<ToolSession, 'cwd' | 'isHidden' | 'offers'>,
): RunTaskOutput {
  const seen = problems.filter(({ path }) => !isHidden(path));
  const found = seen.length === 0 ? 'no problems' : counted(seen.length, 'problem');
  const head = endWords(task, end);
  const shown = seen.slice(0, maxProblems);
  const more = seen.length > maxProblems ? [`[${counted(seen.length - maxProblems, 'more problem')}, not shown]`] : [];
  const failed = end.state === 'ended' && end.code !== 0;
  const silent = failed && seen.length === 0;
  return {
    state: `${head.short}, ${found}`,
    lines: [
      `${head.long} ${seen.length === 0 ? 'No problem was reported since it began.' : `${counted(seen.length, 'problem')} since it began:`}`,
      ...shown.map((problem) => problemLine(problem, cwd)),
      ...more,
      ...(unchanged > 0 ? [unchangedText(unchanged, offers)] : []),
      ...(silent ? [silentText(task, offers)] : []),
    ],
    places: shown.map(({ path, line }) => ({ shown: shownPlace({ path, line }, cwd), path, line })),
  };
}

function endWords(task: EditorTask, end: TaskRun['end']): { short: string; long: string } {
  if (end.state === 'running')
    return {
      short: 'running',
      long: task.background
        ? `The task "${task.name}" runs in the background. The editor does not tell when it is ready.`
        : `The task "${task.name}" still runs: the time was over. \`stop\` ends it.`,
    };
  return end.code === undefined
    ? { short: 'ended', long: `The task "${task.name}" ended; its exit code is not known.` }
    : { short: `exit code ${end.code}`, long: `The task "${task.name}" ended with exit code ${end.code}.` };
}

function silentText({ command }: EditorTask, offers: ToolSession['offers']): string {
  const own = command === undefined ? '' : `: ${headOf(command, maxText)}`;
  return said(
    words`What it printed stands in its terminal only.{{Bash:  Run its command with Bash to read it${own}}}`,
    offers,
  );
}

function unchangedText(count: number, offers: ToolSession['offers']): string {
  const what = count === 1 ? '1 problem was' : `${count} problems were`;
  return said(
    words`${what} reported before and still ${count === 1 ? 'is' : 'are'}, perhaps by this task too{{Problems: ; Problems lists them}}.`,
    offers,
  );
}

function shownPlace({ path, line }: Pick<Diagnostic, 'path' | 'line'>, cwd: string): string {
  return `${shownPath(path, cwd)}:${line}`;
}

function problemLine({ path, line, severity, message, source, code }: Diagnostic, cwd: string): string {
  const by = [source, code].filter((part) => part !== undefined).join(' ');
  const text = headOf(message.replace(/\s*\n\s*/g, ' '), maxText);
  return `${shownPlace({ path, line }, cwd)} ${severity} ${text}${by === '' ? '' : ` (${by})`}`;
}

export function runTaskText({ lines }: RunTaskOutput): string {
  return lines.join('\n');
}

export function runTaskView({ lines, places }: RunTaskOutput): ToolView {
  return reportView('task', lines.join('\n'), places);
}
