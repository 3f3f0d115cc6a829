// Moves a file below VS Code, which would ask about imports if it did so itself; tabs that show it follow.
import * as vscode from 'vscode';
import { type FileMove, type MoveOutcome } from '../../core/ports/files';
import { type Path } from '../../core/ports/path';
import { movedRefusal } from '../../node/files/write-refusal';
import { pathOf, uriOf } from '../host/uri-path';
import { type Disk } from './disk';
import { readonlyRefusal } from './node-disk';
import { openDocument } from './open-documents';
import { readonlyBySetting } from './write-text';

export async function moveFile(move: FileMove, diskOf: (uri: vscode.Uri) => Disk): Promise<MoveOutcome> {
  const { from, to, realPaths } = move;
  const [source, target] = [uriOf(from), uriOf(to)];
  if (!vscode.workspace.isTrusted)
    return refused('untrusted', `This workspace is not trusted, so ${from} was not moved.`);
  const disk = diskOf(source);
  if (disk !== diskOf(target)) return refused('failed', `${from} and ${to} are not on the same disk.`);
  const places = { from: await disk.realPath(from), to: await disk.realPath(to) };
  for (const [path, allowed, place] of [
    [from, realPaths?.from, places.from],
    [to, realPaths?.to, places.to],
  ] as const)
    if (allowed !== undefined && place !== allowed) return movedRefusal(path, place);
  for (const [uri, path] of [
    [source, from],
    [target, to],
  ] as const)
    if (readonlyBySetting(uri, path)) return readonlyRefusal(path);
  if (isUnsaved(source, places.from) || isUnsaved(target, places.to))
    return refused('unsaved', `${from} or ${to} has text in an editor that is not saved, so it was not moved.`);
  const hindrance = await disk.obstacle(places.from, 0);
  if (hindrance) return hindrance;
  const kept = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => pathOf(uri));
  const moved = await disk.move(places.from, places.to, kept);
  if (moved.outcome === 'exists') return refused('failed', `${to} exists already, so ${from} was not moved.`);
  if (moved.outcome === 'refused') return moved;
  await tabsFollow(source, target);
  return { outcome: 'moved' };
}

function refused(code: 'untrusted' | 'unsaved' | 'failed', message: string): MoveOutcome {
  return { outcome: 'refused', code, message };
}

function isUnsaved(uri: vscode.Uri, place: Path): boolean {
  const keys = [uri.toString(), uriOf(place).toString()];
  return (
    openDocument([uri, uriOf(place)])?.isDirty === true ||
    vscode.workspace.notebookDocuments.some((notebook) => notebook.isDirty && keys.includes(notebook.uri.toString()))
  );
}

/** Each in its place, without taking the focus; what was in front stays in front. */
async function tabsFollow(from: vscode.Uri, to: vscode.Uri): Promise<void> {
  const isIt = (uri: vscode.Uri | undefined): boolean => uri?.toString() === from.toString();
  for (const { tabs, viewColumn } of vscode.window.tabGroups.all) {
    const tab = tabs.find(({ input }) => isText(input) && isIt(input.uri));
    if (tab === undefined) continue;
    // Tabs are told later than editors: right after another file moved, the group may still name the old one.
    const front = vscode.window.visibleTextEditors.find((editor) => editor.viewColumn === viewColumn)?.document.uri;
    const show = async (uri: vscode.Uri, preview: boolean): Promise<void> => {
      await vscode.window.showTextDocument(uri, { viewColumn, preserveFocus: true, preview });
    };
    // A file that VS Code cannot show as text has no tab of this kind: what fails here has moved all the same.
    await show(to, tab.isPreview).catch(() => undefined);
    await vscode.window.tabGroups.close(tab, true).then(undefined, () => undefined);
    if (front?.scheme === to.scheme && !isIt(front)) await show(front, false).catch(() => undefined);
  }
}

function isText(input: unknown): input is vscode.TabInputText {
  return input instanceof vscode.TabInputText;
}
