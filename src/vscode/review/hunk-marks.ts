// Deft's unreviewed lines in the editor: background, overview ruler, and a row "Keep | Undo | 3 removed" above each.
import * as vscode from 'vscode';
import { type LineHunk } from '../files/line-hunks';

/** The command of the row's third part: shows the removed lines. It has no entry in the palette. */
export const peekCommand = 'deft.review.peek';

/** In text editors and in the cells of notebooks. */
export function createHunkMarks(
  hunksOf: (uri: vscode.Uri) => readonly LineHunk[],
  onDidChange: (changed: () => void) => vscode.Disposable,
  otherLenses: (document: vscode.TextDocument) => vscode.CodeLens[],
): vscode.Disposable {
  const added = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor('diffEditor.insertedLineBackground'),
    overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.addedForeground'),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
  });
  const lensesChanged = new vscode.EventEmitter<void>();
  const marked = new WeakSet<vscode.TextEditor>();
  const mark = (editor: vscode.TextEditor): void => {
    const ranges = hunksOf(editor.document.uri)
      .filter((hunk) => hunk.newEnd > hunk.newStart)
      .map((hunk) => new vscode.Range(hunk.newStart, 0, hunk.newEnd - 1, 0));
    if (ranges.length === 0 && !marked.has(editor)) return;
    editor.setDecorations(added, ranges);
    marked.add(editor);
  };
  const markAll = (): void => vscode.window.visibleTextEditors.forEach(mark);
  const subscriptions = [
    added,
    lensesChanged,
    onDidChange(() => {
      markAll();
      lensesChanged.fire();
    }),
    vscode.window.onDidChangeVisibleTextEditors(markAll),
    vscode.languages.registerCodeLensProvider(
      { pattern: '**' },
      {
        onDidChangeCodeLenses: lensesChanged.event,
        provideCodeLenses: (document) => [...otherLenses(document), ...hunkLenses(document, hunksOf(document.uri))],
      },
    ),
  ];
  markAll();
  return vscode.Disposable.from(...subscriptions);
}

/** Commands get the URI and the hunk. */
function hunkLenses(document: vscode.TextDocument, hunks: readonly LineHunk[]): vscode.CodeLens[] {
  return hunks.flatMap((hunk) => {
    const range = document.lineAt(Math.min(hunk.newStart, document.lineCount - 1)).range;
    const parts = [
      { title: '$(check) Keep', tooltip: 'Keep this change by Deft', command: 'deft.keepHunk' },
      { title: '$(discard) Undo', tooltip: 'Undo this change by Deft', command: 'deft.undoHunk' },
    ];
    const removed = hunk.oldEnd - hunk.oldStart;
    if (removed > 0)
      parts.push({ title: `${removed} removed`, tooltip: 'Show the removed lines', command: peekCommand });
    return parts.map((part) => new vscode.CodeLens(range, { ...part, arguments: [document.uri, hunk] }));
  });
}
