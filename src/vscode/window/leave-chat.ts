// The way back out of a chat: to the editor, from a tab to what is next to it or to what its group showed before.
import * as vscode from 'vscode';
import { chatPanelType } from './chat-places';

const ordinals = ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth', 'Seventh', 'Eighth'];

export interface LeaveChat extends vscode.Disposable {
  readonly commands: { 'deft.leaveChat': () => Promise<void> };
}

export function createLeaveChat(): LeaveChat {
  /** Where the text was that the user worked in last. */
  let column: vscode.ViewColumn | undefined;
  const note = (editor: vscode.TextEditor | undefined): void => void (column = editor?.viewColumn ?? column);
  note(vscode.window.activeTextEditor);
  const subscription = vscode.window.onDidChangeActiveTextEditor(note);
  return {
    commands: {
      'deft.leaveChat': async () => {
        await vscode.commands.executeCommand(`workbench.action.${way(column)}`);
      },
    },
    dispose: () => subscription.dispose(),
  };
}

function way(column: vscode.ViewColumn | undefined): string {
  const { all, activeTabGroup } = vscode.window.tabGroups;
  if (!isChat(activeTabGroup.activeTab)) return 'focusActiveEditorGroup';
  const others = all.filter(
    (group) => group !== activeTabGroup && group.activeTab !== undefined && !isChat(group.activeTab),
  );
  const group = others.find(({ viewColumn }) => viewColumn === column) ?? others[0];
  const ordinal = group === undefined ? undefined : ordinals[group.viewColumn - 1];
  return ordinal === undefined ? 'openPreviousRecentlyUsedEditorInGroup' : `focus${ordinal}EditorGroup`;
}

function isChat(tab: vscode.Tab | undefined): boolean {
  // VS Code puts a prefix in front of the type.
  return tab?.input instanceof vscode.TabInputWebview && tab.input.viewType.endsWith(chatPanelType);
}
