// Which commands of the settings a call of Problems runs. Found once for each call, so that what was asked is what runs.
import { type CheckCommand } from '../../ports/checks';
import { type Path } from '../../ports/path';
import { globFilter } from '../../search/glob-pattern';
import { shellWord } from '../../text/shell-quoted';
import { words } from '../../text/words';
import { fail } from '../../tool/file-failure';
import { oncePerCall } from '../../tool/once-per-call';
import { type ToolContext, type ToolFailure } from '../../tool/tool';
import { filePath } from '../files/file-path';
import { shownPath } from '../grep/glob-root';

export interface PlannedCheck {
  /** As it runs, and as rules see it. */
  line: string;
  /** In which it runs: relative paths of its report begin there. */
  folder: Path;
  /** What its problems are called by, where its report does not say so. */
  source: string;
  timeoutMs: number;
}

export interface CheckPlan {
  /** Files and folders that are asked about; none: everything. */
  places: Path[];
  checks: PlannedCheck[];
  notes: string[];
}

export interface CheckInput {
  paths?: string[] | undefined;
}

const defaultSeconds = 300;

export const planOf = oncePerCall(makePlan);

async function makePlan({ paths = [] }: CheckInput, { session, ports }: ToolContext): Promise<CheckPlan | ToolFailure> {
  const { cwd, folders } = session;
  const folder = folders[0] ?? cwd;
  const places = paths.map((path) => filePath(path, cwd));
  const files: Path[] = [];
  for (const place of places) {
    const type = (await ports.files.stat(place))?.type;
    if (type === undefined)
      return fail('not-found', words`${place} does not exist. Check the path{{Glob: ; Glob finds files by name}}.`);
    if (session.isHidden(place)) return fail('hidden', `Permission rules hide ${place} from you. Tell the user.`);
    if (type === 'file') files.push(place);
  }
  const all = ports.checks?.commands() ?? [];
  const covers = ({ files: globs }: CheckCommand, path: Path): boolean => globFilter(globs)(shownPath(path, folder));
  // What is in a folder, only the command itself finds out.
  const onlyFiles = places.length > 0 && files.length === places.length;
  const wanted = onlyFiles ? all.filter((check) => files.some((path) => covers(check, path))) : all;
  if (wanted.length === 0)
    return fail(
      'no-check',
      words`No command of the setting problemCommands is about ${places.join(', ')}, so nothing is known of problems there.{{Bash:  Check it with Bash.}}`,
    );
  const uncovered = files.filter((path) => !wanted.some((check) => covers(check, path)));
  return {
    places,
    checks: wanted.map((check) => ({
      line: lineIn(folder, cwd, check.command),
      folder,
      source: check.source ?? sourceIn(check.command),
      timeoutMs: (check.timeout ?? defaultSeconds) * 1_000,
    })),
    notes:
      uncovered.length === 0
        ? []
        : [`No configured command is about ${uncovered.map((path) => shownPath(path, cwd)).join(', ')}.`],
  };
}

function lineIn(folder: Path, cwd: Path, command: string): string {
  if (folder === cwd) return command;
  return `cd ${shellWord(folder)} && ${/[;&|\n]/.test(command) ? `(${command})` : command}`;
}

const programs =
  /(?<![\w-])(tsc|vue-tsc|eslint|stylelint|biome|oxlint|ruff|mypy|flake8|pylint|pyright|golangci-lint|go|cargo|clippy|gcc|clang|shellcheck|javac|rubocop)(?![\w-])/;

/** As its language server calls itself, so that the same `source` fits both. */
function sourceIn(command: string): string {
  const [, program = 'check'] = programs.exec(command) ?? [];
  if (program === 'tsc' || program === 'vue-tsc') return 'ts';
  return program === 'cargo' ? 'rustc' : program;
}
