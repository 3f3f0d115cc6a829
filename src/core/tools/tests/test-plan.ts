// How the tests that a call wants are run: by the editor, or by a command of the project's runner. Found once for each call, so that what was asked is what runs.
import { dirname, join } from 'pathe';
import { type Path } from '../../ports/path';
import { isInsideAny } from '../../permissions/rules/workspace-path';
import { answerWithin, noAnswer } from '../../tool/answer-within';
import { fail } from '../../tool/file-failure';
import { oncePerCall } from '../../tool/once-per-call';
import { isFailure, type ToolContext, type ToolFailure } from '../../tool/tool';
import { words } from '../../text/words';
import { filePath } from '../files/file-path';
import { displayNames, findRunner, type Runner } from './find-runner';
import { lastRun } from './last-run';
import { givesCoverage, runnerCommand, type Wanted } from './runner-command';
import { type ReadPlace } from './readers/test-report';

export interface TestsInput {
  path?: string | undefined;
  name?: string | undefined;
  failed?: boolean | undefined;
  coverage?: boolean | undefined;
  timeout?: number | undefined;
}

export type TestPlan =
  /** `only`: parts of names that count. */
  | { way: 'editor'; places: Path[]; only: string[]; notes: string[] }
  | {
      way: 'command';
      runner: Runner;
      command: string;
      place: ReadPlace;
      isChosen: boolean;
      coverage: boolean;
      notes: string[];
    };

const maxSource = 2 * 1024 * 1024;
/** Milliseconds that the editor may take to say whether it has tests. */
const knowsMs = 5_000;

export const planOf = oncePerCall(makePlan);

async function makePlan(input: TestsInput, context: ToolContext): Promise<TestPlan | ToolFailure> {
  const target = input.failed === true ? failedTarget(context.session.id) : await placeTarget(input, context);
  if (isFailure(target)) return target;
  const hidden = [...target.files, ...(target.folder === undefined ? [] : [target.folder])].find((one) =>
    context.session.isHidden(one),
  );
  if (hidden !== undefined) return fail('hidden', `Permission rules hide ${hidden} from you. Tell the user.`);
  const wanted: Target = input.coverage === true ? { ...target, coverage: true } : target;
  // What ran, the editor does not tell.
  const byEditor = input.coverage === true ? undefined : await editorPlan(wanted, context);
  return byEditor ?? commandPlan(wanted, context);
}

/** What failed last. Files that could not be run at all have no names: then all of the files is run. */
function failedTarget(session: string): Target | ToolFailure {
  const last = lastRun(session);
  if (last === undefined) return fail('no-earlier-run', 'No tests have run in this session yet. Leave failed out.');
  if (last.failed.length === 0) return fail('nothing-failed', 'Nothing failed in the last run. Leave failed out.');
  const names = last.failed.map(({ ownName }) => ownName);
  return {
    files: [...new Set(last.failed.flatMap(({ path }) => path ?? []))],
    names: names.includes('') ? [] : names,
  };
}

async function placeTarget(
  { path: given, name }: TestsInput,
  { session, ports }: ToolContext,
): Promise<Target | ToolFailure> {
  const named = name === undefined ? {} : { name };
  if (given === undefined) return { files: [], names: [], ...named };
  const path = filePath(given, session.cwd);
  const type = (await ports.files.stat(path))?.type;
  if (type === undefined)
    return fail('not-found', words`${path} does not exist. Check the path{{Glob: ; Glob finds files by name}}.`);
  return type === 'directory'
    ? { files: [], names: [], folder: path, ...named }
    : { files: [path], names: [], ...named };
}

type Target = Omit<Wanted, 'declared'>;

async function editorPlan({ files, folder, name, names }: Target, context: ToolContext): Promise<TestPlan | undefined> {
  const { session, ports, signal } = context;
  const { tests } = ports;
  if (tests === undefined) return undefined;
  const places = files.length > 0 ? files : [folder ?? session.cwd];
  for (const place of places) {
    const known = await answerWithin(knowsMs, (within) => tests.knows(place, within), signal, ports.clock);
    if (known === noAnswer || !known) return undefined;
  }
  const only = [...(name === undefined ? [] : [name]), ...names];
  const notes =
    only.length === 0 ? [] : ['The editor runs whole files; what counts here are the tests that you named.'];
  return { way: 'editor', places, only, notes };
}

async function commandPlan(target: Target, { session, ports }: ToolContext): Promise<TestPlan | ToolFailure> {
  const { cwd, folders } = session;
  const start = target.files[0] ?? target.folder ?? cwd;
  const root =
    folders.find((folder) => isInsideAny(start, [folder], false)) ??
    (isInsideAny(start, [cwd], false) ? cwd : undefined);
  if (root === undefined)
    return fail('outside', words`${start} is outside the workspace.{{Bash:  Run its tests with Bash.}}`);
  const runner = await findRunner(start, root, ports.files);
  if (runner === undefined)
    return fail(
      'no-runner',
      words`No test runner is set up for ${start}: from there up to ${root}, nothing names node:test, mocha, jest, vitest, pytest, Go or Cargo. Name a file or folder of the tests.{{Bash:  Run other runners with Bash.}}`,
    );
  const missing = await notInstalled(runner, ports.files);
  if (missing !== undefined) return fail('not-installed', missing);
  const declared = runner.name === 'go' ? await declaredTests(target.files, ports.files) : [];
  const { folder, ...others } = target;
  const isBelow = folder !== undefined && folder !== runner.folder && folder.startsWith(`${runner.folder}/`);
  const wanted: Wanted = { ...others, declared, ...(isBelow ? { folder } : {}) };
  return {
    way: 'command',
    runner,
    command: runnerCommand(runner, wanted, cwd),
    place: { folder: runner.name === 'node' && isBelow ? folder : runner.folder, root },
    isChosen: wanted.name !== undefined || wanted.names.length > 0,
    coverage: wanted.coverage === true && givesCoverage.has(runner.name),
    notes: notesOf(runner, wanted),
  };
}

function notesOf({ name, script, others }: Runner, { files, coverage }: Wanted): string[] {
  const before = script?.before ?? [];
  return [
    ...(coverage === true && !givesCoverage.has(name)
      ? [
          `Deft reads the coverage of node:test, jest, vitest, pytest (with pytest-cov) and go test, not that of ${displayNames[name]}.`,
        ]
      : []),
    ...(before.length === 0
      ? []
      : [`The project's test script runs ${before.map((one) => `\`${one}\``).join(', ')} first; that was left out.`]),
    ...(others.length === 0 || files.length > 0
      ? []
      : [`The same folder sets up ${others.map((name) => displayNames[name]).join(', ')} too: name a file for these.`]),
  ];
}

/** What npx would fetch is not run. */
async function notInstalled(
  { name, script, folder }: Runner,
  files: ToolContext['ports']['files'],
): Promise<ReturnType<typeof words> | undefined> {
  if (!['jest', 'vitest', 'mocha'].includes(name) || script?.program !== undefined) return undefined;
  for (let place = folder; ; place = dirname(place)) {
    if ((await files.stat(join(place, 'node_modules/.bin', name))) !== undefined) return undefined;
    if ((await files.stat(join(place, '.pnp.cjs'))) !== undefined) return undefined;
    if (dirname(place) === place) break;
  }
  return words`${name} is not installed in ${folder}.{{Bash:  Install the project's packages first.}}`;
}

async function declaredTests(paths: readonly Path[], files: ToolContext['ports']['files']): Promise<string[]> {
  const read = await Promise.all(paths.map((path) => files.readBytes(path, maxSource)));
  return read.flatMap((one) =>
    one.outcome === 'read'
      ? [...new TextDecoder().decode(one.bytes).matchAll(/^func (Test\w*)\(/gm)].map(([, name = '']) => name)
      : [],
  );
}
