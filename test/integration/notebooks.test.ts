// Notebooks that are open in VS Code: read as they are there, changed there, with undo; and the approval of a cell.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { type CellChange, type Notebooks } from '../../src/core/ports/notebooks';
import { type TextFile, type WriteOutcome } from '../../src/core/ports/files';
import { notebookEditTool } from '../../src/core/tools/notebook/notebook-edit';
import { parseNotebook } from '../../src/core/tools/read/notebook';
import { readTool } from '../../src/core/tools/read/read';
import { isFailure } from '../../src/core/tool/tool';
import { createVscodeFileSystem } from '../../src/vscode/files/vscode-file-system';
import { createVscodeNotebooks } from '../../src/vscode/notebooks/vscode-notebooks';
import { createProposalReview } from '../../src/vscode/review/proposal-review';
import { registerReviewFiles } from '../../src/vscode/review/review-files';
import { toolContext, createWorkspace } from '../support/file-tool-runs';
import { codeCell, markdownCell, notebookText, stream } from '../support/notebooks';
import { disk, newFolder, put, until } from './workspace-file';

const files = createVscodeFileSystem({ settings: () => ({ autosave: false }) });
const notebooks = createVscodeNotebooks({ files, settings: () => ({ autosave: false }) });
const saving = createVscodeNotebooks({ files, settings: () => ({ autosave: true }) });
const cells = [codeCell('a', 'x = 1\ny', [stream('out\n')]), markdownCell('b', '# B')];

describe('notebooks in VS Code', function () {
  this.timeout(60_000);
  let folder: string;
  let serial = 0;

  before(() => {
    folder = newFolder('notebooks');
  });
  afterEach(async () => {
    for (const notebook of vscode.workspace.notebookDocuments) if (notebook.isDirty) await notebook.save();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  const open = async (text = notebookText(cells)): Promise<{ file: string; notebook: vscode.NotebookDocument }> => {
    const file = put(folder, `n${++serial}.ipynb`, text);
    const notebook = await vscode.workspace.openNotebookDocument(vscode.Uri.file(file));
    await vscode.window.showNotebookDocument(notebook, { preview: false });
    return { file, notebook };
  };
  const typeInto = async (notebook: vscode.NotebookDocument, index: number, text: string): Promise<void> => {
    const edit = new vscode.WorkspaceEdit();
    edit.insert(notebook.cellAt(index).document.uri, new vscode.Position(0, 0), text);
    assert.ok(await vscode.workspace.applyEdit(edit));
    await until('it is unsaved', () => notebook.isDirty);
  };
  const base = async (file: string): Promise<TextFile> => {
    const read = (await notebooks.unsaved(file)) ?? (await files.readText(file, 1_000_000));
    return read.outcome === 'read' ? read.file : assert.fail(read.message);
  };
  const change = async (
    file: string,
    cell: CellChange,
    through: Notebooks = notebooks,
  ): Promise<WriteOutcome | undefined> =>
    through.write({ path: file, base: await base(file), change: cell, approved: true });
  const sources = (text: string): [string, string, string][] =>
    (parseNotebook(text)?.cells ?? assert.fail(text)).map(({ id, type, source }) => [id, type, source]);
  const shown = (notebook: vscode.NotebookDocument): string[] =>
    notebook.getCells().map(({ document }) => document.getText());

  /** VS Code's own notebook extension adds a step where it completes the metadata of a new cell. */
  const undoTo = async (notebook: vscode.NotebookDocument, expected: string[]): Promise<void> => {
    for (let step = 0; step < 3; step++) {
      await vscode.commands.executeCommand('undo');
      if (JSON.stringify(shown(notebook)) === JSON.stringify(expected)) return;
    }
    assert.deepEqual(shown(notebook), expected);
  };

  it('has nothing to say of a notebook that is closed or saved', async () => {
    const closed = put(folder, 'closed.ipynb', notebookText(cells));
    assert.equal(await notebooks.unsaved(closed), undefined);
    assert.equal(await change(closed, { kind: 'delete', index: 0 }), undefined);
    const { file } = await open();
    assert.equal(await notebooks.unsaved(file), undefined);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    assert.equal(
      await change(file, { kind: 'delete', index: 0 }),
      undefined,
      'VS Code may keep it in memory for a while',
    );
  });

  it('reads what is typed and not saved, outputs included', async () => {
    const { file, notebook } = await open();
    await typeInto(notebook, 1, 'typed ');
    const { text, unsaved } = await base(file);
    assert.ok(unsaved);
    assert.deepEqual(sources(text), [
      ['a', 'code', 'x = 1\ny'],
      ['b', 'markdown', 'typed # B'],
    ]);
    assert.match(text, /"out\\n"/);
    assert.equal((await base(file)).hash, (await base(file)).hash, 'the same again');
    assert.equal(disk(file), notebookText(cells));
    const context = toolContext(createWorkspace());
    const result = await readTool.call(
      { file_path: file },
      { ...context, ports: { ...context.ports, files, notebooks } },
    );
    assert.ok(!isFailure(result));
    assert.match(JSON.stringify(result.data), /typed # B.*unsaved changes/);
  });

  it('replaces a source, keeps outputs, saves, and can be undone', async () => {
    const { file, notebook } = await open();
    const outcome = await change(file, { kind: 'replace', index: 0, source: 'x = 2\ny' });
    assert.ok(outcome?.outcome === 'written', JSON.stringify(outcome));
    assert.deepEqual([outcome.notes, outcome.file.unsaved, outcome.file.text], [[], false, disk(file)]);
    assert.deepEqual(sources(disk(file)), [
      ['a', 'code', 'x = 2\ny'],
      ['b', 'markdown', '# B'],
    ]);
    assert.match(disk(file), /"out\\n"/);
    assert.deepEqual([shown(notebook)[0], notebook.cellAt(0).outputs.length, notebook.isDirty], ['x = 2\ny', 1, false]);
    // VS Code keeps the undo of typing by cell.
    await vscode.commands.executeCommand('notebook.cell.edit');
    await until(
      'the cell has the cursor',
      () => vscode.window.activeTextEditor?.document.uri.toString() === notebook.cellAt(0).document.uri.toString(),
    );
    await undoTo(notebook, ['x = 1\ny', '# B']);
  });

  it('inserts, deletes and retypes cells, each of which can be undone', async () => {
    const { file, notebook } = await open();
    const inserted = await change(file, { kind: 'insert', index: 1, source: 'n', cellType: 'code', id: 'new' });
    assert.equal(inserted?.outcome, 'written');
    assert.deepEqual(sources(disk(file)), [
      ['a', 'code', 'x = 1\ny'],
      ['new', 'code', 'n'],
      ['b', 'markdown', '# B'],
    ]);
    assert.equal(notebook.cellAt(1).document.languageId, 'python');
    assert.equal(
      (await change(file, { kind: 'replace', index: 1, source: 't', cellType: 'markdown' }))?.outcome,
      'written',
    );
    assert.deepEqual(sources(disk(file))[1], ['new', 'markdown', 't']);
    assert.equal((await change(file, { kind: 'delete', index: 0 }))?.outcome, 'written');
    assert.deepEqual(sources(disk(file)), [
      ['new', 'markdown', 't'],
      ['b', 'markdown', '# B'],
    ]);
    for (const expected of [
      ['x = 1\ny', 't', '# B'],
      ['x = 1\ny', 'n', '# B'],
      ['x = 1\ny', '# B'],
    ]) {
      await undoTo(notebook, expected);
    }
  });

  it('puts the first cell into an empty notebook', async () => {
    const { file } = await open(notebookText([]));
    assert.equal(
      (await change(file, { kind: 'insert', index: 0, source: 'n', cellType: 'code', id: 'new' }))?.outcome,
      'written',
    );
    assert.deepEqual(sources(disk(file)), [['new', 'code', 'n']]);
  });

  it('joins what is not saved, and saves it only where the setting says so', async () => {
    const { file, notebook } = await open();
    await typeInto(notebook, 1, 'typed ');
    const joined = await change(file, { kind: 'replace', index: 0, source: 'z' });
    assert.ok(joined?.outcome === 'written');
    assert.match(joined.notes.join(), /This change was added to them and is not saved/);
    assert.deepEqual(shown(notebook), ['z', 'typed # B']);
    assert.equal(disk(file), notebookText(cells));
    assert.equal(joined.file.hash, (await base(file)).hash);
    const saved = await change(file, { kind: 'replace', index: 0, source: 'zz' }, saving);
    assert.match(saved?.outcome === 'written' ? saved.notes.join() : '', /were saved together with this change/);
    assert.deepEqual(
      sources(disk(file)).map(([, , source]) => source),
      ['zz', 'typed # B'],
    );
  });

  it('changes nothing where somebody typed since, or the link leads elsewhere', async () => {
    const { file, notebook } = await open();
    const before = await base(file);
    await typeInto(notebook, 0, 'typed ');
    const late = await notebooks.write({
      path: file,
      base: before,
      change: { kind: 'replace', index: 0, source: 'z' },
      approved: true,
    });
    assert.equal(late?.outcome, 'changed');
    assert.deepEqual(shown(notebook), ['typed x = 1\ny', '# B']);
    const moved = await notebooks.write({
      path: file,
      realPath: '/elsewhere',
      base: await base(file),
      change: { kind: 'delete', index: 0 },
      approved: true,
    });
    assert.equal(moved?.outcome === 'refused' && moved.code, 'moved');
  });

  it('the approval of a cell is a diff of its source in its language, and what is typed there goes into the cell', async () => {
    const storage = mkdtempSync(path.join(tmpdir(), 'deft-notebooks-'));
    const reviewFiles = registerReviewFiles({ original: 'deft-cell-original', proposed: 'deft-cell-proposed' });
    const log = { debug() {}, info() {}, warn() {}, error() {} };
    const proposals = createProposalReview({ storage, files: reviewFiles, reveal: () => 'automatic', log });
    reviewFiles.ready();
    try {
      const { file, notebook } = await open();
      const plain = toolContext(createWorkspace());
      const context = { ...plain, ports: { ...plain.ports, files, notebooks } };
      assert.ok(!isFailure(await readTool.call({ file_path: file }, context)));
      const input = { notebook_path: file, cell_id: 'a', new_source: 'x = 2\ny' };
      const preview = await notebookEditTool.preview?.(input, context);
      assert.ok(preview !== undefined && !isFailure(preview) && preview.proposal !== undefined);
      await proposals.open({
        id: 'r',
        toolUseId: 't',
        toolName: 'NotebookEdit',
        title: '',
        view: preview.view,
        reason: '',
        suggestions: [],
        proposal: preview.proposal,
      });
      const proposed = (): vscode.TextDocument | undefined =>
        vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'deft-cell-proposed');
      await until('the diff is there', () => proposed() !== undefined);
      assert.deepEqual([proposed()?.getText(), proposed()?.languageId], ['x = 2\ny', 'python']);
      const tab = vscode.window.tabGroups.all
        .flatMap(({ tabs }) => tabs)
        .find(({ input: shownInput }) => shownInput instanceof vscode.TabInputTextDiff);
      assert.match(tab?.label ?? '', /^n\d+\.ipynb cell a\.py \(Deft: proposed\)$/);
      const edit = new vscode.WorkspaceEdit();
      edit.insert(proposed()?.uri ?? assert.fail(), new vscode.Position(1, 0), 'mine = ');
      assert.ok(await vscode.workspace.applyEdit(edit));
      const text = await proposals.textOf('r');
      assert.equal(text, 'x = 2\nmine = y');
      const proposal = {
        ...preview.proposal,
        text,
        proposedText: preview.proposal.text,
        userModified: true,
        approved: true,
      };
      await proposals.close('r');
      const result = await notebookEditTool.call(input, { ...context, proposal });
      assert.ok(!isFailure(result), JSON.stringify(result));
      assert.equal(shown(notebook)[0], 'x = 2\nmine = y');
      assert.deepEqual(sources(disk(file))[0], ['a', 'code', 'x = 2\nmine = y']);
    } finally {
      proposals.dispose();
      reviewFiles.dispose();
      rmSync(storage, { recursive: true, force: true });
    }
  });
});
