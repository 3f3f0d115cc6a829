// Writes through an open document: what the user typed stays, Ctrl+Z works, and what fails leaves nothing behind.
import { defined } from '../../shared/defined';
import * as vscode from 'vscode';
import { type TextChange, type WriteOutcome } from '../../core/ports/files';
import { type Disk, maxWritableBytes } from './disk';
import { writeCode, type WriteRefusal } from '../../node/files/write-refusal';
import { editDocument, textIn } from './edit-document';
import { readonlyRefusal } from './node-disk';
import { noticeTyping } from './notice-typing';
import { decodeFile, textFile } from './text-codec';
import { uniformEnding } from '../../core/edits/line-endings';

export interface DocumentTarget {
  document: vscode.TextDocument;
  disk: Disk;
  /** Links resolved. */
  realPath: string;
}

/** `own` is the text with the change alone, where the user has typed into it before it was saved. */
export type DocumentOutcome = WriteOutcome & { own?: string };

/** For a clean document whose text is the disk's: applies the edit, saves, and looks at the disk afterwards. `save` as for a dirty one, which it may become. */
export async function writeCleanDocument(
  change: TextChange,
  { document, disk, realPath }: DocumentTarget,
  save: boolean,
): Promise<DocumentOutcome> {
  const { path, text } = change;
  const before = document.getText();
  const edited = await editDocument(document, text);
  if (edited === 'unchanged') return readonlyRefusal(path);
  if (edited === 'other') return typedMeanwhile(change, document);
  const own = textIn(document, text);
  if (document.getText() !== own) return joined(change, { document, disk, realPath }, save);
  const typing = noticeTyping(document);
  const saved = await document.save();
  const written = await readBack(change, { document, disk, realPath });
  typing.dispose();
  if (saved && 'outcome' in written && written.outcome === 'refused') return written;
  if (saved && 'text' in written) {
    const notes =
      written.text === text
        ? []
        : [
            `${path} was changed again while it was saved (format on save or another save action): it now differs from what you wrote.`,
          ];
    if (document.isDirty) notes.push(`${path} has further changes in the editor that are not saved.`);
    return {
      outcome: 'written',
      file: textFile(path, written.text, written.encoding, false),
      notes,
      ...(typing.seen() ? { own } : {}),
    };
  }
  // A save takes a while, and what was typed in that time is in no other place.
  if (document.getText() !== own) return typedMeanwhile(change, document);
  await takeBack(document, before);
  if ('text' in written && written.text !== before)
    return { outcome: 'changed', current: textFile(path, written.text, written.encoding, false) };
  const hindrance = await disk.obstacle(realPath, Buffer.byteLength(text));
  return (
    hindrance ?? {
      outcome: 'refused',
      code: 'failed',
      message: `VS Code did not save ${path}, perhaps because its editor is read-only; the change was reverted.`,
    }
  );
}

/** For a document with unsaved typing: the change joins it. `save` writes both to the disk. */
export async function writeDirtyDocument(
  change: TextChange,
  target: DocumentTarget,
  save: boolean,
): Promise<DocumentOutcome> {
  const { path, base } = change;
  const { document } = target;
  const current = textFile(path, document.getText(), document.encoding, true);
  if (base === undefined || base.hash !== current.hash) return { outcome: 'changed', current };
  const damage = await savingDamages(change, target);
  if (damage) return damage;
  // The disk took a moment: a key that was pressed meanwhile would be taken back by the edit.
  if (document.getText() !== current.text) return typedMeanwhile(change, document);
  const edited = await editDocument(document, change.text);
  if (edited === 'unchanged') return readonlyRefusal(path);
  if (edited === 'other') return typedMeanwhile(change, document);
  return joined(change, target, save);
}

/** The change is in the document, together with what the user has typed there and may still be typing. */
async function joined(
  { path, text }: TextChange,
  { document, disk, realPath }: DocumentTarget,
  save: boolean,
): Promise<DocumentOutcome> {
  const own = textIn(document, text);
  const typedOn = document.getText() !== own;
  const typing = noticeTyping(document);
  const saved =
    save && (await disk.obstacle(realPath, Buffer.byteLength(text))) === undefined && (await document.save());
  typing.dispose();
  const note = saved
    ? `${path} had unsaved changes of the user in the editor; they were saved together with this change.`
    : `${path} has unsaved changes in the editor. This change was added to them and is not saved: commands still see the file on disk without it.`;
  return {
    outcome: 'written',
    file: textFile(path, document.getText(), document.encoding, document.isDirty),
    notes: [note],
    ...(typedOn || typing.seen() ? { own } : {}),
  };
}

/** Saving would turn mixed line endings into one kind, or undecodable bytes into replacement characters. */
async function savingDamages(
  { path }: TextChange,
  { document, disk, realPath }: DocumentTarget,
): Promise<WriteRefusal | undefined> {
  const read = await disk.read(realPath, maxWritableBytes);
  if (read.outcome === 'refused') {
    return read.code === 'not_found' ? undefined : { ...read, code: writeCode(read.code) };
  }
  const decoded = await decodeFile(path, document.uri, read.bytes, document);
  if (decoded.outcome === 'refused') return { ...decoded, code: writeCode(decoded.code) };
  if (uniformEnding(decoded.text) !== 'mixed') return undefined;
  const message = `${path} has mixed line endings on disk and unsaved changes in the editor; saving it there would make all line endings the same. Nothing was changed.`;
  return { outcome: 'refused', code: 'unsaved', message };
}

async function readBack(
  { path }: TextChange,
  { document, disk, realPath }: DocumentTarget,
): Promise<{ text: string; encoding: string } | WriteRefusal> {
  const read = await disk.read(realPath, maxWritableBytes);
  if (read.outcome === 'refused') return { ...read, code: writeCode(read.code) };
  const decoded = await decodeFile(path, document.uri, read.bytes, document);
  return decoded.outcome === 'refused'
    ? { ...decoded, code: writeCode(decoded.code) }
    : { text: decoded.text, encoding: decoded.encoding };
}

/** Somebody typed between the comparison and the edit: their text stands, ours may be part of it. */
function typedMeanwhile({ path }: TextChange, document: vscode.TextDocument): WriteOutcome {
  return { outcome: 'changed', current: textFile(path, document.getText(), document.encoding, document.isDirty) };
}

/** The text as it was, and not dirty where VS Code lets us: only an active editor can be reverted to what is saved. */
async function takeBack(document: vscode.TextDocument, before: string): Promise<void> {
  await editDocument(document, before);
  if (!document.isDirty) return;
  const column = vscode.window.tabGroups.all.find((group) =>
    group.tabs.some(
      (tab) => tab.input instanceof vscode.TabInputText && tab.input.uri.toString() === document.uri.toString(),
    ),
  )?.viewColumn;
  const editor = await vscode.window.showTextDocument(document, {
    preserveFocus: true,
    preview: false,
    ...defined({ viewColumn: column }),
  });
  if (vscode.window.activeTextEditor === editor && document.getText() === before)
    await vscode.commands.executeCommand('workbench.action.files.revert');
}
