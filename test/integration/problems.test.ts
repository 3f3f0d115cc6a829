// Problems with VS Code's own TypeScript server and a linter of the test's own: files that no editor shows, and what is new.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { editTool } from '../../src/core/tools/edit/edit';
import { problemsTool } from '../../src/core/tools/problems/problems';
import { readTool } from '../../src/core/tools/read/read';
import { createSystemClock } from '../../src/node/system-clock';
import { createDiagnostics, type VscodeDiagnostics } from '../../src/vscode/diagnostics/vscode-diagnostics';
import { createVscodeFileSystem } from '../../src/vscode/files/vscode-file-system';
import { runCalls } from './run-calls';
import { closeAll, newFolder, put } from './workspace-file';

const wrong = "export const count: number = 'one';\n";

describe('Problems in VS Code', () => {
  const files = createVscodeFileSystem({ settings: () => ({ autosave: true }) });
  let folder: string;
  let linter: vscode.DiagnosticCollection;
  let diagnostics: VscodeDiagnostics;

  beforeEach(() => {
    folder = newFolder('problems');
    put(folder, 'tsconfig.json', '{ "compilerOptions": { "strict": true, "types": [] } }\n');
    linter = vscode.languages.createDiagnosticCollection('deft-lint');
    diagnostics = createDiagnostics({ delay: () => 1_000 });
  });
  afterEach(async () => {
    linter.dispose();
    diagnostics.dispose();
    await closeAll();
  });

  const lint = (file: string, message: string): void => {
    const found = new vscode.Diagnostic(new vscode.Range(0, 0, 0, 1), message, vscode.DiagnosticSeverity.Warning);
    found.source = 'lint';
    linter.set(vscode.Uri.file(file), [found]);
  };

  function use(calls: readonly [tool: string, input: Record<string, unknown>][]): Promise<string[]> {
    const own = diagnostics.of('session-1');
    return runCalls(folder, calls, {
      tools: [readTool, editTool, problemsTool],
      ports: { files, diagnostics: own, problems: own, clock: createSystemClock() },
    });
  }

  it('of a file and of a folder that no editor shows', async () => {
    put(folder, 'sub/a.ts', wrong);
    put(folder, 'sub/b.ts', 'export const fine = 1;\n');
    const [file = '', all = ''] = await use([
      ['Problems', { paths: ['sub/a.ts'] }],
      ['Problems', { paths: ['sub'] }],
    ]);
    const line = "sub/a.ts\n  1:14 error: Type 'string' is not assignable to type 'number'. (ts 2322)";
    assert.equal(file, `1 error in 1 file.\n${line}`);
    assert.equal(all, `1 error in 1 file.\n${line}`);
    assert.equal(vscode.window.visibleTextEditors.length, 0);
  });

  it('what an edit brings is new, what it mends is fixed, and the rest is old', async () => {
    const file = put(folder, 'a.ts', `${wrong}export const other: string = 1;\n`);
    lint(file, 'Too short.');
    const [, , , text = ''] = await use([
      ['Problems', { paths: ['a.ts'] }],
      ['Read', { file_path: file }],
      [
        'Edit',
        {
          file_path: file,
          old_string: "count: number = 'one'",
          new_string: 'count: number = 1;\nexport const third: number = true',
        },
      ],
      ['Problems', { paths: ['a.ts'] }],
    ]);
    assert.match(
      text,
      /^2 errors, 1 warning in 1 file; 1 new, 1 fixed\.\na\.ts\n {2}1:1 warning: Too short\. \(lint\)\n/,
    );
    assert.match(text, /2:14 error: Type 'boolean' is not assignable to type 'number'\. \(ts 2322\) \[new\]\n/);
    assert.match(text, /3:14 error: Type 'number' is not assignable to type 'string'\. \(ts 2322\)\n/);
    assert.match(text, /Fixed:\n {2}a\.ts:1:14 error: Type 'string' is not assignable to type 'number'\./);
  });

  it('of everything, with what a linter reports, by source', async () => {
    lint(put(folder, 'notes.deftlang', 'x\n'), 'Too short.');
    const [text = ''] = await use([['Problems', { source: 'lint' }]]);
    assert.match(text, /^1 warning in 1 file\.\nnotes\.deftlang\n {2}1:1 warning: Too short\. \(lint\)/);
  });

  it('says of what nothing has reported', async () => {
    put(folder, 'plain.deftlang', 'x\n');
    const [text = ''] = await use([['Problems', { paths: ['plain.deftlang'] }]]);
    assert.match(
      text,
      /^No problems are reported in plain\.deftlang\.\nNote: Nothing has reported on .*plain\.deftlang: /,
    );
  });
});
