// The diff tabs of proposals: opening them without disturbing what the user does, finding and closing them without a question.
import * as vscode from 'vscode';

export interface ProposalSides {
  original: vscode.Uri;
  proposed: vscode.Uri;
}

/** Never takes focus unless asked, and never replaces the editor that the user may be typing in. */
export async function openProposal(sides: ProposalSides, title: string, focus: boolean): Promise<void> {
  await vscode.commands.executeCommand('vscode.diff', sides.original, sides.proposed, title, {
    preview: true,
    preserveFocus: !focus,
    viewColumn: columnFor(sides.proposed.scheme),
  });
}

/** The URI of the proposed side that the active tab shows. */
export function activeProposal(scheme: string): vscode.Uri | undefined {
  return proposedUri(vscode.window.tabGroups.activeTabGroup.activeTab, scheme);
}

/** Where the cursor is in it. */
export function proposalAtCursor(scheme: string): { uri: vscode.Uri; line: number } | undefined {
  const uri = activeProposal(scheme);
  const editor = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri?.toString());
  return uri && editor && { uri, line: editor.selection.active.line };
}

/** Ctrl+Z brings back what was there. */
export async function replaceText(uri: vscode.Uri, text: string): Promise<boolean> {
  const edit = new vscode.WorkspaceEdit();
  edit.replace(uri, new vscode.Range(0, 0, (await vscode.workspace.openTextDocument(uri)).lineCount, 0), text);
  return vscode.workspace.applyEdit(edit);
}

/** Proposed sides that can be seen now. */
export function visibleProposals(scheme: string): vscode.Uri[] {
  return vscode.window.tabGroups.all
    .map((group) => proposedUri(group.activeTab, scheme))
    .filter((uri) => uri !== undefined);
}

export function proposalTabs(scheme: string, proposed?: vscode.Uri): vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap((group) =>
    group.tabs.filter((tab) => {
      const uri = proposedUri(tab, scheme);
      return uri !== undefined && (proposed === undefined || uri.toString() === proposed.toString());
    }),
  );
}

/**
 * Makes the document clean without any formatter, which would change the proposal. Works only where it is the active
 * editor: false elsewhere.
 */
export async function saveSilently(document: vscode.TextDocument): Promise<boolean> {
  if (!document.isDirty) return true;
  if (activeProposal(document.uri.scheme)?.toString() !== document.uri.toString()) return false;
  await vscode.commands.executeCommand('workbench.action.files.saveWithoutFormatting');
  return !document.isDirty;
}

const maxLooks = 20;
const lookMs = 25;

/** A dirty tab would ask the user: it is saved first, by when its text no longer matters. False where it stays open. */
export async function closeProposalTabs(scheme: string, proposed: vscode.Uri): Promise<boolean> {
  for (let look = 0; look < maxLooks; look++) {
    const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === proposed.toString());
    if (document?.isDirty) {
      if (!(await saveSilently(document)) && !(await document.save())) return false;
    } else if (proposalTabs(scheme, proposed).some(({ isDirty }) => isDirty)) {
      // The tab learns of a save a moment later.
      await new Promise((resolve) => setTimeout(resolve, lookMs));
    } else break;
  }
  const tabs = proposalTabs(scheme, proposed);
  return tabs.length === 0 || (await vscode.window.tabGroups.close(tabs, true));
}

/**
 * Our tab's own column, else an editor group that is not in use, else a new one at the end. A group whose active tab is a
 * webview may be the chat itself: it stays as it is.
 */
function columnFor(scheme: string): vscode.ViewColumn {
  const { all, activeTabGroup } = vscode.window.tabGroups;
  const ours = all.find((group) => group.tabs.some((tab) => proposedUri(tab, scheme) !== undefined));
  if (ours !== undefined) return ours.viewColumn;
  if (activeTabGroup.activeTab === undefined) return activeTabGroup.viewColumn;
  const idle = all.find(
    (group) => group !== activeTabGroup && !(group.activeTab?.input instanceof vscode.TabInputWebview),
  );
  return idle?.viewColumn ?? Math.max(...all.map(({ viewColumn }) => viewColumn)) + 1;
}

function proposedUri(tab: vscode.Tab | undefined, scheme: string): vscode.Uri | undefined {
  const input: unknown = tab?.input;
  if (input instanceof vscode.TabInputTextDiff && input.modified.scheme === scheme) return input.modified;
  return input instanceof vscode.TabInputText && input.uri.scheme === scheme ? input.uri : undefined;
}
