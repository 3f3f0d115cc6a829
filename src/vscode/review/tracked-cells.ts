// Cells of open notebooks that Deft changed without asking: what waits for review, kept or undone by hunk, by cell or by notebook.
import * as vscode from 'vscode';
import { type Path } from '../../core/ports';
import { editDocument } from '../files/edit-document';
import { type LineHunk } from '../files/line-hunks';
import { pathOf } from '../files/uri-path';
import { cellAt, openNotebook } from '../notebooks/cell-places';
import { type CellWatcher } from '../notebooks/vscode-notebooks';
import { placeAfter } from './removed-cells';
import { changedLines, findHunk, isSettled, keepLines, recordApproved, recordUnreviewed, seeText, textWithout, type TrackedFile, unreviewedHunks } from './tracked-file';
import { type UndoOutcome } from './undo-changes';

type Seen = Pick<LineHunk, 'newStart' | 'newEnd'>;

export interface TrackedCells extends vscode.Disposable {
  /** For the Notebooks port. */
  readonly watch: CellWatcher;
  /** Notebooks with cells that wait, sorted. */
  paths(): Path[];
  hunks(cell: vscode.Uri): readonly LineHunk[];
  /** The cell's text without Deft's unreviewed lines. */
  baseline(cell: vscode.Uri): string | undefined;
  /** The first cell of the notebook that waits. */
  first(path: Path): vscode.NotebookCell | undefined;
  changed(path: Path): { added: number; removed: number };
  keep(path: Path): void;
  keepHunk(cell: vscode.Uri, seen: Seen): boolean;
  undo(path: Path): Promise<UndoOutcome>;
  undoHunk(cell: vscode.Uri, seen: Seen): Promise<UndoOutcome>;
  /** Notebooks whose state changed. */
  readonly onDidChange: vscode.Event<Path[]>;
}

interface TrackedCell {
  path: Path;
  uri: vscode.Uri;
  file: TrackedFile;
  /** What stood in its place: undoing puts it back whole. */
  replaced?: vscode.NotebookCellData;
}

interface RemovedCell {
  path: Path;
  index: number;
  data: vscode.NotebookCellData;
}

const notThere: UndoOutcome = { outcome: 'refused', message: 'That change is no longer there.' };

export function createTrackedCells(): TrackedCells {
  const cells = new Map<string, TrackedCell>();
  /** Those of one notebook in their order there. */
  let removed: RemovedCell[] = [];
  /** Cells come back from the last to the first: that moves none of the others. */
  let restoring: Path | undefined;
  const writing = new Set<Path>();
  const changed = new vscode.EventEmitter<Path[]>();

  const put = (cell: TrackedCell, file: TrackedFile): void => {
    if (isSettled(file) && cell.replaced === undefined) cells.delete(cell.uri.toString());
    else cells.set(cell.uri.toString(), { ...cell, file });
    changed.fire([cell.path]);
  };
  const drop = (path: Path): void => {
    for (const [key, cell] of cells) if (cell.path === path) cells.delete(key);
    removed = removed.filter((cell) => cell.path !== path);
    changed.fire([path]);
  };
  const of = (path: Path): TrackedCell[] => [...cells.values()].filter((cell) => cell.path === path);

  /** The notebook is Deft's own to change meanwhile: that is no edit of the person. */
  const rewrite = async (path: Path, work: () => Promise<boolean>): Promise<UndoOutcome> => {
    const wasDirty = openNotebook(path)?.isDirty ?? false;
    writing.add(path);
    try {
      if (!(await work())) return { outcome: 'refused', message: `${path} could not be changed in its notebook editor.` };
    } finally {
      writing.delete(path);
      changed.fire([path]);
    }
    if (!wasDirty) await openNotebook(path)?.save();
    return { outcome: 'undone' };
  };
  /** A cell that is not there any more went with another change. */
  const undoCell = async (tracked: TrackedCell): Promise<boolean> => {
    const cell = cellAt(tracked.uri);
    if (cell !== undefined && !(await putBack(cell, tracked))) return false;
    cells.delete(tracked.uri.toString());
    return true;
  };

  /** What the person, or VS Code's own undo, does to cells moves the places of removed ones, or brings them back. */
  const follow = (path: Path, { range, addedCells, removedCells }: vscode.NotebookDocumentContentChange, moved: ReadonlySet<vscode.TextDocument>): void => {
    if (restoring === path) return;
    const { start } = range;
    const back = new Set<RemovedCell>();
    for (const [offset, cell] of writing.has(path) ? [] : addedCells.entries()) {
      const same = removed.find((one) => one.path === path && !back.has(one) && Math.abs(one.index - start - offset) <= 1 && isCell(cell, one.data));
      if (same !== undefined && !moved.has(cell.document)) back.add(same);
    }
    const firstBack = removed.findIndex((one) => back.has(one));
    removed.forEach((one, order) => {
      // Ahead of what came back into the same gap.
      if (one.path !== path || (one.index === start && order < firstBack)) return;
      one.index = placeAfter(one.index, { start, removed: removedCells.length, added: addedCells.length });
    });
    removed = removed.filter((one) => !back.has(one));
  };

  const subscriptions = [
    changed,
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      const tracked = cells.get(document.uri.toString());
      if (tracked !== undefined && !writing.has(tracked.path)) put(tracked, seeText(tracked.file, document.getText()));
    }),
    vscode.workspace.onDidChangeNotebookDocument(({ notebook, contentChanges }) => {
      const path = pathOf(notebook.uri);
      // A move is told as a cell that goes and comes.
      const added = new Set(contentChanges.flatMap(({ addedCells }) => addedCells.map(({ document }) => document)));
      const left = contentChanges.flatMap(({ removedCells }) => removedCells).filter(({ document }) => !added.has(document) && cells.delete(document.uri.toString()));
      const waiting = removed.length;
      const moved = new Set(contentChanges.flatMap(({ removedCells }) => removedCells.map(({ document }) => document)));
      contentChanges.forEach((change) => follow(path, change, moved));
      if ((left.length > 0 || removed.length < waiting) && !writing.has(path)) changed.fire([path]);
    }),
    // A cell's document is another one when the notebook opens again.
    vscode.workspace.onDidCloseNotebookDocument(({ uri }) => drop(pathOf(uri))),
  ];

  return {
    watch(notebook) {
      const path = pathOf(notebook.uri);
      const earlier = new Map(cells);
      const places = new Map(removed.map((cell) => [cell, cell.index]));
      writing.add(path);
      return (written) => {
        writing.delete(path);
        if (written === undefined) return;
        const { kind, approved, index, before, gone } = written;
        const prior = gone && earlier.get(gone.uri.toString());
        const replaced = gone && originalOf(gone.data, prior);
        if (kind === 'delete') {
          if (!approved && replaced !== undefined) {
            const next = removed.findIndex((cell) => cell.path === path && (places.get(cell) ?? cell.index) > index);
            removed = removed.toSpliced(next < 0 ? removed.length : next, 0, { path, index, data: replaced });
          }
          changed.fire([path]);
          return;
        }
        const { document } = notebook.cellAt(index);
        const after = document.getText();
        const known = prior ?? cells.get(document.uri.toString());
        if (approved) {
          if (known !== undefined && gone === undefined) put(known, recordApproved(known.file, before, after));
          return;
        }
        const file = recordUnreviewed(known?.file, before, after);
        const whole = replaced ?? known?.replaced;
        put({ path, uri: document.uri, file, ...(whole && { replaced: whole }) }, file);
      };
    },
    paths: () => [...new Set([...[...cells.values()].map(({ path }) => path), ...removed.map(({ path }) => path)])].sort(),
    hunks: (uri) => {
      const tracked = cells.get(uri.toString());
      return tracked === undefined ? [] : unreviewedHunks(tracked.file);
    },
    baseline: (uri) => cells.get(uri.toString())?.file.baseline,
    first: (path) => openNotebook(path)?.getCells().find(({ document }) => cells.has(document.uri.toString())),
    changed: (path) => {
      const counts = of(path).map(({ file }) => changedLines(file));
      const sum = (pick: (count: { added: number; removed: number }) => number): number => counts.reduce((total, count) => total + pick(count), 0);
      const lines = removed.filter((cell) => cell.path === path).reduce((total, { data }) => total + data.value.split('\n').length, 0);
      return { added: sum((count) => count.added), removed: sum((count) => count.removed) + lines };
    },
    keep: drop,
    keepHunk(uri, seen) {
      const tracked = cells.get(uri.toString());
      const hunk = tracked && findHunk(unreviewedHunks(tracked.file), seen);
      if (tracked === undefined || hunk === undefined) return false;
      const { replaced: _kept, ...rest } = tracked;
      put(rest, keepLines(tracked.file, hunk));
      return true;
    },
    undo: (path) =>
      rewrite(path, async () => {
        for (const tracked of of(path)) if (!(await undoCell(tracked))) return false;
        // The last one first, so that places fit.
        for (const cell of removed.filter((one) => one.path === path).toReversed()) {
          const notebook = openNotebook(path);
          if (notebook === undefined) return false;
          const index = Math.min(cell.index, notebook.cellCount);
          restoring = path;
          const restored = await edit(notebook, vscode.NotebookEdit.insertCells(index, [cell.data])).finally(() => (restoring = undefined));
          if (!restored) return false;
          removed = removed.filter((one) => one !== cell);
        }
        return true;
      }),
    undoHunk(uri, seen) {
      const tracked = cells.get(uri.toString());
      const cell = cellAt(uri);
      if (tracked === undefined || cell === undefined) return Promise.resolve(notThere);
      const { file } = tracked;
      const hunk = findHunk(unreviewedHunks(file), seen);
      if (hunk === undefined) return Promise.resolve(notThere);
      if (file.created || tracked.replaced !== undefined) return rewrite(tracked.path, () => undoCell(tracked));
      return rewrite(tracked.path, async () => {
        const text = cell.document.getText();
        const without = textWithout(file, text, hunk);
        if ((await editDocument(cell.document, without)) !== 'edited') return false;
        put(tracked, recordApproved(file, text, cell.document.getText()));
        return true;
      });
    },
    onDidChange: changed.event,
    dispose: () => subscriptions.forEach((subscription) => subscription.dispose()),
  };
}

/** The cell as it was before Deft touched it; undefined where Deft made it. */
function originalOf(data: vscode.NotebookCellData, prior: TrackedCell | undefined): vscode.NotebookCellData | undefined {
  if (prior?.file.created === true) return undefined;
  if (prior?.replaced !== undefined) return prior.replaced;
  if (prior !== undefined) data.value = prior.file.baseline;
  return data;
}

function isCell({ kind, document }: vscode.NotebookCell, data: vscode.NotebookCellData): boolean {
  return kind === data.kind && document.getText() === data.value;
}

async function putBack(cell: vscode.NotebookCell, { file, replaced }: TrackedCell): Promise<boolean> {
  if (!file.created && replaced === undefined) return (await editDocument(cell.document, file.baseline)) === 'edited';
  const range = new vscode.NotebookRange(cell.index, cell.index + 1);
  return edit(cell.notebook, vscode.NotebookEdit.replaceCells(range, replaced === undefined ? [] : [replaced]));
}

async function edit(notebook: vscode.NotebookDocument, change: vscode.NotebookEdit): Promise<boolean> {
  const workspaceEdit = new vscode.WorkspaceEdit();
  workspaceEdit.set(notebook.uri, [change]);
  return vscode.workspace.applyEdit(workspaceEdit);
}
