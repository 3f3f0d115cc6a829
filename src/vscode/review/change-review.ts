// Changes that Deft made without asking: marked in the real editor, kept or undone by hunk, by file or all at once.
import path from 'node:path';
import * as vscode from 'vscode';
import { type Log, type Path } from '../../core/ports';
import { type ChangedFile } from '../../shared/chat';
import { type LineHunk } from '../files/line-hunks';
import { filePathOf, pathOf, uriOf } from '../host/uri-path';
import { createVscodeFileSystem, type WriteWatcher } from '../files/vscode-file-system';
import { type WriteSettingsOf } from '../files/write-text';
import { cellAt } from '../notebooks/cell-places';
import { type CellWatcher } from '../notebooks/vscode-notebooks';
import { createCallDiffs } from './call-diff';
import { type CallTexts } from './call-texts';
import { goTo } from './go-to-hunk';
import { createHunkMarks, peekCommand } from './hunk-marks';
import { type HunkPlace, nextPlace } from './next-place';
import { createQuickDiff } from './quick-diff';
import { type ReviewFiles, reviewUri } from './review-files';
import { createReviewSigns, type Pending } from './review-signs';
import { removedCommands, removedLenses } from './removed-lenses';
import { createTrackedCells, type Removal } from './tracked-cells';
import { changedLines, findHunk, isSettled, keepLines, unreviewedHunks } from './tracked-file';
import { createTrackedFiles } from './tracked-files';
import { undoFile, undoOneHunk, type UndoOutcome } from './undo-changes';

export interface ChangeReview extends vscode.Disposable {
  /** For the FileSystem port: unapproved writes are marked from their first byte on. */
  readonly watch: WriteWatcher;
  /** For the Notebooks port: the same for cells of open notebooks. */
  readonly watchCells: CellWatcher;
  /** What waits for review, sorted by path. */
  changes(): ChangedFile[];
  readonly onDidChange: vscode.Event<void>;
  keep(path?: Path): void;
  undo(path?: Path): Promise<UndoOutcome[]>;
  keepHunk(path: Path, seen: Pick<LineHunk, 'newStart' | 'newEnd'>): boolean;
  undoHunk(path: Path, seen: Pick<LineHunk, 'newStart' | 'newEnd'>): Promise<UndoOutcome>;
  /** A rewind is about to put this text there, or to delete the file: what it takes back loses its marks. */
  putBack(path: Path, text: string | undefined): void;
  /** The difference of a changed file as a diff editor; a file without one is simply opened. */
  open(path: Path): Promise<void>;
  /** What that call changed, whatever became of the file since. */
  openCall(id: string, texts: CallTexts): Promise<void>;
  /** What the chat's strip asks for: `open` goes to the first change. */
  review(action: 'open' | 'keep' | 'undo', path: Path | undefined): Promise<void>;
  /** keepHunk, undoHunk, keepAllChanges, undoAllChanges, nextEdit, previousEdit and the lens's peek, by their full names. */
  readonly commands: Record<string, (...args: never[]) => unknown>;
  /** What a reload left behind is in place. */
  readonly restored: Promise<void>;
  /** Resolves when the present state is on disk: for deactivate(). */
  flush(): Promise<void>;
}

export interface ChangeReviewOptions {
  /** A folder of its own that survives a reload. */
  storage: string;
  files: ReviewFiles;
  /** How undoing writes; default: without saving what the person has typed. */
  settings?: WriteSettingsOf;
  log: Log;
}

export function createChangeReview({ storage, files: reviewFiles, settings, log }: ChangeReviewOptions): ChangeReview {
  // Undoing writes like the tools do; its own watcher is the one that they use.
  const files = createVscodeFileSystem({
    settings: settings ?? (() => ({ autosave: false })),
    watch: (path) => tracked.watch(path),
  });
  const tracked = createTrackedFiles(storage, files, log);
  const quickDiff = createQuickDiff(tracked, reviewFiles);
  const cells = createTrackedCells(path.join(storage, 'cells'), files, log);
  const callDiffs = createCallDiffs(reviewFiles);
  const changed = new vscode.EventEmitter<void>();
  const fileHunks = (uri: vscode.Uri): readonly LineHunk[] => {
    const path = filePathOf(uri);
    const file = path === undefined ? undefined : tracked.get(path);
    return file === undefined ? [] : unreviewedHunks(file);
  };
  const hunksOf = (uri: vscode.Uri): readonly LineHunk[] =>
    cellAt(uri) === undefined ? fileHunks(uri) : cells.hunks(uri);
  const pendingPaths = (): Path[] => [...new Set([...tracked.paths(), ...cells.paths()])].sort();
  const pending: Pending = {
    paths: pendingPaths,
    has: (uri) => hunksOf(uri).length > 0 || tracked.get(filePathOf(uri) ?? '') !== undefined,
    onDidChange: (listener) => vscode.Disposable.from(tracked.onDidChange(listener), cells.onDidChange(listener)),
  };
  const parts = [
    tracked,
    cells,
    quickDiff,
    createHunkMarks(hunksOf, pending.onDidChange, (document) => removedLenses(document, cells)),
    createReviewSigns(pending),
    changed,
    pending.onDidChange(() => changed.fire()),
  ];
  const services = { tracked, files };

  const keepHunk: ChangeReview['keepHunk'] = (path, seen) => {
    const file = tracked.get(path);
    const hunk = file === undefined ? undefined : findHunk(unreviewedHunks(file), seen);
    if (file === undefined || hunk === undefined) return false;
    const next = keepLines(file, hunk);
    tracked.put(path, isSettled(next) ? undefined : next);
    return true;
  };
  const undo: ChangeReview['undo'] = async (path) => {
    const outcomes: UndoOutcome[] = [];
    for (const each of path === undefined ? pendingPaths() : [path]) {
      const inCells = cells.paths().includes(each);
      if (inCells) outcomes.push(await cells.undo(each));
      if (!inCells || tracked.get(each) !== undefined) outcomes.push(await undoFile(each, services, confirmDelete));
    }
    return outcomes;
  };
  const places = (): HunkPlace[] =>
    tracked.paths().flatMap((path) => {
      const file = tracked.get(path);
      return file === undefined ? [] : unreviewedHunks(file).map((hunk) => ({ path, hunk }));
    });
  const openFirstCell = async (): Promise<void> => {
    const [path] = cells.paths();
    if (path === undefined) void vscode.window.showInformationMessage('Deft: no change waits for review.');
    else await showCell(await cells.first(path));
  };
  const move = async (direction: 1 | -1): Promise<void> => {
    if (vscode.window.tabGroups.activeTabGroup.activeTab?.input instanceof vscode.TabInputTextDiff) {
      await vscode.commands.executeCommand(
        direction === 1 ? 'workbench.action.compareEditor.nextChange' : 'workbench.action.compareEditor.previousChange',
      );
      return;
    }
    const active = vscode.window.activeTextEditor;
    const place = nextPlace(
      places(),
      active && filePathOf(active.document.uri),
      active?.selection.active.line ?? -1,
      direction,
    );
    if (place === undefined) await openFirstCell();
    else await goTo(uriOf(place.path), place.hunk);
  };

  const review: ChangeReview = {
    watch: tracked.watch,
    watchCells: cells.watch,
    changes: () =>
      pendingPaths().map((path) => {
        const file = tracked.get(path);
        const [whole, inCells] = [
          file === undefined ? { added: 0, removed: 0 } : changedLines(file),
          cells.changed(path),
        ];
        return { path, added: whole.added + inCells.added, removed: whole.removed + inCells.removed };
      }),
    onDidChange: changed.event,
    keep: (path) =>
      (path === undefined ? pendingPaths() : [path]).forEach((each) => {
        tracked.put(each, undefined);
        cells.keep(each);
      }),
    undo,
    keepHunk,
    undoHunk: (path, seen) => undoOneHunk(path, seen, services),
    putBack(path, text) {
      const file = tracked.get(path);
      cells.keep(path);
      if (file === undefined) return;
      const next = { ...file, known: text ?? '', written: text ?? '' };
      tracked.put(path, text === undefined || unreviewedHunks(next).length === 0 ? undefined : next);
    },
    async open(path) {
      const uri = uriOf(path);
      if (cells.paths().includes(path)) return showCell(await cells.first(path));
      if (tracked.get(path) === undefined) await vscode.commands.executeCommand('vscode.open', uri, { preview: true });
      else
        await vscode.commands.executeCommand(
          'vscode.diff',
          quickDiff.serve(path),
          uri,
          `${nameOf(uri)} (Deft's changes)`,
          { preview: true },
        );
    },
    openCall: (id, texts) => callDiffs.show(id, texts),
    async review(action, path) {
      if (action === 'keep') review.keep(path);
      else if (action === 'undo') complain(await undo(path));
      else if (path !== undefined) await review.open(path);
      else if (tracked.paths().length > 0) await openFirst(places());
      else await openFirstCell();
    },
    commands: {
      'deft.keepHunk': (...args: unknown[]) => {
        const target = hunkTarget(args);
        const kept =
          target !== undefined &&
          (cellAt(target.uri) === undefined
            ? keepHunk(pathOf(target.uri), target.seen)
            : cells.keepHunk(target.uri, target.seen));
        if (!kept) sayNothingThere();
      },
      'deft.undoHunk': async (...args: unknown[]) => {
        const target = hunkTarget(args);
        if (target === undefined) sayNothingThere();
        else
          complain([
            await (cellAt(target.uri) === undefined
              ? review.undoHunk(pathOf(target.uri), target.seen)
              : cells.undoHunk(target.uri, target.seen)),
          ]);
      },
      // The editor title gives its file; the palette means all.
      'deft.keepAllChanges': (uri?: unknown) => review.keep(uri instanceof vscode.Uri ? pathOf(uri) : undefined),
      'deft.undoAllChanges': async (uri?: unknown) =>
        complain(await undo(uri instanceof vscode.Uri ? pathOf(uri) : undefined)),
      'deft.nextEdit': () => move(1),
      'deft.previousEdit': () => move(-1),
      [peekCommand]: (uri: vscode.Uri, hunk: LineHunk) =>
        cellAt(uri) === undefined ? peek(uri, hunk) : compareCell(uri, cells.baseline(uri) ?? '', reviewFiles),
      [removedCommands.show]: (uri: vscode.Uri, removal: Removal) => showRemoved(uri, removal, reviewFiles),
      [removedCommands.keep]: (_uri: vscode.Uri, removal: Removal) => {
        if (!cells.keepRemoved(removal)) sayNothingThere();
      },
      [removedCommands.undo]: async (_uri: vscode.Uri, removal: Removal) =>
        complain([await cells.undoRemoved(removal)]),
    },
    restored: Promise.all([tracked.restored, cells.restored]).then(() => undefined),
    flush: async () => void (await Promise.all([tracked.flush(), cells.flush()])),
    dispose: () => parts.toReversed().forEach((part) => part.dispose()),
  };
  return review;
}

async function showCell(place: { notebook: vscode.NotebookDocument; index: number } | undefined): Promise<void> {
  if (place === undefined) return sayNothingThere();
  const { notebook, index } = place;
  await vscode.window.showNotebookDocument(notebook, { selections: [new vscode.NotebookRange(index, index + 1)] });
}

/** As a document that cannot be changed. */
async function showRemoved(uri: vscode.Uri, { data }: Removal, files: ReviewFiles): Promise<void> {
  const removed = reviewUri(uri, files.schemes.original, 'cell=removed');
  files.original.set(removed, data.value);
  const document = await vscode.workspace.openTextDocument(removed);
  await vscode.window.showTextDocument(await vscode.languages.setTextDocumentLanguage(document, data.languageId), {
    preview: true,
  });
}

/** Cells have no peek of removed lines, so theirs is a diff. */
async function compareCell(uri: vscode.Uri, baseline: string, files: ReviewFiles): Promise<void> {
  const before = reviewUri(uri, files.schemes.original, `cell=${uri.fragment}`);
  files.original.set(before, baseline);
  await vscode.commands.executeCommand('vscode.diff', before, uri, `${nameOf(uri)} (Deft's changes)`, {
    preview: true,
  });
}

async function openFirst([first]: HunkPlace[]): Promise<void> {
  if (first !== undefined) await goTo(uriOf(first.path), first.hunk);
}

/** The lens, the peek (URI, all its changes, which one) and the palette name a hunk each in its own way. */
function hunkTarget([first, second, index]: unknown[]):
  { uri: vscode.Uri; seen: Pick<LineHunk, 'newStart' | 'newEnd'> } | undefined {
  if (first instanceof vscode.Uri && Array.isArray(second) && typeof index === 'number') {
    const change = second[index] as { modifiedStartLineNumber: number; modifiedEndLineNumber: number } | undefined;
    return change === undefined ? undefined : { uri: first, seen: peekedLines(change) };
  }
  if (first instanceof vscode.Uri && isHunk(second)) return { uri: first, seen: second };
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) return undefined;
  const { line } = editor.selection.active;
  return { uri: editor.document.uri, seen: { newStart: line, newEnd: line + 1 } };
}

/** The peek counts from 1 and has the end 0 where lines were only removed, behind its start line. */
function peekedLines(change: {
  modifiedStartLineNumber: number;
  modifiedEndLineNumber: number;
}): Pick<LineHunk, 'newStart' | 'newEnd'> {
  const { modifiedStartLineNumber: start, modifiedEndLineNumber: end } = change;
  return end === 0 ? { newStart: start, newEnd: start } : { newStart: start - 1, newEnd: end };
}

function isHunk(value: unknown): value is LineHunk {
  return (
    typeof value === 'object' &&
    value !== null &&
    'newStart' in value &&
    typeof value.newStart === 'number' &&
    'newEnd' in value &&
    typeof value.newEnd === 'number'
  );
}

async function peek(uri: vscode.Uri, hunk: LineHunk): Promise<void> {
  await goTo(uri, hunk);
  await vscode.commands.executeCommand('editor.action.dirtydiff.next');
}

async function confirmDelete(path: Path): Promise<boolean> {
  const answer = await vscode.window.showWarningMessage(
    `Delete ${nameOf(uriOf(path))}?`,
    { modal: true, detail: 'It has changed since Deft made it.' },
    'Delete',
  );
  return answer === 'Delete';
}

function complain(outcomes: UndoOutcome[]): void {
  const messages = outcomes.flatMap((outcome) => (outcome.outcome === 'refused' ? [outcome.message] : []));
  if (messages.length > 0) void vscode.window.showWarningMessage(`Deft: ${messages.join(' ')}`);
}

function sayNothingThere(): void {
  void vscode.window.showInformationMessage('Deft: no change waits for review here.');
}

function nameOf(uri: vscode.Uri): string {
  return uri.path.slice(uri.path.lastIndexOf('/') + 1);
}
