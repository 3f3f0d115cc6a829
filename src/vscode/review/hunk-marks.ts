// Deft's unreviewed lines in the editor: background, overview ruler, and a row "Keep | Undo | 3 removed" above each, with the chat where several have changed the file.
import * as vscode from 'vscode';
import { shortened } from '../../shared/cut-text';
import { type LineHunk } from '../files/line-hunks';

/** The command of the row's third part: shows the removed lines. It has no entry in the palette. */
export const peekCommand = 'deft.review.peek';
/** The command of its last part: shows the chat that made the change. It has no entry in the palette. */
export const makerCommand = 'deft.review.openMaker';

const maxTitle = 40;

export interface HunkMarksOptions {
  hunksOf(uri: vscode.Uri): readonly LineHunk[];
  /** The titles of the chats that made the change; undefined where there is but one in the file. */
  makersOf(uri: vscode.Uri, hunk: LineHunk): string[] | undefined;
  /** They get a row of their own, but no colour: they do not wait. */
  moreHunksOf(uri: vscode.Uri): readonly LineHunk[];
  onDidChange(changed: () => void): vscode.Disposable;
  otherLenses(document: vscode.TextDocument): vscode.CodeLens[];
  /** Behind all others of their line. */
  lastLenses(document: vscode.TextDocument): vscode.CodeLens[];
}

/** In text editors and in the cells of notebooks. */
export function createHunkMarks({
  hunksOf,
  makersOf,
  moreHunksOf,
  onDidChange,
  otherLenses,
  lastLenses,
}: HunkMarksOptions): vscode.Disposable {
  const added = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor('diffEditor.insertedLineBackground'),
    overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.addedForeground'),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
  });
  const lensesChanged = new vscode.EventEmitter<void>();
  const marked = new WeakSet<vscode.TextEditor>();
  const mark = (editor: vscode.TextEditor): void => {
    const { uri } = editor.document;
    const ranges = hunksOf(uri)
      .filter((hunk) => hunk.newEnd > hunk.newStart)
      .map((hunk): vscode.DecorationOptions => {
        const makers = makersOf(uri, hunk);
        const range = new vscode.Range(hunk.newStart, 0, hunk.newEnd - 1, 0);
        return makers === undefined ? { range } : { range, hoverMessage: plainText(`Deft: ${madeBy(makers)}`) };
      });
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
        provideCodeLenses: (document) => [
          ...otherLenses(document),
          ...hunksOf(document.uri).flatMap((hunk) => hunkLenses(document, hunk, makersOf(document.uri, hunk))),
          ...moreHunksOf(document.uri).flatMap((hunk) => hunkLenses(document, hunk, undefined).slice(0, 2)),
          ...lastLenses(document),
        ],
      },
    ),
  ];
  markAll();
  return vscode.Disposable.from(...subscriptions);
}

/** Commands get the URI and the hunk. */
function hunkLenses(document: vscode.TextDocument, hunk: LineHunk, makers: string[] | undefined): vscode.CodeLens[] {
  const range = document.lineAt(Math.min(hunk.newStart, document.lineCount - 1)).range;
  const parts = [
    { title: '$(check) Keep', tooltip: 'Keep this change by Deft', command: 'deft.keepHunk' },
    { title: '$(discard) Undo', tooltip: 'Undo this change by Deft', command: 'deft.undoHunk' },
  ];
  const removed = hunk.oldEnd - hunk.oldStart;
  if (removed > 0) parts.push({ title: `${removed} removed`, tooltip: 'Show the removed lines', command: peekCommand });
  if (makers !== undefined)
    parts.push({
      title: `$(comment-discussion) ${makers.map((title) => shortened(withoutIcons(title), maxTitle)).join(', ')}`,
      tooltip: `${madeBy(makers)}. Show the chat.`,
      command: makerCommand,
    });
  return parts.map((part) => new vscode.CodeLens(range, { ...part, arguments: [document.uri, hunk] }));
}

function madeBy(makers: readonly string[]): string {
  return `Changed by ${makers.map((title) => `“${title}”`).join(' and ')}`;
}

/** A title is what a user or a model wrote: it draws nothing. */
function withoutIcons(title: string): string {
  return title.replace(/\$\(/g, '$ (');
}

function plainText(text: string): vscode.MarkdownString {
  return new vscode.MarkdownString().appendText(text);
}
