// Entry of the tests that run inside VS Code's extension host: code-server and @vscode/test-electron both call `run()`.
import { appendFileSync, readFileSync } from 'node:fs';
import { format } from 'node:util';
import Mocha from 'mocha';
import * as vscode from 'vscode';
import { suites } from 'virtual:integration-tests';
import { REQUEST_VARIABLE, type RunRecord, type RunRequest } from '../rig/in-host-records';
import { beginSuite, watchLeaks } from './leaks';
import { until } from './workspace-file';

const TEST_MILLISECONDS = 60_000;

/** Rejects when a test failed. What happens is appended to the request's file as it happens, one JSON record a line. */
export async function run(): Promise<void> {
  const requestFile = process.env[REQUEST_VARIABLE];
  if (!requestFile) throw new Error(`${REQUEST_VARIABLE} is not set: start these tests with "npm run integration".`);
  const request = JSON.parse(readFileSync(requestFile, 'utf8')) as RunRequest;
  const extension = vscode.extensions.getExtension('deft-agent.deft');
  if (extension === undefined) throw new Error('Deft is not among the extensions.');
  watchLeaks(extension.extensionPath);
  await foldersThere();
  const record = (entry: RunRecord): void => appendFileSync(request.records, `${JSON.stringify(entry)}\n`);
  const own = globalThis.console;
  // Tests say with console.log why they skip or what they measured; the extension itself never uses it. VS Code lets nobody set its methods.
  const log = (...values: unknown[]): void => record({ type: 'log', text: format(...values) });
  globalThis.console = Object.create(own, { log: { value: log } }) as Console;
  try {
    const failures = await runMocha(request, record);
    if (failures > 0) throw new Error(`${failures} failed`);
  } catch (error) {
    record({ type: 'crash', error: describeError(error) });
    throw error;
  } finally {
    globalThis.console = own;
    record({ type: 'end' });
  }
}

/**
 * On a busy machine VS Code now and then reads the workspace file before its connection stands, takes it for empty, and looks no more until it
 * changes. The folders that come then may start this host anew, and the tests with it.
 */
async function foldersThere(): Promise<void> {
  const { workspaceFile } = vscode.workspace;
  const some = (): boolean => (vscode.workspace.workspaceFolders ?? []).length > 0;
  if (workspaceFile === undefined || some()) return;
  appendFileSync(workspaceFile.fsPath, '\n');
  await until('the window has the folders of its workspace file', some);
}

async function runMocha(request: RunRequest, record: (entry: RunRecord) => void): Promise<number> {
  // A loaded machine lets a window miss a moment: a second try is allowed, and named.
  const mocha = new Mocha({ ui: 'bdd', timeout: TEST_MILLISECONDS, reporter: SilentReporter, retries: 1 });
  if (request.grep) mocha.grep(new RegExp(request.grep));
  const files = Object.entries(suites[request.suite] ?? {}).filter(([file]) => new RegExp(request.filter).test(file));
  for (const [file, load] of files) {
    // This is what mocha does for a file it loads itself: it puts `describe` and `it` in place.
    mocha.suite.emit('pre-require', globalThis, file, mocha);
    const loaded: unknown = await load();
    mocha.suite.emit('require', loaded, file, mocha);
    mocha.suite.emit('post-require', globalThis, file, mocha);
  }
  for (const suite of mocha.suite.suites) {
    let leaks: ReturnType<typeof beginSuite> | undefined;
    suite.beforeAll('count what is there', () => void (leaks = beginSuite()));
    suite.afterEach('count what is there', () => leaks?.afterTest());
    suite.afterAll('leaves nothing behind', () => leaks?.end());
  }
  return new Promise((resolve) => {
    const runner = mocha.run(resolve);
    runner.on('test', (test) => record({ type: 'start', title: test.fullTitle() }));
    runner.on('pass', (test) => record({ type: 'pass', title: test.fullTitle(), milliseconds: test.duration ?? 0 }));
    runner.on('fail', (test, error: unknown) =>
      record({ type: 'fail', title: test.fullTitle(), error: describeError(error) }),
    );
    runner.on('retry', (test: Mocha.Test, error: unknown) =>
      record({ type: 'log', text: `Needs a second try: ${test.fullTitle()}\n${describeError(error)}` }),
    );
    runner.on('pending', (test) => record({ type: 'skip', title: test.fullTitle() }));
  });
}

/** The records are the report. */
class SilentReporter extends Mocha.reporters.Base {}

function describeError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
