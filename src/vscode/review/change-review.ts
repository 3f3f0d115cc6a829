// Changes that Deft made without asking: marked in the real editor, kept or undone by hunk, by file or all at once.
import * as vscode from 'vscode';
import { type Log, type Path } from '../../core/ports';
import { type ChangedFile } from '../../shared/chat';
import { type LineHunk } from '../files/line-hunks';
import { filePathOf, pathOf, uriOf } from '../files/uri-path';
import { createVscodeFileSystem, type WriteWatcher } from '../files/vscode-file-system';
import { type WriteSettings } from '../files/write-text';
import { goTo } from './go-to-hunk';
import { createHunkMarks, peekCommand } from './hunk-marks';
import { type HunkPlace, nextPlace } from './next-place';
import { createQuickDiff } from './quick-diff';
import { type ReviewFiles } from './review-files';
import { createReviewSigns } from './review-signs';
import { changedLines, findHunk, isSettled, keepLines, unreviewedHunks } from './tracked-file';
import { createTrackedFiles } from './tracked-files';
import { undoFile, undoOneHunk, type UndoOutcome } from './undo-changes';

export interface ChangeReview extends vscode.Disposable {
  /** For the FileSystem port: unapproved writes are marked from their first byte on. */
  readonly watch: WriteWatcher;
  /** What waits for review, sorted by path. */
  changes(): ChangedFile[];
  readonly onDidChange: vscode.Event<void>;
  keep(path?: Path): void;
  undo(path?: Path): Promise<UndoOutcome[]>;
  keepHunk(path: Path, seen: Pick<LineHunk, 'newStart' | 'newEnd'>): boolean;
  undoHunk(path: Path, seen: Pick<LineHunk, 'newStart' | 'newEnd'>): Promise<UndoOutcome>;
  /** The difference of a changed file as a diff editor; a file without one is simply opened. */
  open(path: Path): Promise<void>;
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
  settings?: () => WriteSettings;
  log: Log;
}

export function createChangeReview({ storage, files: reviewFiles, settings, log }: ChangeReviewOptions): ChangeReview {
  // Undoing writes like the tools do; its own watcher is the one that they use.
  const files = createVscodeFileSystem({ settings: settings ?? (() => ({ autosave: false })), watch: (path) => tracked.watch(path) });
  const tracked = createTrackedFiles(storage, files, log);
  const quickDiff = createQuickDiff(tracked, reviewFiles);
  const changed = new vscode.EventEmitter<void>();
  const parts = [tracked, quickDiff, createHunkMarks(tracked), createReviewSigns(tracked), changed, tracked.onDidChange(() => changed.fire())];
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
    for (const each of path === undefined ? tracked.paths() : [path]) outcomes.push(await undoFile(each, services, confirmDelete));
    return outcomes;
  };
  const places = (): HunkPlace[] =>
    tracked.paths().flatMap((path) => {
      const file = tracked.get(path);
      return file === undefined ? [] : unreviewedHunks(file).map((hunk) => ({ path, hunk }));
    });
  const move = async (direction: 1 | -1): Promise<void> => {
    if (vscode.window.tabGroups.activeTabGroup.activeTab?.input instanceof vscode.TabInputTextDiff) {
      await vscode.commands.executeCommand(direction === 1 ? 'workbench.action.compareEditor.nextChange' : 'workbench.action.compareEditor.previousChange');
      return;
    }
    const active = vscode.window.activeTextEditor;
    const place = nextPlace(places(), active && filePathOf(active.document.uri), active?.selection.active.line ?? -1, direction);
    if (place === undefined) void vscode.window.showInformationMessage('Deft: no change waits for review.');
    else await goTo(uriOf(place.path), place.hunk);
  };

  const review: ChangeReview = {
    watch: tracked.watch,
    changes: () =>
      tracked.paths().flatMap((path) => {
        const file = tracked.get(path);
        return file === undefined ? [] : [{ path, ...changedLines(file) }];
      }),
    onDidChange: changed.event,
    keep: (path) => (path === undefined ? tracked.paths() : [path]).forEach((each) => tracked.put(each, undefined)),
    undo,
    keepHunk,
    undoHunk: (path, seen) => undoOneHunk(path, seen, services),
    async open(path) {
      const uri = uriOf(path);
      if (tracked.get(path) === undefined) await vscode.commands.executeCommand('vscode.open', uri, { preview: true });
      else await vscode.commands.executeCommand('vscode.diff', quickDiff.serve(path), uri, `${nameOf(uri)} (Deft's changes)`, { preview: true });
    },
    async review(action, path) {
      if (action === 'keep') review.keep(path);
      else if (action === 'undo') complain(await undo(path));
      else if (path !== undefined) await review.open(path);
      else await openFirst(places());
    },
    commands: {
      'deft.keepHunk': (...args: unknown[]) => {
        const target = hunkTarget(args);
        if (target === undefined || !keepHunk(target.path, target.seen)) sayNothingThere();
      },
      'deft.undoHunk': async (...args: unknown[]) => {
        const target = hunkTarget(args);
        if (target === undefined) sayNothingThere();
        else complain([await review.undoHunk(target.path, target.seen)]);
      },
      // The editor title gives its file; the palette means all.
      'deft.keepAllChanges': (uri?: unknown) => review.keep(uri instanceof vscode.Uri ? pathOf(uri) : undefined),
      'deft.undoAllChanges': async (uri?: unknown) => complain(await undo(uri instanceof vscode.Uri ? pathOf(uri) : undefined)),
      'deft.nextEdit': () => move(1),
      'deft.previousEdit': () => move(-1),
      [peekCommand]: peek,
    },
    restored: tracked.restored,
    flush: () => tracked.flush(),
    dispose: () => parts.toReversed().forEach((part) => part.dispose()),
  };
  return review;
}

async function openFirst([first]: HunkPlace[]): Promise<void> {
  if (first !== undefined) await goTo(uriOf(first.path), first.hunk);
}

/** The lens, the peek (URI, all its changes, which one) and the palette name a hunk each in its own way. */
function hunkTarget([first, second, index]: unknown[]): { path: Path; seen: Pick<LineHunk, 'newStart' | 'newEnd'> } | undefined {
  if (first instanceof vscode.Uri && Array.isArray(second) && typeof index === 'number') {
    const change = second[index] as { modifiedStartLineNumber: number; modifiedEndLineNumber: number } | undefined;
    return change === undefined ? undefined : { path: pathOf(first), seen: peekedLines(change) };
  }
  if (first instanceof vscode.Uri && isHunk(second)) return { path: pathOf(first), seen: second };
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) return undefined;
  const { line } = editor.selection.active;
  return { path: pathOf(editor.document.uri), seen: { newStart: line, newEnd: line + 1 } };
}

/** The peek counts from 1 and has the end 0 where lines were only removed, behind its start line. */
function peekedLines(change: { modifiedStartLineNumber: number; modifiedEndLineNumber: number }): Pick<LineHunk, 'newStart' | 'newEnd'> {
  const { modifiedStartLineNumber: start, modifiedEndLineNumber: end } = change;
  return end === 0 ? { newStart: start, newEnd: start } : { newStart: start - 1, newEnd: end };
}

function isHunk(value: unknown): value is LineHunk {
  return typeof value === 'object' && value !== null && 'newStart' in value && typeof value.newStart === 'number' && 'newEnd' in value && typeof value.newEnd === 'number';
}

async function peek(uri: vscode.Uri, hunk: LineHunk): Promise<void> {
  await goTo(uri, hunk);
  await vscode.commands.executeCommand('editor.action.dirtydiff.next');
}

async function confirmDelete(path: Path): Promise<boolean> {
  const answer = await vscode.window.showWarningMessage(`Delete ${nameOf(uriOf(path))}?`, { modal: true, detail: 'It has changed since Deft made it.' }, 'Delete');
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
