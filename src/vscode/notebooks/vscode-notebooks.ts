// The Notebooks port: a notebook that is open in VS Code is read and changed there, with its own undo.
import * as vscode from 'vscode';
import { type FileSystem, type TextFile, type WriteOutcome } from '../../core/ports/files';
import { type NotebookChange, type Notebooks } from '../../core/ports/notebooks';
import { type Path } from '../../core/ports/path';
import { parseNotebook } from '../../core/tools/read/notebook';
import { movedRefusal } from '../../node/files/write-refusal';
import { readonlyRefusal } from '../files/node-disk';
import { textFile } from '../files/text-codec';
import { type EditOutcome } from '../files/edit-document';
import { uriOf } from '../host/uri-path';
import { readonlyBySetting, type WriteSettingsOf } from '../files/write-text';
import { applyCellChange, cellsMatch } from './cell-edits';
import { cellData, exportedText } from './export-notebook';
import { runCells } from './run-cells';

/** A change of a cell that was made in an editor. */
export interface WrittenCell {
  kind: NotebookChange['change']['kind'];
  index: number;
  /** The source before; undefined where the cell is new. */
  before: string | undefined;
  /** The cell that stood there, where it went or became another one. */
  gone?: { uri: vscode.Uri; data: vscode.NotebookCellData };
  approved: boolean;
  /** The session that wrote it. */
  session?: string | undefined;
}

/** Called before a notebook is changed; the returned function is called when that is over, with what was changed if anything. */
export type CellWatcher = (notebook: vscode.NotebookDocument) => (written?: WrittenCell) => void;

export interface NotebooksOptions {
  files: Pick<FileSystem, 'readText' | 'realPath'>;
  settings: WriteSettingsOf;
  watch?: CellWatcher;
}

const maxBytes = 100 * 1024 * 1024;

export function createVscodeNotebooks({ files, settings, watch }: NotebooksOptions): Notebooks {
  const find = async (path: Path): Promise<vscode.NotebookDocument | undefined> => {
    const open = vscode.workspace.notebookDocuments.filter(isOpen);
    if (open.length === 0) return undefined;
    const uris = [uriOf(path), uriOf(await files.realPath(path))].map((uri) => uri.toString());
    return open.find(({ uri }) => uris.includes(uri.toString()));
  };
  const current = async (path: Path, notebook: vscode.NotebookDocument): Promise<TextFile | undefined> => {
    if (notebook.isDirty) {
      const text = await exportedText(notebook);
      return text === undefined ? undefined : textFile(path, text, 'utf8', true);
    }
    const read = await files.readText(path, maxBytes);
    return read.outcome === 'read' ? read.file : undefined;
  };
  const watched = async (
    notebook: vscode.NotebookDocument,
    { change, approved, session }: NotebookChange,
    apply: () => Promise<EditOutcome>,
  ): Promise<EditOutcome> => {
    const { kind, index } = change;
    const cell = kind === 'insert' ? undefined : notebook.cellAt(index);
    const before = cell?.document.getText();
    const goes = cell !== undefined && (kind === 'delete' || (kind === 'replace' && change.cellType !== undefined));
    const gone = goes ? { uri: cell.document.uri, data: cellData(cell) } : undefined;
    const finish = watch?.(notebook);
    let outcome: EditOutcome = 'unchanged';
    try {
      outcome = await apply();
      return outcome;
    } finally {
      finish?.(outcome === 'edited' ? { kind, index, before, approved, session, ...(gone && { gone }) } : undefined);
    }
  };
  return {
    async unsaved(path) {
      const notebook = await find(path);
      if (!notebook?.isDirty) return undefined;
      const file = await current(path, notebook);
      if (file !== undefined) return { outcome: 'read', file };
      return {
        outcome: 'refused',
        code: 'failed',
        message: `${path} has unsaved changes in its notebook editor, which cannot be read from there. Ask the user to save it.`,
      };
    },
    run: (run, signal) => runCells(run, settings, signal),
    async write(change) {
      const { path } = change;
      const notebook = await find(path);
      if (notebook === undefined) return undefined;
      const refusal = await refused(change, files);
      if (refusal !== undefined) return refusal;
      const wasDirty = notebook.isDirty;
      const before = await current(path, notebook);
      const base = parseNotebook(change.base.text);
      if (before?.hash !== change.base.hash || base === undefined || !cellsMatch(notebook, base))
        return { outcome: 'changed', current: before };
      const edited = await watched(notebook, change, () => applyCellChange(notebook, base, change.change));
      if (edited === 'unchanged') return readonlyRefusal(path);
      if (edited === 'other') return { outcome: 'changed', current: await current(path, notebook) };
      const saved = (!wasDirty || settings(notebook.uri).autosave) && (await notebook.save()) && !notebook.isDirty;
      const file = await current(path, notebook);
      if (file === undefined)
        return {
          outcome: 'refused',
          code: 'failed',
          message: `${path} was changed in its notebook editor, but cannot be read from there.`,
        };
      return { outcome: 'written', file, notes: notes(path, wasDirty, saved) };
    },
  };
}

/** VS Code keeps a closed notebook in memory for a while: nobody could undo there. */
function isOpen({ isClosed, isDirty, notebookType, uri }: vscode.NotebookDocument): boolean {
  if (isClosed || notebookType !== 'jupyter-notebook') return false;
  const key = uri.toString();
  const shows = (input: unknown): boolean =>
    (input instanceof vscode.TabInputNotebook && input.uri.toString() === key) ||
    (input instanceof vscode.TabInputNotebookDiff && input.modified.toString() === key);
  return isDirty || vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(({ input }) => shows(input)));
}

async function refused(
  { path, realPath }: NotebookChange,
  files: Pick<FileSystem, 'realPath'>,
): Promise<WriteOutcome | undefined> {
  if (!vscode.workspace.isTrusted)
    return {
      outcome: 'refused',
      code: 'untrusted',
      message: `This workspace is not trusted, so ${path} was not written.`,
    };
  const now = await files.realPath(path);
  if (realPath !== undefined && now !== realPath) return movedRefusal(path, now);
  return readonlyBySetting(uriOf(path), path) ? readonlyRefusal(path) : undefined;
}

function notes(path: Path, wasDirty: boolean, saved: boolean): string[] {
  if (saved)
    return wasDirty
      ? [`${path} had unsaved changes of the user in the editor; they were saved together with this change.`]
      : [];
  const what = wasDirty
    ? 'has unsaved changes in the editor. This change was added to them and is not saved'
    : 'was changed in the editor and could not be saved';
  return [`${path} ${what}: commands still see the file on disk without it.`];
}
