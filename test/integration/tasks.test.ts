// RunTask by VS Code's own tasks: tasks.json and npm scripts, problem matchers, dependencies, and what is asked.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { type ApprovalRequest } from '../../src/core/ports/approver';
import { type EditorTasks } from '../../src/core/ports/editor-tasks';
import { runTaskTool } from '../../src/core/tools/run-task/run-task';
import { createSystemClock } from '../../src/node/system-clock';
import { createDiagnostics, type VscodeDiagnostics } from '../../src/vscode/diagnostics/vscode-diagnostics';
import { createVscodeFileSystem } from '../../src/vscode/files/vscode-file-system';
import { createEditorTasks } from '../../src/vscode/tasks/editor-tasks';
import { runCalls } from './run-calls';
import { put, until } from './workspace-file';

const matcher = {
  owner: 'deft-test',
  source: 'checker',
  fileLocation: 'absolute',
  pattern: { regexp: '^(.*):(\\d+): (error|warning) (.*)$', file: 1, line: 2, severity: 3, message: 4 },
};

/** Of 300 files, three of which have a fault at one line each. */
function buildOutput(faulty: string): string {
  const line = (file: number): string =>
    file % 100 === 50
      ? `${faulty}:${Math.ceil(file / 100)}: error fault ${file}`
      : `compiled src/part-${file}.ts in ${file} ms`;
  return `${Array.from({ length: 300 }, (_, file) => line(file)).join('\n')}\n`;
}

describe('RunTask in VS Code', () => {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  const files = createVscodeFileSystem({ settings: () => ({ autosave: true }) });
  const tasks = vscode.workspace.getConfiguration('tasks');
  let diagnostics: VscodeDiagnostics;
  let asked: ApprovalRequest[];
  let editorTasks: EditorTasks;

  before(async () => {
    diagnostics = createDiagnostics({ delay: () => 100 });
    editorTasks = createEditorTasks(diagnostics);
    const bad = put(root, 'deft-tasks/bad.txt', 'one\ntwo\nthree\n');
    const found = put(root, 'deft-tasks/output.txt', `${bad}:2: error it is bad\n`);
    const built = put(root, 'deft-tasks/build.txt', buildOutput(bad));
    const mark = path.join(root, 'deft-tasks/mark');
    const shell = (label: string, command: string, more: object = {}) => ({ label, type: 'shell', command, ...more });
    await tasks.update('version', '2.0.0', vscode.ConfigurationTarget.Workspace);
    await tasks.update(
      'tasks',
      [
        shell('deft check', `cat '${found}'; sleep 1; exit 3`, { problemMatcher: matcher }),
        shell('deft build', `cat '${built}'; exit 2`, { problemMatcher: matcher }),
        shell('deft mark', `echo before >> '${mark}'`),
        shell('deft after', `echo after >> '${mark}'`, { dependsOn: 'deft mark' }),
        shell('deft input', 'echo ${input:which}'),
        shell('deft serve', 'sleep 300', { isBackground: true }),
        shell('deft silent', 'exit 4', { problemMatcher: [] }),
      ],
      vscode.ConfigurationTarget.Workspace,
    );
    await until('the tasks are listed', async () =>
      (await editorTasks.list()).some(({ name }) => name === 'deft silent'),
    );
  });
  after(async () => {
    await tasks.update('tasks', undefined, vscode.ConfigurationTarget.Workspace);
    await tasks.update('version', undefined, vscode.ConfigurationTarget.Workspace);
    diagnostics.dispose();
    for (const terminal of vscode.window.terminals) terminal.dispose();
  });

  const use = (inputs: readonly Record<string, unknown>[], behavior: 'allow' | 'deny' = 'allow'): Promise<string[]> => {
    asked = [];
    return runCalls(
      root,
      inputs.map((input) => ['RunTask', input]),
      {
        tools: [runTaskTool],
        ports: { files, diagnostics, editorTasks, clock: createSystemClock() },
        answer: (request) => {
          asked.push(request);
          return behavior === 'allow' ? { behavior } : { behavior, interrupt: false };
        },
      },
    );
  };

  it('lists them unasked, with their commands', async () => {
    const [text = ''] = await use([{}]);
    assert.match(text, /^deft check: cat '.*exit 3$/m);
    assert.match(text, /^deft serve \(background\): sleep 300$/m);
    assert.deepEqual(asked, []);
  });

  it('runs one, and returns its exit code and what its matcher finds, as often as it runs', async () => {
    const texts = await use([{ task: 'deft check' }, { task: 'deft check' }]);
    for (const text of texts)
      assert.match(
        text,
        /^The task "deft check" ended with exit code 3\. 1 problem since it began:\ndeft-tasks\/bad\.txt:2 error it is bad \(checker\)(?:\n\d+ problems? w\w+ reported before and still \w+, [^\n]*)?$/,
      );
    assert.equal(asked.length, 2);
    assert.equal(asked[0]?.view?.kind === 'terminal' && asked[0].view.command.includes('output.txt'), true);
  });

  it('says that nobody knows what a task without a problem has printed', async () => {
    const [text = ''] = await use([{ task: 'deft silent' }]);
    assert.match(
      text,
      /exit code 4\. No problem was reported since it began\.\n(?:\d+ problems? w\w+ reported before [^\n]*\n)?What it printed stands in its terminal/,
    );
  });

  it('returns what the matcher finds in a twentieth of the bytes that the command prints', async () => {
    const [text = ''] = await use([{ task: 'deft build' }]);
    const printed = readFileSync(path.join(root, 'deft-tasks/build.txt'), 'utf8').length;
    assert.equal(text.match(/fault \d/g)?.length, 3, text);
    console.log(`RunTask: 1 call, ${text.length} bytes; the output of the command: ${printed} bytes`);
    assert.ok(text.length * 20 <= printed, `${text.length} of ${printed}`);
  });

  it('shows what runs before it, and runs both', async () => {
    const [text = ''] = await use([{ task: 'deft after' }]);
    assert.match(text, /"deft after" ended with exit code 0/);
    assert.match(JSON.stringify(asked[0]?.view), /deft mark: echo before/);
    assert.equal(readFileSync(path.join(root, 'deft-tasks/mark'), 'utf8'), 'before\nafter\n');
  });

  it('starts nothing that is refused, and nothing that VS Code would ask about', async () => {
    const before = vscode.tasks.taskExecutions.length;
    const [input = ''] = await use([{ task: 'deft input' }]);
    assert.match(input, /"deft input" was not started: VS Code computes `\$\{input:which\}`/);
    await use([{ task: 'deft mark' }], 'deny');
    assert.equal(vscode.tasks.taskExecutions.length, before);
    assert.equal(readFileSync(path.join(root, 'deft-tasks/mark'), 'utf8'), 'before\nafter\n');
  });

  it('leaves one in the background running, and ends it when told to', async function () {
    this.timeout(60_000);
    const [started = '', ended = '', again = ''] = await use([
      { task: 'deft serve' },
      { task: 'deft serve', stop: true },
      { task: 'deft serve', stop: true },
    ]);
    assert.match(started, /^The task "deft serve" runs in the background\./);
    assert.equal(ended, 'The task "deft serve" was ended.');
    assert.match(again, /No task "deft serve" that you started runs/);
    await until('the task ends', () => vscode.tasks.taskExecutions.every(({ task }) => task.name !== 'deft serve'));
  });
});
