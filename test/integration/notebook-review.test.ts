// Cells that Deft changed without asking: marked in the open notebook, kept and undone; and problems of cells.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { type CellChange, type Notebooks } from '../../src/core/ports/notebooks';
import { parseNotebook } from '../../src/core/tools/read/notebook';
import { createDiagnostics } from '../../src/vscode/diagnostics/vscode-diagnostics';
import { createVscodeFileSystem } from '../../src/vscode/files/vscode-file-system';
import { createVscodeNotebooks } from '../../src/vscode/notebooks/vscode-notebooks';
import { type ChangeReview, createChangeReview } from '../../src/vscode/review/change-review';
import { registerReviewFiles, type ReviewFiles } from '../../src/vscode/review/review-files';
import { codeCell, markdownCell, notebookText, stream } from '../support/notebooks';
import { closeAll, disk, newFolder, put, until } from './workspace-file';

const log = { debug() {}, info() {}, warn() {}, error() {} };
const files = createVscodeFileSystem({ settings: () => ({ autosave: false }) });
const cells = [codeCell('a', 'one\ntwo\nthree', [stream('out\n')]), markdownCell('b', '# B')];

describe('changed cells in VS Code', function () {
  this.timeout(60_000);
  let folder: string;
  let storage: string;
  let reviewFiles: ReviewFiles;
  let changes: ChangeReview;
  let notebooks: Notebooks;
  let serial = 0;

  const start = (): void => {
    changes = createChangeReview({ storage, files: reviewFiles, log });
    notebooks = createVscodeNotebooks({ files, settings: () => ({ autosave: false }), watch: changes.watchCells });
  };
  before(() => {
    folder = newFolder('notebook-review');
    storage = mkdtempSync(path.join(tmpdir(), 'deft-cells-'));
    reviewFiles = registerReviewFiles({ original: 'deft-cells-original', proposed: 'deft-cells-proposed' });
    start();
    reviewFiles.ready();
  });
  after(() => {
    changes.dispose();
    reviewFiles.dispose();
    rmSync(storage, { recursive: true, force: true });
  });
  afterEach(async () => {
    changes.keep();
    for (const notebook of vscode.workspace.notebookDocuments) if (notebook.isDirty) await notebook.save();
    await closeAll();
  });

  const open = async (): Promise<{ file: string; notebook: vscode.NotebookDocument }> => {
    const file = put(folder, `n${++serial}.ipynb`, notebookText(cells));
    const notebook = await vscode.workspace.openNotebookDocument(vscode.Uri.file(file));
    await vscode.window.showNotebookDocument(notebook, { preview: false });
    return { file, notebook };
  };
  const write = async (file: string, change: CellChange, approved = false): Promise<void> => {
    const read = (await notebooks.unsaved(file)) ?? (await files.readText(file, 1_000_000));
    assert.ok(read.outcome === 'read');
    const outcome = await notebooks.write({ path: file, base: read.file, change, approved });
    assert.equal(outcome?.outcome, 'written', JSON.stringify(outcome));
  };
  const shown = (notebook: vscode.NotebookDocument): string[] =>
    notebook.getCells().map(({ document }) => document.getText());
  const sources = (file: string): string[] => (parseNotebook(disk(file))?.cells ?? []).map(({ source }) => source);
  const lenses = async (notebook: vscode.NotebookDocument, index: number): Promise<vscode.CodeLens[]> => {
    const { uri } = notebook.cellAt(index).document;
    // VS Code asks no provider for a cell that it has not drawn as an editor: Markdown at rest is none.
    await until('the cell is an editor', () =>
      vscode.window.visibleTextEditors.some(({ document }) => document.uri.toString() === uri.toString()),
    );
    const found = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri);
    return found.filter(({ command }) => command?.command.startsWith('deft.'));
  };
  /** Presses a lens, as a click does, with the commands of the review under test. */
  const press = async (lens: vscode.CodeLens | undefined): Promise<void> => {
    const { command = assert.fail('no lens') } = lens ?? {};
    await (changes.commands[command.command] as (...args: unknown[]) => unknown)(...(command.arguments ?? []));
  };

  /** As if the user pressed this button in each dialog: "name: lines that it shows". */
  const answering = async (button: string | undefined, use: () => Promise<void>): Promise<string[]> => {
    const window = vscode.window as { showWarningMessage: unknown };
    const { showWarningMessage } = window;
    const asked: string[] = [];
    window.showWarningMessage = async (message: string, { detail }: vscode.MessageOptions) => {
      asked.push(`${message.split(' ')[0]}: ${detail?.split('\n').join('|')}`);
      return button;
    };
    try {
      await use();
    } finally {
      window.showWarningMessage = showWarningMessage;
    }
    return asked;
  };

  it('have a row above each change, in an editor that can be coloured', async () => {
    const { file, notebook } = await open();
    await write(file, { kind: 'replace', index: 0, source: 'ONE\ntwo\nTHREE' });
    const rows = await lenses(notebook, 0);
    assert.deepEqual(
      rows.map(({ range, command }) => [range.start.line, command?.title]),
      [0, 2].flatMap((line) => [
        [line, '$(check) Keep'],
        [line, '$(discard) Undo'],
        [line, '1 removed'],
      ]),
    );
    assert.deepEqual(changes.changes(), [{ path: file, added: 2, removed: 2 }]);
  });

  it('are kept and undone one by one, and what the user typed stays', async () => {
    const { file, notebook } = await open();
    await write(file, { kind: 'replace', index: 0, source: 'ONE\ntwo\nTHREE' });
    await press((await lenses(notebook, 0))[0]);
    assert.deepEqual(changes.changes(), [{ path: file, added: 1, removed: 1 }]);
    const typed = new vscode.WorkspaceEdit();
    typed.insert(notebook.cellAt(0).document.uri, new vscode.Position(1, 0), 'my ');
    assert.ok(await vscode.workspace.applyEdit(typed));
    await press((await lenses(notebook, 0))[1]);
    assert.deepEqual(shown(notebook), ['ONE\nmy two\nthree', '# B']);
    assert.deepEqual([changes.changes(), await lenses(notebook, 0)], [[], []]);
    assert.equal(notebook.isDirty, true, 'what is typed is not saved along');
  });

  it('are undone without what the user wrote into them, or with it, as they say', async () => {
    const typeInto = async (notebook: vscode.NotebookDocument, index: number, at: [number, number], text: string) => {
      const typed = new vscode.WorkspaceEdit();
      typed.insert(notebook.cellAt(index).document.uri, new vscode.Position(...at), text);
      assert.ok(await vscode.workspace.applyEdit(typed));
    };
    const changed = async () => {
      const { file, notebook } = await open();
      await write(file, { kind: 'replace', index: 0, source: 'ONE\ntwo\nTHREE' });
      await write(file, { kind: 'insert', index: 2, source: 'new', cellType: 'code', id: 'new' });
      await typeInto(notebook, 0, [0, 3], ' mine');
      return { file, notebook };
    };

    let { file, notebook } = await changed();
    const asked = await answering('Keep These Lines', async () => press((await lenses(notebook, 0))[1]));
    assert.deepEqual(asked, [`${path.basename(file)}: ONE mine`]);
    assert.deepEqual(shown(notebook), ['one\nONE mine\ntwo\nTHREE', '# B', 'new']);

    ({ file, notebook } = await changed());
    assert.equal((await answering(undefined, async () => press((await lenses(notebook, 0))[1]))).length, 1);
    assert.deepEqual(shown(notebook), ['ONE mine\ntwo\nTHREE', '# B', 'new'], 'nothing without an answer');
    await answering('Undo Them Too', async () => press((await lenses(notebook, 0))[1]));
    assert.deepEqual(shown(notebook), ['one\ntwo\nTHREE', '# B', 'new']);

    ({ file, notebook } = await changed());
    await typeInto(notebook, 2, [0, 3], '\nmy line');
    const whole = await answering('Keep These Lines', async () => void (await changes.undo(file)));
    assert.deepEqual(whole, [`${path.basename(file)}: ONE mine`]);
    assert.deepEqual(shown(notebook), ['one\nONE mine\ntwo\nthree', '# B', 'my line']);
    assert.deepEqual(
      changes.changes().filter((one) => one.path === file),
      [],
    );

    ({ file, notebook } = await changed());
    await typeInto(notebook, 2, [0, 3], '\nmy line');
    const dropped = await answering(undefined, async () => void (await changes.undo(file)));
    assert.equal(dropped.length, 1);
    assert.deepEqual(shown(notebook), ['ONE mine\ntwo\nTHREE', '# B', 'new\nmy line']);
    await answering('Undo Them Too', async () => void (await changes.undo(file)));
    assert.deepEqual(
      shown(notebook),
      ['one\ntwo\nthree', '# B', 'my line'],
      'what is beside the change is no part of it',
    );
  });

  it('go back as a whole: sources, new cells, removed cells and cells of another type, with their outputs', async () => {
    const { file, notebook } = await open();
    await write(file, { kind: 'replace', index: 1, source: '# C' });
    await write(file, { kind: 'insert', index: 1, source: 'new', cellType: 'code', id: 'new' });
    await write(file, { kind: 'replace', index: 0, source: 'text', cellType: 'markdown' });
    assert.deepEqual(shown(notebook), ['text', 'new', '# C']);
    assert.equal(changes.changes().length, 1);
    assert.deepEqual(await changes.undo(file), [{ outcome: 'undone' }]);
    assert.deepEqual(shown(notebook), ['one\ntwo\nthree', '# B']);
    assert.equal(notebook.cellAt(0).outputs.length, 1);
    assert.deepEqual([changes.changes(), sources(file), notebook.isDirty], [[], ['one\ntwo\nthree', '# B'], false]);

    await write(file, { kind: 'replace', index: 0, source: 'changed' });
    await write(file, { kind: 'delete', index: 0 });
    assert.deepEqual(changes.changes(), [{ path: file, added: 0, removed: 3 }]);
    assert.deepEqual(await changes.undo(), [{ outcome: 'undone' }]);
    assert.deepEqual(shown(notebook), ['one\ntwo\nthree', '# B']);
    assert.equal(notebook.cellAt(0).outputs.length, 1);
  });

  it('that Deft made and removed itself leave nothing to undo', async () => {
    const { file, notebook } = await open();
    await write(file, { kind: 'insert', index: 0, source: 'new', cellType: 'code', id: 'new' });
    await press((await lenses(notebook, 0))[1]);
    assert.deepEqual([shown(notebook), changes.changes(), notebook.isDirty], [['one\ntwo\nthree', '# B'], [], false]);
    await write(file, { kind: 'insert', index: 0, source: 'new', cellType: 'code', id: 'new' });
    await write(file, { kind: 'delete', index: 0 });
    assert.deepEqual(changes.changes(), []);
  });

  it('that a user accepted are not marked, and kept ones no longer', async () => {
    const { file, notebook } = await open();
    await write(file, { kind: 'replace', index: 0, source: 'x' }, true);
    assert.deepEqual([changes.changes(), await lenses(notebook, 0)], [[], []]);
    await write(file, { kind: 'replace', index: 0, source: 'y' });
    changes.keep(file);
    assert.deepEqual([changes.changes(), await lenses(notebook, 0), shown(notebook)[0]], [[], [], 'y']);
  });

  /** By a command, since VS Code keeps what an extension opened in memory for minutes. */
  const reopen = async (file: string): Promise<vscode.NotebookDocument> => {
    await vscode.commands.executeCommand('vscode.openWith', vscode.Uri.file(file), 'jupyter-notebook');
    const found = (): vscode.NotebookDocument | undefined =>
      vscode.workspace.notebookDocuments.find(({ uri }) => uri.fsPath === file);
    await until('the notebook is open', () => found() !== undefined);
    return found() ?? assert.fail();
  };
  const close = async (file: string): Promise<void> => {
    await closeAll();
    await until('the notebook is closed', () =>
      vscode.workspace.notebookDocuments.every(({ uri }) => uri.fsPath !== file),
    );
  };
  const three = [codeCell('a', 'one\ntwo', [stream('out\n')]), codeCell('b', 'b'), codeCell('c', 'c')];
  const titles = (rows: vscode.CodeLens[]) => rows.map(({ command }) => command?.title);

  it('keep their marks while the notebook is closed, and find their cells again', async () => {
    const file = put(folder, 'closed.ipynb', notebookText(three));
    await reopen(file);
    await write(file, { kind: 'replace', index: 0, source: 'ONE\ntwo' });
    await write(file, { kind: 'delete', index: 1 });
    await close(file);
    assert.deepEqual(changes.changes(), [{ path: file, added: 1, removed: 2 }]);
    const moved = parseNotebook(disk(file))?.cells.map(({ source }) => source);
    assert.deepEqual(moved, ['ONE\ntwo', 'c']);
    put(
      folder,
      'closed.ipynb',
      notebookText([codeCell('new', 'new'), codeCell('a', 'ONE\ntwo\nmine', [stream('out\n')]), codeCell('c', 'c')]),
    );
    const notebook = await reopen(file);
    assert.deepEqual(
      (await lenses(notebook, 1)).slice(-3).map(({ range, command }) => [range.start.line, command?.title]),
      [
        [0, '$(check) Keep'],
        [0, '$(discard) Undo'],
        [0, '1 removed'],
      ],
    );
    assert.deepEqual(await changes.undo(file), [{ outcome: 'undone' }]);
    assert.deepEqual([...shown(notebook)].sort(), ['b', 'c', 'new', 'one\ntwo\nmine']);
    assert.deepEqual(changes.changes(), []);
  });

  it('are forgotten where they were never saved', async () => {
    for (const ids of [true, false]) {
      const sourcesBefore = ids ? three : three.map(({ id: _id, ...cell }) => cell);
      const file = put(folder, `unsaved-${ids}.ipynb`, notebookText(sourcesBefore, ids ? {} : { nbformat_minor: 4 }));
      const notebook = await reopen(file);
      const typed = new vscode.WorkspaceEdit();
      typed.insert(notebook.cellAt(2).document.uri, new vscode.Position(0, 0), 'my ');
      assert.ok(await vscode.workspace.applyEdit(typed));
      await write(file, { kind: 'replace', index: 0, source: 'ONE\ntwo' });
      await write(file, { kind: 'delete', index: 1 });
      assert.deepEqual([notebook.isDirty, changes.changes()], [true, [{ path: file, added: 1, removed: 2 }]]);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      await close(file);
      const again = await reopen(file);
      assert.deepEqual([shown(again), changes.changes()], [['one\ntwo', 'b', 'c'], []]);
      await close(file);
    }
  });

  it('are undone in a notebook that is closed', async () => {
    const file = put(folder, 'undone-closed.ipynb', notebookText(three));
    await reopen(file);
    await write(file, { kind: 'replace', index: 2, source: 'C' });
    await write(file, { kind: 'delete', index: 0 });
    await close(file);
    assert.deepEqual(await changes.undo(file), [{ outcome: 'undone' }]);
    assert.deepEqual([sources(file), changes.changes()], [['one\ntwo', 'b', 'c'], []]);
  });

  it('survive a reload, with removed cells and their outputs', async () => {
    const file = put(folder, 'reloaded.ipynb', notebookText(three));
    const notebook = await reopen(file);
    await write(file, { kind: 'replace', index: 1, source: 'B' });
    await write(file, { kind: 'delete', index: 0 });
    const before = changes.changes();
    await changes.flush();
    changes.dispose();
    start();
    await changes.restored;
    assert.deepEqual([changes.changes(), before], [before, [{ path: file, added: 1, removed: 3 }]]);
    assert.deepEqual(titles(await lenses(notebook, 0)).slice(-2), ['$(discard) Undo', '1 removed']);
    assert.deepEqual(await changes.undo(file), [{ outcome: 'undone' }]);
    assert.deepEqual([shown(notebook), notebook.cellAt(0).outputs.length], [['one\ntwo', 'b', 'c'], 1]);
  });

  it('that are gone have a row on the cell beside, and come back one by one', async () => {
    const file = put(folder, 'removed.ipynb', notebookText(three));
    const notebook = await reopen(file);
    await write(file, { kind: 'delete', index: 0 });
    await write(file, { kind: 'delete', index: 0 });
    const rows = await lenses(notebook, 0);
    assert.deepEqual(titles(rows), [
      '$(trash) Deft removed a cell above (2 lines)',
      '$(check) Keep',
      '$(discard) Undo',
      '$(trash) Deft removed a cell above (1 line)',
      '$(check) Keep',
      '$(discard) Undo',
    ]);
    await press(rows[2]);
    assert.deepEqual(
      [shown(notebook), sources(file), notebook.cellAt(0).outputs.length],
      [['one\ntwo', 'c'], ['one\ntwo', 'c'], 1],
    );
    const [still, keep] = await lenses(notebook, 1);
    assert.equal(still?.command?.title, '$(trash) Deft removed a cell above (1 line)');
    await press(still);
    await until('the removed cell is shown', () => vscode.window.activeTextEditor?.document.getText() === 'b');
    await press(keep);
    assert.deepEqual(changes.changes(), []);
  });

  it('tell their problems by cell', async () => {
    const { file, notebook } = await open();
    const server = vscode.languages.createDiagnosticCollection('deft-test-cells');
    const diagnostics = createDiagnostics({ delay: () => 60_000 });
    try {
      const before = diagnostics.current([file]);
      const diagnosed = new Promise<void>((resolve) => {
        const listener = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
          if (!uris.some(({ scheme }) => scheme === 'vscode-notebook-cell')) return;
          listener.dispose();
          resolve();
        });
      });
      server.set(notebook.cellAt(0).document.uri, [
        new vscode.Diagnostic(new vscode.Range(1, 0, 1, 3), 'wrong', vscode.DiagnosticSeverity.Error),
      ]);
      await diagnosed;
      const found = await diagnostics.newSince(before, [file], new AbortController().signal);
      assert.deepEqual(found, [{ path: file, cell: 'a', line: 2, column: 1, severity: 'error', message: 'wrong' }]);
    } finally {
      diagnostics.dispose();
      server.dispose();
    }
  });
});
