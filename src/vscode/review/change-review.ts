// Changes that Deft made without asking: marked in the real editor, kept or undone by hunk, by file or all at once.
import path from 'node:path';
import * as vscode from 'vscode';
import { type Log } from '../../core/ports/log';
import { type Path } from '../../core/ports/path';
import { type ChangedFile } from '../../shared/chat';
import { type LineHunk } from '../files/line-hunks';
import { createVscodeFileSystem, type WriteWatcher } from '../files/vscode-file-system';
import { type WriteSettingsOf } from '../files/write-text';
import { filePathOf, uriOf } from '../host/uri-path';
import { cellAt } from '../notebooks/cell-places';
import { type CellWatcher } from '../notebooks/vscode-notebooks';
import { createCallDiffs } from './call-diff';
import { comparedCommands, fileLenses } from './compared-commands';
import { type ComparedFiles, createComparedFiles } from './compared-files';
import { type CallTexts } from './call-texts';
import { changeCommands, nameOf, sayNothingThere } from './change-commands';
import { goTo } from './go-to-hunk';
import { createHunkMarks } from './hunk-marks';
import { type HunkPlace, nextPlace } from './next-place';
import { type ChangeChats, makersOf, noChats, type OwnedChange, partsOf, sumOf } from './owned-changes';
import { createQuickDiff } from './quick-diff';
import { removedLenses } from './removed-lenses';
import { type ReviewFiles } from './review-files';
import { askTyped, confirmDelete } from './review-questions';
import { createReviewSigns, type Pending } from './review-signs';
import { createTrackedCells } from './tracked-cells';
import { createTrackedFiles } from './tracked-files';
import {
  findHunk,
  hunksOf,
  isAllOf,
  isSettled,
  keepAll,
  keepLines,
  ownersOf,
  rewoundTo,
  type TrackedFile,
  unreviewedHunks,
  type Whose,
} from './tracked-file';
import { undoOneHunk, undoOwn, type UndoOutcome } from './undo-changes';

export interface ChangeReview extends vscode.Disposable {
  /** For the FileSystem port: unapproved writes are marked from their first byte on. */
  readonly watch: WriteWatcher;
  /** For the Notebooks port: the same for cells of open notebooks. */
  readonly watchCells: CellWatcher;
  /** What waits for review, sorted by path. */
  changes(): ChangedFile[];
  readonly onDidChange: vscode.Event<void>;
  /** The user undid a hunk of this file, or all of it. */
  readonly onDidUndo: vscode.Event<Path>;
  /** `whose`: only what these sessions changed. */
  keep(path?: Path, whose?: Whose): void;
  undo(path?: Path, whose?: Whose): Promise<UndoOutcome[]>;
  keepHunk(path: Path, seen: Pick<LineHunk, 'newStart' | 'newEnd'>): boolean;
  undoHunk(path: Path, seen: Pick<LineHunk, 'newStart' | 'newEnd'>): Promise<UndoOutcome>;
  /** A rewind is about to put this text there, or to delete the file: what it takes back loses its marks. */
  putBack(path: Path, text: string | undefined): void;
  /** The difference of a changed file as a diff editor; a file without one is simply opened. */
  open(path: Path): Promise<void>;
  /** What that call changed, whatever became of the file since. */
  openCall(id: string, texts: CallTexts): Promise<void>;
  /** All that changed since a point that the user chose. */
  readonly compared: ComparedFiles;
  /** The changes of this file one by one; all cells of a notebook are one. */
  parts(path: Path): OwnedChange[];
  /** Goes to the first change of these files. */
  openFirst(paths: readonly Path[]): Promise<void>;
  /** keepHunk, undoHunk, nextEdit, previousEdit and the lens's peek, by their full names. */
  readonly commands: Record<string, (...args: never[]) => unknown>;
  /** Chats have other titles or sessions than before: marks that name them are made anew. */
  chatsChanged(): void;
  /** What a reload left behind is in place. */
  readonly restored: Promise<void>;
  /** Resolves when the present state is on disk: for deactivate(). */
  flush(): Promise<void>;
}

export interface ChangeReviewOptions {
  /** A folder of its own that survives a reload. */
  storage: string;
  files: ReviewFiles;
  /** How undoing writes; default: without saving what the user has typed. */
  settings?: WriteSettingsOf;
  /** Default: no chat has a name. */
  chats?: ChangeChats;
  log: Log;
}

const everybody: Whose = () => true;

export function createChangeReview(options: ChangeReviewOptions): ChangeReview {
  return new Review(options);
}

class Review implements ChangeReview {
  /** Undoing writes like the tools do; its own watcher is the one that they use. */
  readonly #files;
  readonly #tracked;
  readonly #quickDiff;
  readonly #cells;
  readonly #callDiffs;
  readonly compared: ComparedFiles;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #undone = new vscode.EventEmitter<Path>();
  readonly #renamed = new vscode.EventEmitter<void>();
  readonly #pending: Pending;
  readonly #parts;
  readonly #services;
  readonly watch: WriteWatcher = (path) => this.#tracked.watch(path);
  readonly watchCells: CellWatcher = (notebook) => this.#cells.watch(notebook);
  readonly onDidChange = this.#changed.event;
  readonly onDidUndo = this.#undone.event;
  readonly commands: ChangeReview['commands'];
  readonly restored: Promise<void>;

  constructor({ storage, files: reviewFiles, settings, chats = noChats, log }: ChangeReviewOptions) {
    this.#files = createVscodeFileSystem({
      settings: settings ?? (() => ({ autosave: false })),
      watch: (path) => this.#tracked.watch(path),
    });
    this.#tracked = createTrackedFiles(storage, this.#files, log);
    this.#quickDiff = createQuickDiff(this.#tracked, reviewFiles);
    this.#cells = createTrackedCells({ storage: path.join(storage, 'cells'), files: this.#files, log, askTyped });
    this.#callDiffs = createCallDiffs(reviewFiles);
    this.compared = createComparedFiles(this.#files, reviewFiles);
    this.#pending = {
      paths: () => this.#pendingPaths(),
      has: (uri) => this.#markedIn(uri).length > 0 || this.#tracked.get(filePathOf(uri) ?? '') !== undefined,
      onDidChange: (listener) =>
        vscode.Disposable.from(
          this.#tracked.onDidChange(listener),
          this.#cells.onDidChange(listener),
          this.compared.onDidChange(() => listener([])),
        ),
    };
    this.#parts = [
      this.#tracked,
      this.#cells,
      this.compared,
      this.#quickDiff,
      createHunkMarks({
        hunksOf: (uri) => this.#hunksOf(uri),
        makersOf: (uri, hunk) => makersOf(this.#fileOf(uri), hunk, chats),
        onDidChange: (changed) =>
          vscode.Disposable.from(this.#pending.onDidChange(changed), this.#renamed.event(changed)),
        moreHunksOf: (uri) => this.#onlyCompared(uri),
        otherLenses: (document) => removedLenses(document, this.#cells),
        lastLenses: (document) => fileLenses(document, this.compared),
      }),
      createReviewSigns(this.#pending),
      this.#changed,
      this.#undone,
      this.#renamed,
      this.#cells.onDidUndo((path) => this.#undone.fire(path)),
      this.#pending.onDidChange(() => this.#changed.fire()),
    ];
    this.#services = { tracked: this.#tracked, files: this.#files, askTyped };
    const files = comparedCommands({
      compared: this.compared,
      waiting: {
        has: (each) => this.#tracked.paths().includes(each),
        keep: (each) => this.keep(each),
        undo: (each) => this.undo(each),
      },
      undone: (each) => this.#undone.fire(each),
    });
    const hunks = changeCommands({
      changes: {
        keepHunk: (...hunk) => this.#keepAnywhere(...hunk),
        undoHunk: (...hunk) => this.#undoAnywhere(...hunk),
      },
      cells: this.#cells,
      files: reviewFiles,
      move: (direction) => this.#move(direction),
      openMaker: (uri, hunk) => {
        const file = this.#fileOf(uri);
        const [session] = file === undefined ? [] : ownersOf(file, hunk);
        if (session !== undefined) chats.reveal(session);
      },
    });
    this.commands = { ...hunks, ...files };
    this.restored = Promise.all([this.#tracked.restored, this.#cells.restored]).then(() => undefined);
  }

  changes(): ChangedFile[] {
    return this.#pendingPaths().map((path) => ({ path, ...sumOf(this.parts(path)) }));
  }

  parts(path: Path): OwnedChange[] {
    const file = this.#tracked.get(path);
    const inCells = this.#cells.paths().includes(path) ? [this.#cells.summary(path)] : [];
    return [
      ...(file === undefined ? [] : partsOf(file)),
      ...inCells.map(({ sessions, added, removed }) => ({ owners: [...new Set(sessions)], added, removed })),
    ];
  }

  keep(path?: Path, whose = everybody): void {
    (path === undefined ? this.#pendingPaths() : [path]).forEach((each) => {
      this.#keepLines(each, whose);
      if (whose(this.#cells.summary(each).sessions)) this.#cells.keep(each);
    });
  }

  async undo(path?: Path, whose = everybody): Promise<UndoOutcome[]> {
    const outcomes: UndoOutcome[] = [];
    for (const each of path === undefined ? this.#pendingPaths() : [path]) {
      const inCells = this.#cells.paths().includes(each);
      if (inCells && whose(this.#cells.summary(each).sessions)) outcomes.push(await this.#cells.undo(each));
      if (!inCells || this.#tracked.get(each) !== undefined)
        outcomes.push(this.#announce(each, await undoOwn(each, whose, this.#services, confirmDelete)));
    }
    return outcomes;
  }

  keepHunk(path: Path, seen: Pick<LineHunk, 'newStart' | 'newEnd'>): boolean {
    const file = this.#tracked.get(path);
    const hunk = file === undefined ? undefined : findHunk(unreviewedHunks(file), seen);
    if (file === undefined || hunk === undefined) return false;
    const next = keepLines(file, hunk);
    this.#tracked.put(path, isSettled(next) ? undefined : next);
    return true;
  }

  async undoHunk(path: Path, seen: Pick<LineHunk, 'newStart' | 'newEnd'>): Promise<UndoOutcome> {
    return this.#announce(path, await undoOneHunk(path, seen, this.#services));
  }

  putBack(path: Path, text: string | undefined): void {
    const file = this.#tracked.get(path);
    this.#cells.keep(path);
    if (file === undefined) return;
    const next = rewoundTo(file, text ?? '');
    this.#tracked.put(path, text === undefined || unreviewedHunks(next).length === 0 ? undefined : next);
  }

  async open(path: Path): Promise<void> {
    const uri = uriOf(path);
    if (this.#cells.paths().includes(path)) return showCell(await this.#cells.first(path));
    if (this.#tracked.get(path) === undefined)
      await vscode.commands.executeCommand('vscode.open', uri, { preview: true });
    else
      await vscode.commands.executeCommand(
        'vscode.diff',
        this.#quickDiff.serve(path),
        uri,
        `${nameOf(uri)} (Deft's changes)`,
        { preview: true },
      );
  }

  chatsChanged(): void {
    this.#renamed.fire();
  }

  openCall(id: string, texts: CallTexts): Promise<void> {
    return this.#callDiffs.show(id, texts);
  }

  async openFirst(paths: readonly Path[]): Promise<void> {
    const first = this.#places().find(({ path }) => paths.includes(path));
    if (first === undefined) await this.#openFirstCell(paths);
    else await goTo(uriOf(first.path), first.hunk);
  }

  async flush(): Promise<void> {
    await Promise.all([this.#tracked.flush(), this.#cells.flush()]);
  }

  dispose(): void {
    this.#parts.toReversed().forEach((part) => part.dispose());
  }

  /** In both: a change that waits for review may be compared, too. */
  #keepAnywhere(path: Path, seen: Pick<LineHunk, 'newStart' | 'newEnd'>): boolean {
    const [waited, compared] = [this.keepHunk(path, seen), this.compared.keepHunk(path, seen)];
    return waited || compared;
  }

  /** What waits for review is undone by the rules of that, which ask about what the user typed. */
  async #undoAnywhere(path: Path, seen: Pick<LineHunk, 'newStart' | 'newEnd'>): Promise<UndoOutcome> {
    const file = this.#tracked.get(path);
    const waits = file !== undefined && findHunk(unreviewedHunks(file), seen) !== undefined;
    const outcome = waits ? undefined : await this.compared.undoHunk(path, seen);
    return outcome === undefined ? this.undoHunk(path, seen) : this.#announce(path, outcome);
  }

  /** Changes that a comparison shows, and that do not wait for review. */
  #onlyCompared(uri: vscode.Uri): readonly LineHunk[] {
    const compared = this.compared.hunksOf(uri);
    if (compared.length === 0) return compared;
    const waiting = this.#hunksOf(uri);
    return compared.filter((hunk) => findHunk(waiting, hunk) === undefined);
  }

  #markedIn(uri: vscode.Uri): readonly LineHunk[] {
    const waiting = this.#hunksOf(uri);
    return waiting.length > 0 ? waiting : this.compared.hunksOf(uri);
  }

  #announce(path: Path, outcome: UndoOutcome): UndoOutcome {
    if (outcome.outcome === 'undone') this.#undone.fire(path);
    return outcome;
  }

  #keepLines(path: Path, whose: Whose): void {
    const file = this.#tracked.get(path);
    if (file === undefined) return;
    this.#tracked.put(path, isAllOf(file, whose) ? undefined : keepAll(file, hunksOf(file, whose)));
  }

  #fileOf(uri: vscode.Uri): TrackedFile | undefined {
    if (cellAt(uri) !== undefined) return this.#cells.file(uri);
    const path = filePathOf(uri);
    return path === undefined ? undefined : this.#tracked.get(path);
  }

  #hunksOf(uri: vscode.Uri): readonly LineHunk[] {
    const file = this.#fileOf(uri);
    return file === undefined ? [] : unreviewedHunks(file);
  }

  #pendingPaths(): Path[] {
    return [...new Set([...this.#tracked.paths(), ...this.#cells.paths()])].sort();
  }

  #places(): HunkPlace[] {
    return this.#tracked.paths().flatMap((path) => {
      const file = this.#tracked.get(path);
      return file === undefined ? [] : unreviewedHunks(file).map((hunk) => ({ path, hunk }));
    });
  }

  async #openFirstCell(paths: readonly Path[] = this.#cells.paths()): Promise<void> {
    const path = this.#cells.paths().find((one) => paths.includes(one));
    if (path === undefined) void vscode.window.showInformationMessage('Deft: no change waits for review.');
    else await showCell(await this.#cells.first(path));
  }

  async #move(direction: 1 | -1): Promise<void> {
    if (this.compared.isShown() && (await moveInMultiDiff(direction))) return;
    if (vscode.window.tabGroups.activeTabGroup.activeTab?.input instanceof vscode.TabInputTextDiff) {
      await vscode.commands.executeCommand(
        direction === 1 ? 'workbench.action.compareEditor.nextChange' : 'workbench.action.compareEditor.previousChange',
      );
      return;
    }
    const active = vscode.window.activeTextEditor;
    const place = nextPlace(
      this.#places(),
      active && filePathOf(active.document.uri),
      active?.selection.active.line ?? -1,
      direction,
    );
    if (place === undefined) await this.#openFirstCell();
    else await goTo(uriOf(place.path), place.hunk);
  }
}

async function showCell(place: { notebook: vscode.NotebookDocument; index: number } | undefined): Promise<void> {
  if (place === undefined) return sayNothingThere();
  const { notebook, index } = place;
  await vscode.window.showNotebookDocument(notebook, { selections: [new vscode.NotebookRange(index, index + 1)] });
}

/** VS Code's own step through all files. False where this version has none. */
async function moveInMultiDiff(direction: 1 | -1): Promise<boolean> {
  const command = `multiDiffEditor.goTo${direction === 1 ? 'Next' : 'Previous'}Change`;
  return vscode.commands.executeCommand(command).then(
    () => true,
    () => false,
  );
}
