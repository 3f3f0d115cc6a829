// Tests by a test controller of another extension: what it has, what failed, and where it has none the runner's own.
import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { type Log } from '../../src/core/ports/log';
import { testsTool } from '../../src/core/tools/tests/tests';
import { createNodeTerminal } from '../../src/node/terminal/node-terminal';
import { createSystemClock } from '../../src/node/system-clock';
import { createVscodeFileSystem } from '../../src/vscode/files/vscode-file-system';
import { createEditorTests } from '../../src/vscode/tests/editor-tests';
import { runCalls } from './run-calls';
import { closeAll, newFolder, put } from './workspace-file';

describe('Tests in VS Code', () => {
  const files = createVscodeFileSystem({ settings: () => ({ autosave: true }) });
  const silent: Log = { debug() {}, info() {}, warn() {}, error() {} };
  const terminal = createNodeTerminal({
    log: silent,
    environment: process.env,
    root: mkdtempSync(path.join(tmpdir(), 'deft-test-')),
  });
  let folder: string;
  let controller: vscode.TestController;
  const runs: string[] = [];

  beforeEach(() => {
    folder = newFolder('tests');
    runs.length = 0;
    controller = vscode.tests.createTestController('deft-other', 'Other tests');
    controller.createRunProfile('Run', vscode.TestRunProfileKind.Run, (request) => run(request), true);
  });
  after(() => terminal.dispose());
  afterEach(async () => {
    controller.dispose();
    await closeAll();
  });

  function run(request: vscode.TestRunRequest): void {
    const made = controller.createTestRun(request);
    const visit = (item: vscode.TestItem): void => {
      item.children.forEach(visit);
      if (item.children.size > 0) return;
      runs.push(item.label);
      made.started(item);
      if (item.label.includes('fails')) {
        const message = vscode.TestMessage.diff('It is not the same.', '3', '4');
        message.location = new vscode.Location(item.uri!, new vscode.Position(6, 2));
        made.failed(item, message, 12);
      } else if (item.label.includes('says')) made.failed(item, new vscode.TestMessage('It says why.'), 1);
      else if (item.label.includes('skips')) made.skipped(item);
      else made.passed(item, 5);
    };
    if (request.include === undefined) controller.items.forEach(visit);
    else request.include.forEach(visit);
    made.end();
  }

  /** VS Code hears of new tests a moment later. */
  async function add(file: string, labels: readonly string[]): Promise<void> {
    const uri = vscode.Uri.file(put(folder, file, 'x\n'.repeat(20)));
    const suite = controller.createTestItem(file, `suite of ${file}`, uri);
    suite.range = new vscode.Range(0, 0, 19, 0);
    labels.forEach((label, index) => {
      const item = controller.createTestItem(`${file}-${label}`, label, uri);
      item.range = new vscode.Range(index + 1, 0, index + 1, 5);
      suite.children.add(item);
    });
    controller.items.add(suite);
    for (let known: unknown = []; !Array.isArray(known) || known.length === 0; await sleep(20))
      known = await vscode.commands.executeCommand('vscode.testing.getTestsInFile', uri);
  }

  const use = (inputs: readonly Record<string, unknown>[]): Promise<string[]> =>
    runCalls(
      folder,
      inputs.map((input) => ['Tests', input] as const),
      {
        tools: [testsTool],
        ports: { files, terminal, tests: createEditorTests(), clock: createSystemClock() },
        answer: () => ({ behavior: 'allow' }),
      },
    );

  it('of a file: counts, and each failure with its line and values', async () => {
    await add('a.test.js', ['passes', 'fails', 'says', 'skips']);
    const [text = ''] = await use([{ path: 'a.test.js' }]);
    assert.match(text, /^2 failed, 1 passed, 1 skipped in \d+ ms \(VS Code\)\.\na\.test\.js\n/);
    assert.match(text, /^ {2}7 suite of a\.test\.js > fails: .*expected 3, actual 4$/m);
    assert.match(text, /^ {2}4 suite of a\.test\.js > says: It says why\.$/m);
    assert.deepEqual(runs, ['passes', 'fails', 'says', 'skips']);
  });

  it('of a folder, by name, and those that failed last', async () => {
    await add('sub/a.test.js', ['passes', 'fails']);
    await add('b.test.js', ['passes too']);
    const [below = '', name = '', all = '', failed = ''] = await use([
      { path: 'sub' },
      { path: 'sub', name: 'passes' },
      {},
      { failed: true },
    ]);
    assert.match(below, /^1 failed, 1 passed in /);
    assert.match(name, /^0 failed, 1 passed in [^]*Note: The editor runs whole files/);
    assert.match(all, /^1 failed, 2 passed in /);
    assert.match(failed, /^1 failed, 0 passed in /);
  });

  it('a file that no controller knows is run by its runner', async () => {
    await add('a.test.js', ['passes']);
    put(
      folder,
      'own.test.mjs',
      "import { it } from 'node:test';\nit('is fine', () => {});\nit('is not', () => { throw new Error('no'); });\n",
    );
    const [text = ''] = await use([{ path: 'own.test.mjs' }]);
    assert.match(text, /^1 failed, 1 passed in .* \(node:test\)\.\nown\.test\.mjs\n {2}3 is not: no$/);
    assert.deepEqual(runs, []);
  });
});
