// Writes a change: compares first, goes through the editor where one is open, and never trusts that a write worked.
import * as vscode from 'vscode';
import { uniformEnding } from '../../core/edits/line-endings';
import { type Path } from '../../core/ports/path';
import { type TextChange, type TextFile, type WriteOutcome } from '../../core/ports/files';
import { type Disk, type DiskRead, maxWritableBytes } from './disk';
import { movedRefusal, writeCode, type WriteRefusal } from '../../node/files/write-refusal';
import { readonlyRefusal } from './node-disk';
import { documentReads, endingOf, isInTab, openDocument } from './open-documents';
import { isReadonly } from './readonly-setting';
import { decodeFile, encodeFile, newFileEncoding, textFile, type DecodedFile } from './text-codec';
import { folderOf, pathOf, uriOf } from '../host/uri-path';
import { type DocumentOutcome, writeCleanDocument, writeDirtyDocument } from './write-document';

/** How long a clean document may take to follow a change on disk. */
const reloadMs = 1_500;

export interface WriteSettings {
  /** Save documents that hold unsaved typing of the user, together with the change. */
  autosave: boolean;
}

/** A folder of the workspace may have its own. */
export type WriteSettingsOf = (file: vscode.Uri) => WriteSettings;

export async function writeText(
  change: TextChange,
  diskOf: (uri: vscode.Uri) => Disk,
  settings: WriteSettingsOf,
): Promise<DocumentOutcome> {
  const { path, base } = change;
  if (!vscode.workspace.isTrusted) {
    return {
      outcome: 'refused',
      code: 'untrusted',
      message: `This workspace is not trusted, so ${path} was not written.`,
    };
  }
  const uri = uriOf(path);
  const disk = diskOf(uri);
  const realPath = await disk.realPath(path);
  if (change.realPath !== undefined && realPath !== change.realPath) return movedRefusal(path, realPath);
  if (readonlyBySetting(uri, path)) return readonlyRefusal(path);
  const document = openDocument([uri, uriOf(realPath)]);
  if (document?.isDirty) return writeDirtyDocument(change, { document, disk, realPath }, settings(uri).autosave);
  if (base === undefined) return create(change, uri, disk, realPath);
  const read = await disk.read(realPath, maxWritableBytes);
  if (read.outcome === 'refused')
    return read.code === 'not_found'
      ? { outcome: 'changed', current: undefined }
      : { ...read, code: writeCode(read.code) };
  const present = await decodeFile(path, uri, read.bytes, document);
  if (present.outcome === 'refused') return { ...present, code: writeCode(present.code) };
  const current = textFile(path, present.text, present.encoding, false);
  if (current.hash !== base.hash) return { outcome: 'changed', current };
  if (present.text === change.text) return { outcome: 'written', file: current, notes: [] };
  const bytes = await encodeFile(change.text, base.encoding, present.mark);
  if (bytes === undefined) return unencodable(path, base.encoding);
  const hindrance = await disk.obstacle(realPath, bytes.length);
  if (hindrance) return hindrance;
  if (document !== undefined && (await canGoThrough(document, present, change.text))) {
    return writeCleanDocument(change, { document, disk, realPath }, settings(uri).autosave);
  }
  return replace(change, { disk, realPath, uri, document, read, bytes });
}

/** A document keeps one kind of line ending and always its mark; anything else has to go to the disk as bytes. */
async function canGoThrough(
  document: vscode.TextDocument,
  present: Extract<DecodedFile, { outcome: 'decoded' }>,
  text: string,
): Promise<boolean> {
  if (!isInTab(document) || document.encoding !== present.encoding) return false;
  if (present.encoding.startsWith('utf16') && !present.mark) return false;
  const kept = new Set(['none', endingOf(document)]);
  if (!kept.has(uniformEnding(present.text)) || !kept.has(uniformEnding(text))) return false;
  return (await documentReads(document, present.text, reloadMs)) && !document.isDirty;
}

async function create({ path, text }: TextChange, uri: vscode.Uri, disk: Disk, realPath: Path): Promise<WriteOutcome> {
  const encoding = newFileEncoding(uri);
  const bytes = await encodeFile(text, encoding, encoding.startsWith('utf16'));
  if (bytes === undefined) return unencodable(path, encoding);
  const made = await disk.create(realPath, bytes);
  if (made.outcome === 'refused') return made;
  if (made.outcome === 'exists') return differs(path, uri, disk, realPath);
  return confirm(path, { uri, disk, realPath, bytes, document: undefined });
}

interface Replacement {
  disk: Disk;
  realPath: Path;
  uri: vscode.Uri;
  document: vscode.TextDocument | undefined;
  read: DiskRead & { outcome: 'read' };
  bytes: Uint8Array;
}

async function replace(
  { path }: TextChange,
  { disk, realPath, uri, document, read, bytes }: Replacement,
): Promise<WriteOutcome> {
  const replaced = await disk.replace(realPath, bytes, read);
  if (replaced.outcome === 'refused') return replaced;
  if (replaced.outcome === 'moved') return differs(path, uri, disk, realPath);
  return confirm(path, { uri, disk, realPath, bytes, document });
}

/** Reads the file once more: what is reported as written is what the disk holds. */
async function confirm(
  path: Path,
  { uri, disk, realPath, bytes, document }: Omit<Replacement, 'read'>,
): Promise<WriteOutcome> {
  const after = await disk.read(realPath, bytes.length + 1);
  if (after.outcome === 'refused' || !Buffer.from(after.bytes).equals(bytes)) {
    const message = `${path} was written, but the file on disk is different now: another program changed it at the same time. Read it again.`;
    return { outcome: 'refused', code: 'failed', message };
  }
  const decoded = await decodeFile(path, uri, after.bytes, document);
  if (decoded.outcome === 'refused') return { ...decoded, code: writeCode(decoded.code) };
  return {
    outcome: 'written',
    file: textFile(path, decoded.text, decoded.encoding, false, after.stat),
    notes: [],
  };
}

async function differs(path: Path, uri: vscode.Uri, disk: Disk, realPath: Path): Promise<WriteOutcome> {
  const now = await disk.read(realPath, maxWritableBytes);
  if (now.outcome === 'refused')
    return now.code === 'not_found'
      ? { outcome: 'changed', current: undefined }
      : { ...now, code: writeCode(now.code) };
  const decoded = await decodeFile(path, uri, now.bytes, undefined);
  if (decoded.outcome === 'refused') return { ...decoded, code: writeCode(decoded.code) };
  const current: TextFile = textFile(path, decoded.text, decoded.encoding, false);
  return { outcome: 'changed', current };
}

function unencodable(path: Path, encoding: string): WriteRefusal {
  const message = `The new text of ${path} contains characters that ${encoding} does not have; nothing was written.`;
  return { outcome: 'refused', code: 'encoding', message };
}

/** The settings `files.readonlyInclude` and `files.readonlyExclude` say so. */
export function readonlyBySetting(uri: vscode.Uri, path: Path): boolean {
  const files = vscode.workspace.getConfiguration('files', uri);
  const include = files.get<Record<string, boolean>>('readonlyInclude', {});
  const exclude = files.get<Record<string, boolean>>('readonlyExclude', {});
  const folder = folderOf(path);
  const relative = folder === undefined ? undefined : path.slice(pathOf(folder.uri).length).replace(/^\//, '');
  return isReadonly({ include, exclude }, path, relative);
}
