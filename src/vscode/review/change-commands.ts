// What the editor title, code lenses, the peek and the palette do to changes that wait for review, by the full names of their commands.
import * as vscode from 'vscode';
import { type Path } from '../../core/ports/path';
import { type LineHunk } from '../files/line-hunks';
import { pathOf } from '../host/uri-path';
import { cellAt } from '../notebooks/cell-places';
import { goTo } from './go-to-hunk';
import { makerCommand, peekCommand } from './hunk-marks';
import { type Removal } from './removals';
import { removedCommands } from './removed-lenses';
import { type ReviewFiles, reviewUri } from './review-files';
import { type TrackedCells } from './tracked-cells';
import { type UndoOutcome } from './undo-changes';

/** What the commands do it to. */
export interface CommandedChanges {
  changes: {
    keepHunk(path: Path, seen: SeenLines): boolean;
    undoHunk(path: Path, seen: SeenLines): Promise<UndoOutcome>;
  };
  cells: TrackedCells;
  files: ReviewFiles;
  /** To the next change, or back to the one before. */
  move(direction: 1 | -1): Promise<void>;
  /** Shows the chat that made this change. */
  openMaker(uri: vscode.Uri, hunk: LineHunk): void;
}

type SeenLines = Pick<LineHunk, 'newStart' | 'newEnd'>;

export function changeCommands({
  changes,
  cells,
  files,
  move,
  openMaker,
}: CommandedChanges): Record<string, (...args: never[]) => unknown> {
  return {
    'deft.keepHunk': (...args: unknown[]) => {
      const target = hunkTarget(args);
      const kept =
        target !== undefined &&
        (cellAt(target.uri) === undefined
          ? changes.keepHunk(pathOf(target.uri), target.seen)
          : cells.keepHunk(target.uri, target.seen));
      if (!kept) sayNothingThere();
    },
    'deft.undoHunk': async (...args: unknown[]) => {
      const target = hunkTarget(args);
      if (target === undefined) sayNothingThere();
      else
        complain([
          await (cellAt(target.uri) === undefined
            ? changes.undoHunk(pathOf(target.uri), target.seen)
            : cells.undoHunk(target.uri, target.seen)),
        ]);
    },
    'deft.nextEdit': () => move(1),
    'deft.previousEdit': () => move(-1),
    [peekCommand]: (uri: vscode.Uri, hunk: LineHunk) =>
      cellAt(uri) === undefined ? peek(uri, hunk) : compareCell(uri, cells.baseline(uri) ?? '', files),
    [makerCommand]: openMaker,
    [removedCommands.show]: (uri: vscode.Uri, removal: Removal) => showRemoved(uri, removal, files),
    [removedCommands.keep]: (_uri: vscode.Uri, removal: Removal) => {
      if (!cells.keepRemoved(removal)) sayNothingThere();
    },
    [removedCommands.undo]: async (_uri: vscode.Uri, removal: Removal) => complain([await cells.undoRemoved(removal)]),
  };
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

/** The lens, the peek (URI, all its changes, which one) and the palette name a hunk each in its own way. */
function hunkTarget([first, second, index]: unknown[]): { uri: vscode.Uri; seen: SeenLines } | undefined {
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
function peekedLines(change: { modifiedStartLineNumber: number; modifiedEndLineNumber: number }): SeenLines {
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

export function complain(outcomes: UndoOutcome[]): void {
  const messages = outcomes.flatMap((outcome) => (outcome.outcome === 'refused' ? [outcome.message] : []));
  if (messages.length > 0) void vscode.window.showWarningMessage(`Deft: ${messages.join(' ')}`);
}

export function sayNothingThere(): void {
  void vscode.window.showInformationMessage('Deft: no change waits for review here.');
}

export function nameOf(uri: vscode.Uri): string {
  return uri.path.slice(uri.path.lastIndexOf('/') + 1);
}
