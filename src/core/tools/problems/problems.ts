// Problems: what language servers and linters say of the code now, and what has come and gone since the last look.
import { z } from 'zod/v3';
import { answerWithin, noAnswer } from '../../tool/answer-within';
import { buildTool, promptOf } from '../../tool/build-tool';
import { fail } from '../../tool/file-failure';
import { type ToolContext, type ToolFailure, type ToolResult, type ValidationResult } from '../../tool/tool';
import { words } from '../../text/words';
import { checkFilePath, filePath } from '../files/file-path';
import { counted } from '../../../shared/counted';
import {
  type Asked,
  judgeProblems,
  problemsDetail,
  problemsOutput,
  type ProblemsOutput,
  problemsOutputSchema,
  problemsText,
  problemsView,
  severities,
} from './problems-output';
import prompt from './problems.md';

const inputSchema = z.strictObject({
  paths: z.array(z.string()).max(50).optional().describe('Files or folders (default: everything)'),
  severity: z.enum(severities).optional().describe('The least severity that is shown (default warning)'),
  source: z.string().optional().describe('Only what this source reports: ts, eslint …'),
  fixes: z.boolean().optional().describe('Name the quick fixes of what is shown, with their ids'),
});
type Input = z.infer<typeof inputSchema>;

/** Milliseconds: a folder of TypeScript is looked through file by file. */
const timeoutMs = 15_000;

export const problemsTool = buildTool<Input, ProblemsOutput>({
  name: 'Problems',
  seldom: 'what language servers and linters report now',
  bulky: true,
  searchText: 'problems diagnostics errors warnings lint type check quick fix code action',
  prompt: promptOf(prompt),
  inputSchema,
  outputSchema: problemsOutputSchema,
  access: 'ReadOnly',
  isEnabled: (availability) => availability.has('problems'),
  isReadOnly: () => true,
  isConcurrencySafe: true,
  targets: ({ paths }, cwd) =>
    placesOf(paths, cwd, [cwd]).map((path) => ({ kind: 'file', access: 'read', path }) as const),
  describe: ({ paths }) => {
    const where = paths === undefined || paths.length === 0 ? '' : ` of ${subject(paths)}`;
    return { now: `Looking at the problems${where}`, past: `Looked at the problems${where}` };
  },
  validateInput: async ({ paths = [] }, { session }) =>
    paths.map((path): ValidationResult => checkFilePath(path, session, 'paths')).find((checked) => !checked.ok) ?? {
      ok: true,
    },
  call,
  content: problemsText,
  view: problemsView,
  detail: problemsDetail,
});

function subject(paths: readonly string[]): string {
  const [only = ''] = paths;
  return paths.length === 1 ? only : counted(paths.length, 'path');
}

function placesOf(paths: readonly string[] | undefined, cwd: string, all: readonly string[]): readonly string[] {
  return paths === undefined || paths.length === 0 ? all : paths.map((path) => filePath(path, cwd));
}

async function call(input: Input, context: ToolContext): Promise<ToolResult<ProblemsOutput> | ToolFailure> {
  const { session, ports, signal } = context;
  const { problems, refactorings } = ports;
  if (problems === undefined)
    return fail(
      'no-editor',
      words`This needs the editor, and this host has none.{{Bash:  Run the project's checks with Bash.}}`,
    );
  const places = placesOf(input.paths, session.cwd, []);
  for (const place of places)
    if ((await ports.files.stat(place)) === undefined)
      return fail('not-found', words`${place} does not exist. Check the path{{Glob: ; Glob finds files by name}}.`);
  const survey = await answerWithin(timeoutMs, (within) => problems.survey(places, within), signal, ports.clock);
  if (survey === noAnswer)
    return fail(
      'timeout',
      `The language servers did not answer within ${timeoutMs / 1_000} seconds. They may still be starting: ask once more later, or about fewer files.`,
    );
  const asked: Asked = { places, least: input.severity ?? 'warning', source: input.source, cwd: session.cwd };
  const judged = judgeProblems(survey, asked, (path) => session.isHidden(path));
  const named = input.fixes === true ? await fixesOf(judged.shown, refactorings, context) : { fixes: [], notes: [] };
  return { data: problemsOutput(judged, named.fixes, [...survey.notes, ...named.notes], asked) };
}

type Named = Awaited<ReturnType<NonNullable<ToolContext['ports']['refactorings']>['fixes']>>;

async function fixesOf(
  shown: Parameters<NonNullable<ToolContext['ports']['refactorings']>['fixes']>[0],
  refactorings: ToolContext['ports']['refactorings'],
  { signal, ports }: ToolContext,
): Promise<Named> {
  if (refactorings === undefined) return { fixes: [], notes: ['Quick fixes are known only in the editor.'] };
  const found = await answerWithin(timeoutMs, (within) => refactorings.fixes(shown, within), signal, ports.clock);
  return found === noAnswer ? { fixes: [], notes: ['The quick fixes did not come in time.'] } : found;
}
