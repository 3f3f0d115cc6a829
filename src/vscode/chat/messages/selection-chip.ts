// The selection or open file that goes along with a message, as a chip in the composer.
import * as vscode from 'vscode';
import { type PromptInput } from '../../../core/prompt/compose-prompt';
import { type SelectionChip } from '../../../shared/surroundings';
import { pathOf } from '../../host/uri-path';

const settleMs = 120;

export interface SelectionSource extends vscode.Disposable {
  chip(): SelectionChip | null;
  input(): PromptInput['selection'];
}

/** `changed` is called at most every 120 ms. Only documents of the workspace's own files count. */
export function createSelectionSource(isHidden: (path: string) => boolean, changed: () => void): SelectionSource {
  let editor = usable(vscode.window.activeTextEditor);
  let timer: NodeJS.Timeout | undefined;
  const update = (next: vscode.TextEditor | undefined): void => {
    // Focus in the chat means no active editor: the last one still counts while it is visible.
    if (next !== undefined) editor = usable(next);
    else if (editor !== undefined && !vscode.window.visibleTextEditors.includes(editor)) editor = undefined;
    timer ??= setTimeout(() => {
      timer = undefined;
      changed();
    }, settleMs);
  };
  const subscriptions = [
    vscode.window.onDidChangeActiveTextEditor(update),
    vscode.window.onDidChangeVisibleTextEditors(() => update(vscode.window.activeTextEditor)),
    vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => update(textEditor)),
  ];
  const shown = (): vscode.TextEditor | undefined =>
    editor !== undefined && !isHidden(pathOf(editor.document.uri)) ? editor : undefined;

  return {
    chip() {
      const current = shown();
      if (current === undefined) return null;
      const { uri } = current.document;
      // A cell has an address of its own, of which VS Code knows no folder.
      const path = vscode.workspace.asRelativePath(uri.scheme === 'vscode-notebook-cell' ? uri.fsPath : uri);
      const { selection } = current;
      const label = selection.isEmpty ? path : `${path}:${selection.start.line + 1}-${lastLine(selection)}`;
      return { label, path };
    },
    input() {
      const current = shown();
      return current && selectionIn(current);
    },
    dispose() {
      clearTimeout(timer);
      subscriptions.forEach((subscription) => subscription.dispose());
    },
  };
}

export function selectionIn({ selection, document }: vscode.TextEditor): NonNullable<PromptInput['selection']> {
  return {
    path: pathOf(document.uri),
    startLine: selection.start.line + 1,
    endLine: lastLine(selection),
    text: selection.isEmpty ? '' : document.getText(selection),
  };
}

/** 1-based; a selection that ends at the start of a line does not include that line. */
function lastLine(selection: vscode.Selection): number {
  return selection.end.character === 0 && !selection.isEmpty ? selection.end.line : selection.end.line + 1;
}

/** What Deft itself shows or keeps, such as the plan of a commit, is nothing that the user chose to talk about. */
function usable(editor: vscode.TextEditor | undefined): vscode.TextEditor | undefined {
  if (editor === undefined) return undefined;
  const { uri, languageId } = editor.document;
  const isOwn = uri.scheme.startsWith('deft') || languageId.startsWith('deft-');
  const isNoFile = ['output', 'debug', 'vscode-settings', 'walkThrough', 'comment'].includes(uri.scheme);
  return isOwn || isNoFile ? undefined : editor;
}
