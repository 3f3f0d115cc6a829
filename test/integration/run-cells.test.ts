// RunCells through a kernel of the test's own: outputs, failures, what is asked, an interrupt, and notebooks without a kernel.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { type ApprovalRequest } from '../../src/core/ports/approver';
import { notebookEditTool } from '../../src/core/tools/notebook/notebook-edit';
import { runCellsTool } from '../../src/core/tools/notebook/run-cells';
import { readTool } from '../../src/core/tools/read/read';
import { createSystemClock } from '../../src/node/system-clock';
import { createVscodeFileSystem } from '../../src/vscode/files/vscode-file-system';
import { createVscodeNotebooks } from '../../src/vscode/notebooks/vscode-notebooks';
import { codeCell, markdownCell, notebookText } from '../support/notebooks';
import { runCalls } from './run-calls';
import { disk, newFolder, put, show } from './workspace-file';

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const traceback = `Traceback\n${'  frame\n'.repeat(2_000)}last`;

/** `print x`, `fail x`, `image`, `wait`: each line of a cell. */
async function execute(
  cells: vscode.NotebookCell[],
  _notebook: vscode.NotebookDocument,
  controller: vscode.NotebookController,
): Promise<void> {
  for (const cell of cells) {
    const execution = controller.createNotebookCellExecution(cell);
    execution.executionOrder = ++order;
    execution.start(Date.now());
    await execution.clearOutput();
    let success = true;
    for (const line of cell.document.getText().split('\n')) {
      const [word = '', ...rest] = line.split(' ');
      if (word === 'print')
        await execution.appendOutput(
          new vscode.NotebookCellOutput([vscode.NotebookCellOutputItem.stdout(`${rest.join(' ')}\n`)]),
        );
      if (word === 'image')
        await execution.appendOutput(
          new vscode.NotebookCellOutput([new vscode.NotebookCellOutputItem(Buffer.from(png, 'base64'), 'image/png')]),
        );
      if (word === 'fail') {
        const error = Object.assign(new Error(rest.join(' ')), {
          stack: traceback,
        });
        await execution.appendOutput(new vscode.NotebookCellOutput([vscode.NotebookCellOutputItem.error(error)]));
        success = false;
      }
      if (word === 'wait') {
        waits = true;
        await new Promise<void>((resolve) => execution.token.onCancellationRequested(() => resolve()));
        success = false;
      }
    }
    execution.end(success, Date.now());
  }
}
let order = 0;
let waits = false;

describe('RunCells in VS Code', () => {
  const files = createVscodeFileSystem({ settings: () => ({ autosave: false }) });
  const notebooks = createVscodeNotebooks({ files, settings: () => ({ autosave: false }) });
  let folder: string;
  let controller: vscode.NotebookController | undefined;
  let asked: ApprovalRequest[];

  const kernel = (): void => {
    controller = vscode.notebooks.createNotebookController('deft-kernel', 'jupyter-notebook', 'Deft test');
    controller.supportedLanguages = ['python'];
    controller.supportsExecutionOrder = true;
    controller.executeHandler = execute;
  };
  beforeEach(() => {
    folder = newFolder('run-cells');
    asked = [];
    waits = false;
  });
  afterEach(async () => {
    controller?.dispose();
    controller = undefined;
    for (const notebook of vscode.workspace.notebookDocuments) if (notebook.isDirty) await notebook.save();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  function use(
    calls: readonly [tool: string, input: Record<string, unknown>][],
    onAsk: () => unknown = () => undefined,
  ): Promise<string[]> {
    return runCalls(folder, calls, {
      tools: [readTool, notebookEditTool, runCellsTool],
      ports: { files, notebooks, clock: createSystemClock() },
      answer: async (request) => {
        asked.push(request);
        await onAsk();
        return { behavior: 'allow' };
      },
    });
  }

  it('runs all code cells, shows their code first, and leaves nothing unsaved and the focus where it was', async () => {
    kernel();
    const notes = put(folder, 'notes.txt', 'mine\n');
    const file = put(
      folder,
      'n.ipynb',
      notebookText([codeCell('a', 'print one'), markdownCell('b', '# B'), codeCell('c', 'print two\nimage')]),
    );
    await show(notes);
    const [text = ''] = await use([['RunCells', { notebook_path: file }]]);
    assert.match(text, /^a ran:\none\nc ran:\ntwo/);
    assert.match(text, /<image>/);
    assert.deepEqual(
      asked.map(({ title }) => title),
      [`Run 2 cells of ${file}`],
    );
    assert.match(JSON.stringify(asked[0]?.view), /print one.*print two/);
    assert.equal(
      vscode.workspace.notebookDocuments.some(({ isDirty }) => isDirty),
      false,
    );
    assert.match(disk(file), /"one\\n"/);
  });

  it('stops at the first that fails, with a short traceback, and cells can be edited without reading again', async () => {
    kernel();
    const file = put(
      folder,
      'n.ipynb',
      notebookText([codeCell('a', 'print one'), codeCell('b', 'fail wrong number'), codeCell('c', 'print two')]),
    );
    const [, failed = '', edited = '', again = ''] = await use([
      ['Read', { file_path: file }],
      ['RunCells', { notebook_path: file }],
      ['NotebookEdit', { notebook_path: file, cell_id: 'b', new_source: 'print right' }],
      ['RunCells', { notebook_path: file, cell_ids: ['c', 'b'] }],
    ]);
    assert.match(failed, /^a ran:\none\nb failed:\n/);
    assert.match(failed, /characters truncated[^]*Not run: c\.$/);
    console.log(`RunCells: 1 call, ${failed.length} bytes; the outputs of the cells: ${traceback.length} bytes`);
    assert.ok(failed.length * 4 <= traceback.length, String(failed.length));
    assert.match(edited, /^Updated code cell b/);
    assert.match(again, /^b ran:\nright\nc ran:\ntwo$/);
  });

  it('does not run a cell that changes while it is looked at', async () => {
    kernel();
    const file = put(folder, 'n.ipynb', notebookText([codeCell('a', 'print one')]));
    const notebook = await vscode.workspace.openNotebookDocument(vscode.Uri.file(file));
    await vscode.window.showNotebookDocument(notebook);
    const [text = ''] = await use([['RunCells', { notebook_path: file }]], async () => {
      const edit = new vscode.WorkspaceEdit();
      edit.insert(notebook.cellAt(0).document.uri, new vscode.Position(0, 0), 'print evil\n');
      assert.ok(await vscode.workspace.applyEdit(edit));
    });
    assert.match(text, /^a was changed by somebody meanwhile, and did not run\.\n.*has unsaved changes in the editor/);
    assert.equal(notebook.cellAt(0).outputs.length, 0);
  });

  it('interrupts what takes too long', async () => {
    kernel();
    const file = put(folder, 'n.ipynb', notebookText([codeCell('a', 'wait'), codeCell('b', 'print two')]));
    const [text = ''] = await use([['RunCells', { notebook_path: file, timeout: 2 }]]);
    assert.ok(waits);
    assert.match(text, /^a was interrupted\.\nThe time was over\.\nNot run: b\./);
  });

  it('says that there is no kernel', async () => {
    const file = put(folder, 'n.ipynb', notebookText([codeCell('a', 'print one')]));
    await vscode.window.showNotebookDocument(await vscode.workspace.openNotebookDocument(vscode.Uri.file(file)));
    const outcome = await notebooks.run?.(
      { path: file, cells: [{ index: 0, source: 'print one' }], kernelMs: 2_000 },
      new AbortController().signal,
    );
    assert.deepEqual(outcome, { ends: ['no-kernel'], saved: true });
  });

  it('refuses cells that are not there, and text', async () => {
    const file = put(folder, 'n.ipynb', notebookText([codeCell('a', 'x'), markdownCell('b', '# B')]));
    const [gone = '', noCode = ''] = await use([
      ['RunCells', { notebook_path: file, cell_ids: ['z'] }],
      ['RunCells', { notebook_path: file, cell_ids: ['b'] }],
    ]);
    assert.match(gone, /has no cell "z"\. Its cells are a, b\./);
    assert.match(noCode, /Cell b of .* is markdown, not code/);
    assert.deepEqual(asked, []);
  });
});
