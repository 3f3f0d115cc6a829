// Tests of other extensions' controllers, run by commands of VS Code's Testing view. None of them is a contract: what they do not answer is said.
import * as vscode from 'vscode';
import { type Path } from '../../core/ports/path';
import { type EditorTest, type EditorTestRun, type EditorTests } from '../../core/ports/tests';
import { isObject } from '../../shared/plain-object';
import { pathOf, uriOf } from '../host/uri-path';
import { failureDetails, type FailureDetail } from './failure-details';

/** Files that may hold tests, by their names. */
const testFiles = '**/*{test,Test,spec,Spec}*.*';
/** In which tests are looked for below a folder. */
const maxAsked = 200;

export function createEditorTests(): EditorTests {
  return {
    async knows(place, signal) {
      if (!(await hasControllers())) return false;
      const uri = uriOf(place);
      const { type } = await vscode.workspace.fs.stat(uri);
      if ((type & vscode.FileType.Directory) === 0) return hasTests(uri);
      const pattern = new vscode.RelativePattern(uri, testFiles);
      for (const file of await vscode.workspace.findFiles(pattern, '**/node_modules/**', maxAsked)) {
        signal.throwIfAborted();
        if (await hasTests(file)) return true;
      }
      return false;
    },
    run,
  };
}

async function hasControllers(): Promise<boolean> {
  try {
    const found: unknown = await vscode.commands.executeCommand('vscode.testing.getControllersWithTests');
    return Array.isArray(found) && found.length > 0;
  } catch {
    return false;
  }
}

async function hasTests(file: vscode.Uri): Promise<boolean> {
  try {
    const found: unknown = await vscode.commands.executeCommand('vscode.testing.getTestsInFile', file);
    return Array.isArray(found) && found.length > 0;
  } catch {
    return false;
  }
}

async function run(place: Path, signal: AbortSignal): Promise<EditorTestRun> {
  // It ends every run of the window: there is no way to name one before it has ended.
  const stop = (): void => void vscode.commands.executeCommand('testing.cancelRun');
  signal.addEventListener('abort', stop, { once: true });
  let answer: unknown;
  try {
    answer = await vscode.commands.executeCommand('testing.run.uri', uriOf(place));
  } finally {
    signal.removeEventListener('abort', stop);
  }
  signal.throwIfAborted();
  const tests = testsOf(answer);
  if (tests === undefined)
    return { tests: [], notes: ['VS Code did not say what it ran: look at its Test Results view.'] };
  if (!tests.some(({ state }) => state === 'failed'))
    return { tests: tests.map((test) => withDetail(test, [])), notes: [] };
  const details = await detailsNow();
  const notes =
    details === undefined ? ['VS Code did not give the messages of the failures: look at its Test Results view.'] : [];
  return { tests: tests.map((test) => withDetail(test, details ?? [])), notes };
}

/** The messages are told by a tool of VS Code's own, which opens no dialog. */
async function detailsNow(): Promise<FailureDetail[] | undefined> {
  if (!vscode.lm.tools.some(({ name }) => name === 'testFailure')) return undefined;
  try {
    const { content } = await vscode.lm.invokeTool('testFailure', { input: {}, toolInvocationToken: undefined });
    const text = content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('\n');
    return failureDetails(text);
  } catch {
    return undefined;
  }
}

/** The tool names a test by its own id or its label, and the file: two that are alike in that get the same. */
function withDetail({ id, ...test }: NamedTest, details: readonly FailureDetail[]): EditorTest {
  if (test.state !== 'failed') return test;
  const own = [id, test.names.at(-1)];
  const named = details.filter(({ name }) => own.includes(name));
  const found = named.find(({ path }) => path !== undefined && test.path?.endsWith(path)) ?? named[0];
  if (found === undefined) return test;
  const { message, expected, actual, at } = found;
  const path = at !== undefined && test.path?.endsWith(at.path) === true ? test.path : at && placed(at.path);
  return {
    ...test,
    ...(message === undefined ? {} : { message }),
    ...(expected === undefined ? {} : { expected }),
    ...(actual === undefined ? {} : { actual }),
    ...(at === undefined || path === undefined ? {} : { failedAt: { path, line: at.line } }),
  };
}

/** Relative ones start at the first folder of the workspace. */
function placed(path: string): Path {
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) return pathOf(vscode.Uri.file(path));
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  return folder === undefined ? path : pathOf(vscode.Uri.joinPath(folder, path));
}

interface NamedTest extends EditorTest {
  id: string;
}

interface Item {
  id: string;
  label: string;
  path?: Path;
  line?: number;
  state: number;
  durationMs?: number;
}

const states: Readonly<Record<number, EditorTest['state']>> = { 3: 'passed', 4: 'failed', 5: 'skipped', 6: 'failed' };

/** Those at the ends of the tree, and what failed above them by itself. */
function testsOf(answer: unknown): NamedTest[] | undefined {
  if (!isObject(answer) || !Array.isArray(answer['items'])) return undefined;
  const items = answer['items'].flatMap((one: unknown) => itemOf(one) ?? []);
  const labels = new Map(items.map(({ id, label }) => [id, label]));
  const parents = new Set(
    items.flatMap(({ id }) => id.split('\0').map((_part, at, all) => all.slice(0, at).join('\0'))),
  );
  return items.flatMap(({ id, path, line, state, durationMs }) => {
    const known = states[state] ?? 'not-run';
    if (parents.has(id) && known !== 'failed') return [];
    const parts = id.split('\0');
    // The first is the controller.
    const names = parts.slice(1).map((part, at) => labels.get(parts.slice(0, at + 2).join('\0')) ?? part);
    return [
      {
        id: parts.at(-1) ?? '',
        names,
        state: known,
        ...(path === undefined ? {} : { path }),
        ...(line === undefined ? {} : { line }),
        ...(durationMs === undefined ? {} : { durationMs }),
      },
    ];
  });
}

function itemOf(given: unknown): Item | undefined {
  if (!isObject(given) || !isObject(given['item'])) return undefined;
  const { item, ownComputedState, tasks } = given;
  const { extId, label, uri, range } = item;
  if (typeof extId !== 'string' || typeof ownComputedState !== 'number') return undefined;
  const [task] = Array.isArray(tasks) ? tasks.filter(isObject) : [];
  const file =
    isObject(uri) && typeof uri['scheme'] === 'string' && typeof uri['path'] === 'string'
      ? vscode.Uri.from({ scheme: uri['scheme'], path: uri['path'], ...authorityOf(uri) })
      : undefined;
  return {
    id: extId,
    label: typeof label === 'string' ? label : extId,
    state: ownComputedState,
    ...(file === undefined ? {} : { path: pathOf(file) }),
    ...(isObject(range) && typeof range['startLineNumber'] === 'number' ? { line: range['startLineNumber'] } : {}),
    ...(typeof task?.['duration'] === 'number' ? { durationMs: task['duration'] } : {}),
  };
}

function authorityOf({ authority }: Readonly<Record<string, unknown>>): { authority?: string } {
  return typeof authority === 'string' ? { authority } : {};
}
