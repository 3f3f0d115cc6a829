// Cells of open notebooks that Deft changed without asking: what waits for review, kept or undone by hunk, by cell or by notebook.
import * as vscode from 'vscode';
import { type FileSystem, type Log, type Path } from '../../core/ports';
import { editDocument } from '../files/edit-document';
import { type LineHunk } from '../files/line-hunks';
import { pathOf, uriOf } from '../host/uri-path';
import { cellAt, openNotebook, ownId } from '../notebooks/cell-places';
import { type CellWatcher } from '../notebooks/vscode-notebooks';
import { findCells } from './find-cells';
import { editNotebook, isCell, originalOf, putBack } from './put-back-cells';
import { markOf, placeAfter, type RemovedMark } from './removed-cells';
import {
  changedLines,
  findHunk,
  isSettled,
  keepLines,
  recordApproved,
  recordUnreviewed,
  seeText,
  textWithout,
  type TrackedFile,
  unreviewedHunks,
} from './tracked-file';
import { type UndoOutcome } from './undo-changes';
import { openWaitingStore, type WaitingCell, type WaitingCells, type WaitingRemoval } from './waiting-cells';

type Seen = Pick<LineHunk, 'newStart' | 'newEnd'>;

export interface TrackedCells extends vscode.Disposable {
  /** For the Notebooks port. */
  readonly watch: CellWatcher;
  /** Notebooks with cells that wait, sorted. */
  paths(): Path[];
  hunks(cell: vscode.Uri): readonly LineHunk[];
  /** The cell's text without Deft's unreviewed lines. */
  baseline(cell: vscode.Uri): string | undefined;
  /** The notebook, opened where it is closed, and the place of the first cell that waits; undefined where it is gone. */
  first(path: Path): Promise<{ notebook: vscode.NotebookDocument; index: number } | undefined>;
  /** Cells that Deft removed, as this cell is to tell it. */
  removals(cell: vscode.Uri): (Pick<RemovedMark, 'side' | 'far'> & { removal: Removal })[];
  keepRemoved(removal: Removal): boolean;
  undoRemoved(removal: Removal): Promise<UndoOutcome>;
  changed(path: Path): { added: number; removed: number };
  keep(path: Path): void;
  keepHunk(cell: vscode.Uri, seen: Seen): boolean;
  undo(path: Path): Promise<UndoOutcome>;
  undoHunk(cell: vscode.Uri, seen: Seen): Promise<UndoOutcome>;
  /** Notebooks whose state changed. */
  readonly onDidChange: vscode.Event<Path[]>;
  /** What a reload left behind is in place. */
  readonly restored: Promise<void>;
  /** Resolves when the present state is on disk. */
  flush(): Promise<void>;
}

interface TrackedCell extends Pick<WaitingCell, 'file' | 'replaced'> {
  path: Path;
  uri: vscode.Uri;
}

/** A removed cell: the same object as long as its notebook is open. */
export interface Removal extends WaitingRemoval {
  readonly path: Path;
}

/** Typing comes in many events; the disk may follow this much later. */
const settleMs = 60;

const notThere: UndoOutcome = { outcome: 'refused', message: 'That change is no longer there.' };

export function createTrackedCells(storage: string, files: Pick<FileSystem, 'stat'>, log: Log): TrackedCells {
  const store = openWaitingStore(storage, log);
  const cells = new Map<string, TrackedCell>();
  /** Those of one notebook in their order there. */
  let removed: Removal[] = [];
  /** Of notebooks that are closed: a cell's document is another one when they open again. */
  const closed = new Map<Path, WaitingCells>();
  /** Cells come back from the last to the first: that moves none of the others. */
  let restoring: Path | undefined;
  const writing = new Set<Path>();
  const changed = new vscode.EventEmitter<Path[]>();
  const unsaved = new Set<Path>();
  let timer: NodeJS.Timeout | undefined;

  const put = (cell: TrackedCell, file: TrackedFile): void => {
    if (isSettled(file) && cell.replaced === undefined) cells.delete(cell.uri.toString());
    else cells.set(cell.uri.toString(), { ...cell, file });
    changed.fire([cell.path]);
  };
  const drop = (path: Path): void => {
    for (const [key, cell] of cells) if (cell.path === path) cells.delete(key);
    removed = removed.filter((cell) => cell.path !== path);
    closed.delete(path);
    changed.fire([path]);
  };
  const of = (path: Path): TrackedCell[] => [...cells.values()].filter((cell) => cell.path === path);

  /** Undefined where nothing of it waits. */
  const waitingIn = (path: Path, notebook: vscode.NotebookDocument | undefined): WaitingCells | undefined => {
    if (notebook === undefined) return closed.get(path);
    const waiting = notebook.getCells().flatMap(({ document, metadata, index }): WaitingCell[] => {
      const tracked = cells.get(document.uri.toString());
      return tracked === undefined
        ? []
        : [{ id: ownId(metadata), index, file: tracked.file, replaced: tracked.replaced }];
    });
    const gone = removed.filter((cell) => cell.path === path);
    return waiting.length + gone.length === 0 ? undefined : { cells: waiting, removed: gone };
  };
  const save = (): void => {
    clearTimeout(timer);
    timer = undefined;
    for (const path of unsaved) store.save(path, waitingIn(path, closed.has(path) ? undefined : openNotebook(path)));
    unsaved.clear();
  };
  const saveSoon = (paths: Path[]): void => {
    paths.forEach((path) => unsaved.add(path));
    timer ??= setTimeout(save, settleMs);
  };
  const detach = (notebook: vscode.NotebookDocument): void => {
    const path = pathOf(notebook.uri);
    const waiting = waitingIn(path, notebook);
    if (waiting === undefined) return;
    drop(path);
    closed.set(path, waiting);
    changed.fire([path]);
  };
  /** What was changed in the file meanwhile counts like an edit of the person. */
  const attach = (notebook: vscode.NotebookDocument): void => {
    const path = pathOf(notebook.uri);
    const waiting = closed.get(path);
    if (waiting === undefined) return;
    closed.delete(path);
    const present = notebook.getCells();
    const places = findCells(
      waiting.cells.map(({ id, index, file }) => ({ id, index, text: file.known })),
      present.map(({ document, metadata }) => ({ id: ownId(metadata), text: document.getText() })),
    );
    for (const [order, { file, replaced }] of waiting.cells.entries()) {
      const document = present[places[order] ?? -1]?.document;
      if (document !== undefined) put({ path, uri: document.uri, file, replaced }, seeText(file, document.getText()));
    }
    // The removal may have been left unsaved: the cell is there then.
    const isBack = ({ index, data }: WaitingRemoval): boolean => {
      const id = ownId(data.metadata);
      if (id !== undefined) return present.some(({ metadata }) => ownId(metadata) === id);
      const there = present[index];
      return there !== undefined && isCell(there, data);
    };
    const gone = waiting.removed.filter((removal) => !isBack(removal));
    removed.push(...gone.map(({ index, data }) => ({ path, index: Math.min(index, present.length), data })));
    changed.fire([path]);
  };
  /** A notebook that is gone has nothing to review. */
  const opened = async (path: Path): Promise<vscode.NotebookDocument | undefined> => {
    if (!closed.has(path)) return openNotebook(path);
    try {
      const notebook = await vscode.workspace.openNotebookDocument(uriOf(path));
      attach(notebook);
      return notebook;
    } catch {
      if ((await files.stat(path)) === undefined) drop(path);
      return undefined;
    }
  };

  /** The notebook is Deft's own to change meanwhile: that is no edit of the person. */
  const rewrite = async (path: Path, work: () => Promise<boolean>): Promise<UndoOutcome> => {
    if ((await opened(path)) === undefined)
      return { outcome: 'refused', message: `${path} could not be opened in a notebook editor.` };
    const wasDirty = openNotebook(path)?.isDirty ?? false;
    writing.add(path);
    try {
      if (!(await work()))
        return { outcome: 'refused', message: `${path} could not be changed in its notebook editor.` };
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

  const restoreRemoved = async (removal: Removal): Promise<boolean> => {
    const { path, data } = removal;
    const notebook = openNotebook(path);
    if (notebook === undefined) return false;
    restoring = path;
    const inserted = vscode.NotebookEdit.insertCells(Math.min(removal.index, notebook.cellCount), [data]);
    if (!(await editNotebook(notebook, inserted).finally(() => (restoring = undefined)))) return false;
    // Those behind it move on.
    const order = removed.indexOf(removal);
    removed.forEach((one, at) => {
      if (one.path === path && at > order) one.index++;
    });
    removed = removed.filter((one) => one !== removal);
    return true;
  };

  /** What the person, or VS Code's own undo, does to cells moves the places of removed ones, or brings them back. */
  const follow = (
    path: Path,
    { range, addedCells, removedCells }: vscode.NotebookDocumentContentChange,
    moved: ReadonlySet<vscode.TextDocument>,
  ): void => {
    if (restoring === path) return;
    const { start } = range;
    const back = new Set<Removal>();
    for (const [offset, cell] of writing.has(path) ? [] : addedCells.entries()) {
      const same = removed.find(
        (one) =>
          one.path === path && !back.has(one) && Math.abs(one.index - start - offset) <= 1 && isCell(cell, one.data),
      );
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

  const restore = async (): Promise<void> => {
    for (const [path, waiting] of await store.load()) {
      if (of(path).length > 0 || removed.some((one) => one.path === path)) continue;
      closed.set(path, waiting);
      const notebook = openNotebook(path);
      if (notebook !== undefined) attach(notebook);
      else if ((await files.stat(path)) === undefined) drop(path);
      else changed.fire([path]);
    }
  };

  const subscriptions = [
    changed,
    changed.event(saveSoon),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      const tracked = cells.get(document.uri.toString());
      if (tracked !== undefined && !writing.has(tracked.path)) put(tracked, seeText(tracked.file, document.getText()));
    }),
    vscode.workspace.onDidChangeNotebookDocument(({ notebook, contentChanges }) => {
      const path = pathOf(notebook.uri);
      // A move is told as a cell that goes and comes.
      const added = new Set(contentChanges.flatMap(({ addedCells }) => addedCells.map(({ document }) => document)));
      const left = contentChanges
        .flatMap(({ removedCells }) => removedCells)
        .filter(({ document }) => !added.has(document) && cells.delete(document.uri.toString()));
      const waiting = removed.length;
      const moved = new Set(contentChanges.flatMap(({ removedCells }) => removedCells.map(({ document }) => document)));
      contentChanges.forEach((change) => follow(path, change, moved));
      const moves = contentChanges.length > 0 && (of(path).length > 0 || removed.some((one) => one.path === path));
      if ((left.length > 0 || removed.length < waiting || moves) && !writing.has(path)) changed.fire([path]);
    }),
    vscode.workspace.onDidOpenNotebookDocument(attach),
    vscode.workspace.onDidCloseNotebookDocument(detach),
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
    paths: () =>
      [
        ...new Set([
          ...[...cells.values()].map(({ path }) => path),
          ...removed.map(({ path }) => path),
          ...closed.keys(),
        ]),
      ].sort(),
    hunks: (uri) => {
      const tracked = cells.get(uri.toString());
      return tracked === undefined ? [] : unreviewedHunks(tracked.file);
    },
    baseline: (uri) => cells.get(uri.toString())?.file.baseline,
    async first(path) {
      const notebook = await opened(path);
      if (notebook === undefined) return undefined;
      const places = notebook
        .getCells()
        .flatMap(({ document, index }) => (cells.has(document.uri.toString()) ? [index] : []));
      const gaps = removed
        .filter((one) => one.path === path)
        .map(({ index }) => Math.min(index, notebook.cellCount - 1));
      return { notebook, index: Math.max(0, Math.min(...places, ...gaps, notebook.cellCount - 1)) };
    },
    removals(uri) {
      const cell = cellAt(uri);
      if (cell === undefined || removed.length === 0) return [];
      const path = pathOf(cell.notebook.uri);
      const isCode = cell.notebook.getCells().map(({ kind }) => kind === vscode.NotebookCellKind.Code);
      return removed.flatMap((removal) => {
        const mark = removal.path === path ? markOf(removal.index, isCode) : undefined;
        return mark?.cell === cell.index ? [{ side: mark.side, far: mark.far, removal }] : [];
      });
    },
    keepRemoved(removal) {
      if (!removed.includes(removal)) return false;
      removed = removed.filter((one) => one !== removal);
      changed.fire([removal.path]);
      return true;
    },
    undoRemoved: (removal) =>
      removed.includes(removal) ? rewrite(removal.path, () => restoreRemoved(removal)) : Promise.resolve(notThere),
    changed: (path) => {
      const apart = closed.get(path);
      const counts = (apart?.cells ?? of(path)).map(({ file }) => changedLines(file));
      const sum = (pick: (count: { added: number; removed: number }) => number): number =>
        counts.reduce((total, count) => total + pick(count), 0);
      const gone = apart?.removed ?? removed.filter((cell) => cell.path === path);
      const lines = gone.reduce((total, { data }) => total + data.value.split('\n').length, 0);
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
        for (const removal of removed.filter((one) => one.path === path).toReversed())
          if (!(await restoreRemoved(removal))) return false;
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
    restored: restore(),
    async flush() {
      save();
      await store.settled();
    },
    dispose() {
      save();
      subscriptions.forEach((subscription) => subscription.dispose());
    },
  };
}
