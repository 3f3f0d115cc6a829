// Cells of open notebooks that Deft changed without asking: what waits for review, kept or undone by hunk, by cell or by notebook.
import * as vscode from 'vscode';
import { type FileSystem } from '../../core/ports/files';
import { type Log } from '../../core/ports/log';
import { type Path } from '../../core/ports/path';
import { editDocument } from '../files/edit-document';
import { type LineHunk } from '../files/line-hunks';
import { pathOf, uriOf } from '../host/uri-path';
import { cellAt, openNotebook, ownId } from '../notebooks/cell-places';
import { type CellWatcher, type WrittenCell } from '../notebooks/vscode-notebooks';
import { foundAgain, isBack, originalOf, putBack, typedInCells } from './put-back-cells';
import { type MarkedRemoval, type Removal, RemovedCells } from './removals';
import {
  findHunk,
  isSettled,
  keepLines,
  recordApproved,
  recordUnreviewed,
  seeText,
  textWithout,
  textWithoutOwn,
  type TrackedFile,
  typedIn,
  unreviewedHunks,
} from './tracked-file';
import { type TypedAnswer, type UndoOutcome, type UndoServices } from './undo-changes';
import { openWaitingStore, summaryOf, type WaitingCell, type WaitingCells } from './waiting-cells';

type Seen = Pick<LineHunk, 'newStart' | 'newEnd'>;

export interface TrackedCells extends vscode.Disposable {
  /** For the Notebooks port. */
  readonly watch: CellWatcher;
  /** Notebooks with cells that wait, sorted. */
  paths(): Path[];
  /** What waits in the cell. */
  file(cell: vscode.Uri): TrackedFile | undefined;
  /** The cell's text without Deft's unreviewed lines. */
  baseline(cell: vscode.Uri): string | undefined;
  /** The notebook, opened where it is closed, and the place of the first cell that waits; undefined where it is gone. */
  first(path: Path): Promise<{ notebook: vscode.NotebookDocument; index: number } | undefined>;
  /** Cells that Deft removed, as this cell is to show them. */
  removals(cell: vscode.Uri): MarkedRemoval[];
  keepRemoved(removal: Removal): boolean;
  undoRemoved(removal: Removal): Promise<UndoOutcome>;
  summary(path: Path): ReturnType<typeof summaryOf>;
  keep(path: Path): void;
  keepHunk(cell: vscode.Uri, seen: Seen): boolean;
  undo(path: Path): Promise<UndoOutcome>;
  undoHunk(cell: vscode.Uri, seen: Seen): Promise<UndoOutcome>;
  /** Notebooks whose state changed. */
  readonly onDidChange: vscode.Event<Path[]>;
  /** Something of Deft in this notebook was undone. */
  readonly onDidUndo: vscode.Event<Path>;
  /** What a reload left behind is in place. */
  readonly restored: Promise<void>;
  /** Resolves when the present state is on disk. */
  flush(): Promise<void>;
}

interface TrackedCell extends Pick<WaitingCell, 'file' | 'replaced'> {
  path: Path;
  uri: vscode.Uri;
}

interface FoundHunk {
  tracked: TrackedCell;
  hunk: LineHunk;
  document: vscode.TextDocument;
}

/** Typing comes in many events; the disk may follow this much later. */
const settleMs = 60;

const notThere: UndoOutcome = { outcome: 'refused', message: 'That change is no longer there.' };

export interface TrackedCellsOptions extends Pick<UndoServices, 'askTyped'> {
  storage: string;
  files: Pick<FileSystem, 'stat'>;
  log: Log;
}

export function createTrackedCells(options: TrackedCellsOptions): TrackedCells {
  return new CellTracker(options);
}

class CellTracker implements TrackedCells {
  readonly #files: TrackedCellsOptions['files'];
  readonly #askTyped: TrackedCellsOptions['askTyped'];
  readonly #store;
  readonly #cells = new Map<string, TrackedCell>();
  readonly #removed = new RemovedCells();
  /** Of notebooks that are closed: a cell's document is another one when they open again. */
  readonly #closed = new Map<Path, WaitingCells>();
  readonly #writing = new Set<Path>();
  readonly #changed = new vscode.EventEmitter<Path[]>();
  readonly #undone = new vscode.EventEmitter<Path>();
  readonly #unsaved = new Set<Path>();
  #timer: NodeJS.Timeout | undefined;
  readonly #subscriptions;
  readonly onDidChange = this.#changed.event;
  readonly onDidUndo = this.#undone.event;
  readonly removals = (cell: vscode.Uri): MarkedRemoval[] => this.#removed.shownAt(cell);
  readonly restored: Promise<void>;

  constructor({ storage, files, log, askTyped }: TrackedCellsOptions) {
    this.#files = files;
    this.#askTyped = askTyped;
    this.#store = openWaitingStore(storage, log);
    this.#subscriptions = [
      this.#changed,
      this.#undone,
      this.#changed.event((paths) => this.#saveSoon(paths)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        const tracked = this.#cells.get(document.uri.toString());
        if (tracked !== undefined && !this.#writing.has(tracked.path))
          this.#put(tracked, seeText(tracked.file, document.getText()));
      }),
      vscode.workspace.onDidChangeNotebookDocument(({ notebook, contentChanges }) => {
        const path = pathOf(notebook.uri);
        // A move is reported as a cell that goes and comes.
        const added = new Set(contentChanges.flatMap(({ addedCells }) => addedCells.map(({ document }) => document)));
        const removed = contentChanges.flatMap(({ removedCells }) => removedCells.map(({ document }) => document));
        const left = removed.filter((document) => !added.has(document) && this.#cells.delete(document.uri.toString()));
        const moved = new Set(removed);
        const waiting = this.#removed.count;
        const byDeft = this.#writing.has(path);
        contentChanges.forEach((change) => this.#removed.follow(path, change, moved, byDeft));
        const moves = contentChanges.length > 0 && this.#hasAny(path);
        if ((left.length > 0 || this.#removed.count < waiting || moves) && !byDeft) this.#changed.fire([path]);
      }),
      vscode.workspace.onDidOpenNotebookDocument((notebook) => this.#attach(notebook)),
      vscode.workspace.onDidCloseNotebookDocument((notebook) => this.#detach(notebook)),
    ];
    this.restored = this.#restore();
  }

  watch(notebook: vscode.NotebookDocument): (written?: WrittenCell) => void {
    const path = pathOf(notebook.uri);
    const earlier = new Map(this.#cells);
    const places = this.#removed.places();
    this.#writing.add(path);
    return (written) => {
      this.#writing.delete(path);
      if (written === undefined) return;
      const { kind, approved, index, before, gone, session } = written;
      const prior = gone && earlier.get(gone.uri.toString());
      const replaced = gone && originalOf(gone.data, prior);
      if (kind === 'delete') {
        if (!approved && replaced !== undefined) this.#removed.insert({ path, index, data: replaced, session }, places);
        this.#changed.fire([path]);
        return;
      }
      const { document } = notebook.cellAt(index);
      const after = document.getText();
      const known = prior ?? this.#cells.get(document.uri.toString());
      if (approved) {
        if (known !== undefined && gone === undefined) this.#put(known, recordApproved(known.file, before, after));
        return;
      }
      const file = recordUnreviewed(known?.file, before, after, session);
      const whole = replaced ?? known?.replaced;
      this.#put({ path, uri: document.uri, file, ...(whole && { replaced: whole }) }, file);
    };
  }

  paths(): Path[] {
    return [
      ...new Set([
        ...[...this.#cells.values()].map(({ path }) => path),
        ...this.#removed.paths(),
        ...this.#closed.keys(),
      ]),
    ].sort();
  }

  file(uri: vscode.Uri): TrackedFile | undefined {
    return this.#cells.get(uri.toString())?.file;
  }

  baseline(uri: vscode.Uri): string | undefined {
    return this.#cells.get(uri.toString())?.file.baseline;
  }

  async first(path: Path): Promise<{ notebook: vscode.NotebookDocument; index: number } | undefined> {
    const notebook = await this.#opened(path);
    if (notebook === undefined) return undefined;
    const places = notebook
      .getCells()
      .flatMap(({ document, index }) => (this.#cells.has(document.uri.toString()) ? [index] : []));
    const gaps = this.#removed.of(path).map(({ index }) => Math.min(index, notebook.cellCount - 1));
    return { notebook, index: Math.max(0, Math.min(...places, ...gaps, notebook.cellCount - 1)) };
  }

  keepRemoved(removal: Removal): boolean {
    if (!this.#removed.has(removal)) return false;
    this.#removed.forget(removal);
    this.#changed.fire([removal.path]);
    return true;
  }

  undoRemoved(removal: Removal): Promise<UndoOutcome> {
    return this.#removed.has(removal)
      ? this.#rewrite(removal.path, () => this.#removed.restore(removal))
      : Promise.resolve(notThere);
  }

  summary(path: Path): ReturnType<typeof summaryOf> {
    return summaryOf(this.#closed.get(path) ?? { cells: this.#of(path), removed: this.#removed.of(path) });
  }

  keep(path: Path): void {
    for (const [key, cell] of this.#cells) if (cell.path === path) this.#cells.delete(key);
    this.#removed.forgetAll(path);
    this.#closed.delete(path);
    this.#changed.fire([path]);
  }

  keepHunk(uri: vscode.Uri, seen: Seen): boolean {
    const found = this.#hunkIn(uri, seen);
    if (found === undefined) return false;
    const { tracked, hunk } = found;
    const { replaced: _kept, ...rest } = tracked;
    this.#put(rest, keepLines(tracked.file, hunk));
    return true;
  }

  async undo(path: Path): Promise<UndoOutcome> {
    await this.#opened(path);
    const typed = await this.#answer(path, typedInCells(this.#of(path)));
    if (typed === undefined) return { outcome: 'dropped' };
    return this.#rewrite(path, async () => {
      for (const tracked of this.#of(path)) if (!(await this.#undoCell(tracked, typed))) return false;
      // The last one first, so that places fit.
      for (const removal of this.#removed.of(path).toReversed())
        if (!(await this.#removed.restore(removal))) return false;
      return true;
    });
  }

  async undoHunk(uri: vscode.Uri, seen: Seen): Promise<UndoOutcome> {
    const found = this.#hunkIn(uri, seen);
    if (found === undefined) return notThere;
    const { path } = found.tracked;
    const typed = await this.#answer(path, typedIn(found.tracked.file, found.hunk));
    if (typed === undefined) return { outcome: 'dropped' };
    // While the user was asked, it may have changed.
    const now = this.#hunkIn(uri, seen);
    if (now === undefined) return notThere;
    const { tracked, hunk, document } = now;
    const { file, replaced } = tracked;
    if (file.created || replaced !== undefined) return this.#rewrite(path, () => this.#undoCell(tracked, typed));
    return this.#rewrite(path, async () => {
      const text = document.getText();
      const without = (typed === 'keep' ? textWithoutOwn : textWithout)(file, text, hunk);
      if ((await editDocument(document, without)) !== 'edited') return false;
      this.#put(tracked, recordApproved(file, text, document.getText()));
      return true;
    });
  }

  async flush(): Promise<void> {
    this.#save();
    await this.#store.settled();
  }

  dispose(): void {
    this.#save();
    this.#subscriptions.forEach((subscription) => subscription.dispose());
  }

  #hunkIn(uri: vscode.Uri, seen: Seen): FoundHunk | undefined {
    const tracked = this.#cells.get(uri.toString());
    const cell = cellAt(uri);
    const hunk = tracked && findHunk(unreviewedHunks(tracked.file), seen);
    return tracked && cell && hunk && { tracked, hunk, document: cell.document };
  }

  #answer(path: Path, typed: readonly string[]): Promise<TypedAnswer> {
    return typed.length === 0 ? Promise.resolve('undo') : this.#askTyped(path, typed);
  }

  #put(cell: TrackedCell, file: TrackedFile): void {
    if (isSettled(file) && cell.replaced === undefined) this.#cells.delete(cell.uri.toString());
    else this.#cells.set(cell.uri.toString(), { ...cell, file });
    this.#changed.fire([cell.path]);
  }

  #of(path: Path): TrackedCell[] {
    return [...this.#cells.values()].filter((cell) => cell.path === path);
  }

  /** In its open notebook. */
  #hasAny(path: Path): boolean {
    return this.#of(path).length > 0 || this.#removed.of(path).length > 0;
  }

  /** Undefined where nothing of it waits. */
  #waitingIn(path: Path, notebook: vscode.NotebookDocument | undefined): WaitingCells | undefined {
    if (notebook === undefined) return this.#closed.get(path);
    const waiting = notebook.getCells().flatMap(({ document, metadata, index }): WaitingCell[] => {
      const tracked = this.#cells.get(document.uri.toString());
      return tracked === undefined
        ? []
        : [{ id: ownId(metadata), index, file: tracked.file, replaced: tracked.replaced }];
    });
    const gone = this.#removed.of(path);
    return waiting.length + gone.length === 0 ? undefined : { cells: waiting, removed: gone };
  }

  #save(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const path of this.#unsaved)
      this.#store.save(path, this.#waitingIn(path, this.#closed.has(path) ? undefined : openNotebook(path)));
    this.#unsaved.clear();
  }

  #saveSoon(paths: Path[]): void {
    paths.forEach((path) => this.#unsaved.add(path));
    this.#timer ??= setTimeout(() => this.#save(), settleMs);
  }

  #detach(notebook: vscode.NotebookDocument): void {
    const path = pathOf(notebook.uri);
    const waiting = this.#waitingIn(path, notebook);
    if (waiting === undefined) return;
    this.keep(path);
    this.#closed.set(path, waiting);
    this.#changed.fire([path]);
  }

  /** What was changed in the file meanwhile counts like an edit of the user. */
  #attach(notebook: vscode.NotebookDocument): void {
    const path = pathOf(notebook.uri);
    const waiting = this.#closed.get(path);
    if (waiting === undefined) return;
    this.#closed.delete(path);
    const present = notebook.getCells();
    for (const { document, file, replaced } of foundAgain(waiting.cells, present))
      this.#put({ path, uri: document.uri, file, replaced }, seeText(file, document.getText()));
    this.#removed.append(
      waiting.removed.flatMap((removal) =>
        isBack(present, removal) ? [] : { ...removal, path, index: Math.min(removal.index, present.length) },
      ),
    );
    this.#changed.fire([path]);
  }

  /** A notebook that is gone has nothing to review. */
  async #opened(path: Path): Promise<vscode.NotebookDocument | undefined> {
    if (!this.#closed.has(path)) return openNotebook(path);
    try {
      const notebook = await vscode.workspace.openNotebookDocument(uriOf(path));
      this.#attach(notebook);
      return notebook;
    } catch {
      if ((await this.#files.stat(path)) === undefined) this.keep(path);
      return undefined;
    }
  }

  /** The notebook is Deft's own to change meanwhile: that is not a user's edit. */
  async #rewrite(path: Path, work: () => Promise<boolean>): Promise<UndoOutcome> {
    if ((await this.#opened(path)) === undefined)
      return { outcome: 'refused', message: `${path} could not be opened in a notebook editor.` };
    const wasDirty = openNotebook(path)?.isDirty ?? false;
    this.#writing.add(path);
    try {
      if (!(await work()))
        return { outcome: 'refused', message: `${path} could not be changed in its notebook editor.` };
    } finally {
      this.#writing.delete(path);
      this.#changed.fire([path]);
    }
    if (!wasDirty) await openNotebook(path)?.save();
    this.#undone.fire(path);
    return { outcome: 'undone' };
  }

  /** A cell that is not there any more went with another change. */
  async #undoCell(tracked: TrackedCell, typed: NonNullable<TypedAnswer>): Promise<boolean> {
    const cell = cellAt(tracked.uri);
    if (cell !== undefined && !(await putBack(cell, tracked, typed))) return false;
    this.#cells.delete(tracked.uri.toString());
    return true;
  }

  async #restore(): Promise<void> {
    for (const [path, waiting] of await this.#store.load()) {
      if (this.#hasAny(path)) continue;
      this.#closed.set(path, waiting);
      const notebook = openNotebook(path);
      if (notebook !== undefined) this.#attach(notebook);
      else if ((await this.#files.stat(path)) === undefined) this.keep(path);
      else this.#changed.fire([path]);
    }
  }
}
