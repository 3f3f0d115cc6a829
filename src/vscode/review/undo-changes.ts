// Takes unreviewed changes back in the file itself, hunk by hunk or whole.
import * as vscode from 'vscode';
import { messageOf } from '../../core/text/errors';
import { type FileSystem, type TextFile } from '../../core/ports/files';
import { type Path } from '../../core/ports/path';
import { maxWritableBytes } from '../files/disk';
import { openDocument } from '../files/open-documents';
import { uriOf } from '../host/uri-path';
import {
  findHunk,
  hunksOf,
  isAllOf,
  seeText,
  textUndone,
  textWithout,
  textWithoutAll,
  textWithoutOwn,
  typedIn,
  unreviewedHunks,
  type TrackedFile,
  type Whose,
} from './tracked-file';
import { type LineHunk } from '../files/line-hunks';
import { type TrackedFiles } from './tracked-files';

/** `refused` has a sentence for the user, who did not want it where it was `dropped`. */
export type UndoOutcome = { outcome: 'undone' } | { outcome: 'refused'; message: string } | { outcome: 'dropped' };

/** What becomes of lines that the user wrote into a change that is undone; undefined: the change stays. */
export type TypedAnswer = 'keep' | 'undo' | undefined;

export interface UndoServices {
  tracked: TrackedFiles;
  files: Pick<FileSystem, 'readText' | 'writeText' | 'move'>;
  /** Asked only where there are such lines. */
  askTyped(path: Path, lines: readonly string[]): Promise<TypedAnswer>;
}

export async function undoOneHunk(
  path: Path,
  seen: Pick<LineHunk, 'newStart' | 'newEnd'>,
  services: UndoServices,
): Promise<UndoOutcome> {
  return undoHunks(path, services, (file) => {
    const hunk = findHunk(unreviewedHunks(file), seen);
    return hunk === undefined ? [] : [hunk];
  });
}

/** What these sessions changed in the file; all of it is undone whole. */
export async function undoOwn(
  path: Path,
  whose: Whose,
  services: UndoServices,
  confirm: (path: Path) => Promise<boolean>,
): Promise<UndoOutcome> {
  const file = services.tracked.get(path);
  if (file === undefined || isAllOf(file, whose)) return undoFile(path, services, confirm);
  return undoHunks(path, services, (tracked) => hunksOf(tracked, whose));
}

/** Deft's part of them; what the user wrote in there is asked about. */
async function undoHunks(
  path: Path,
  services: UndoServices,
  hunksIn: (file: TrackedFile) => readonly LineHunk[],
): Promise<UndoOutcome> {
  const file = services.tracked.get(path);
  const typed = file === undefined ? [] : hunksIn(file).flatMap((hunk) => typedIn(file, hunk));
  const answer = typed.length === 0 ? 'undo' : await services.askTyped(path, typed);
  if (answer === undefined) return { outcome: 'dropped' };
  return rewrite(path, services, (tracked, current) => {
    const hunks = hunksIn(tracked);
    const without = answer === 'keep' ? textWithoutOwn : textWithout;
    return hunks.length === 0 ? undefined : textWithoutAll(tracked, current.text, hunks, without);
  });
}

/** A file that Deft made is deleted, unless somebody else wrote in it: then only `confirm` can allow that. One that it moved goes back. */
async function undoFile(
  path: Path,
  services: UndoServices,
  confirm: (path: Path) => Promise<boolean>,
): Promise<UndoOutcome> {
  const file = services.tracked.get(path);
  if (file?.created) return deleteCreated(path, file, services, confirm);
  const rewritten = await rewriteFile(path, file, services);
  return rewritten.outcome === 'undone' && file?.movedFrom !== undefined
    ? moveBack(path, file.movedFrom, services)
    : rewritten;
}

async function rewriteFile(path: Path, file: TrackedFile | undefined, services: UndoServices): Promise<UndoOutcome> {
  const hunks = file === undefined ? [] : unreviewedHunks(file);
  // A picture that was moved has no text.
  if (file?.movedFrom !== undefined && hunks.length === 0) return { outcome: 'undone' };
  if (file !== undefined && hunks.some((hunk) => typedIn(file, hunk).length > 0))
    return undoHunks(path, services, unreviewedHunks);
  return rewrite(path, services, (tracked, current) => textUndone(tracked, current.text));
}

async function moveBack(path: Path, origin: Path, { files }: UndoServices): Promise<UndoOutcome> {
  const moved = await files.move?.({ from: path, to: origin, approved: true });
  return moved === undefined || moved.outcome === 'moved' ? { outcome: 'undone' } : moved;
}

type Rewrite = (file: TrackedFile, current: TextFile) => string | undefined;

async function rewrite(path: Path, { tracked, files }: UndoServices, change: Rewrite): Promise<UndoOutcome> {
  for (let attempt = 0; attempt < 2; attempt++) {
    const read = await files.readText(path, maxWritableBytes);
    if (read.outcome === 'refused') return read;
    const known = tracked.get(path);
    if (known === undefined) return { outcome: 'refused', message: `${path} has no changes that wait for review.` };
    const file = seeText(known, read.file.text);
    const text = change(file, read.file);
    if (text === undefined) return { outcome: 'refused', message: `That change of ${path} is no longer there.` };
    tracked.put(path, file);
    const written = await files.writeText({ path, base: read.file, text, approved: true });
    if (written.outcome === 'written') return { outcome: 'undone' };
    if (written.outcome === 'refused') return written;
  }
  return { outcome: 'refused', message: `${path} keeps changing; nothing was undone.` };
}

async function deleteCreated(
  path: Path,
  file: TrackedFile,
  { tracked, files }: UndoServices,
  confirm: (path: Path) => Promise<boolean>,
): Promise<UndoOutcome> {
  const read = await files.readText(path, maxWritableBytes);
  if (read.outcome === 'refused' && read.code === 'not_found') {
    tracked.put(path, undefined);
    return { outcome: 'undone' };
  }
  const own = read.outcome === 'read' && !read.file.unsaved && read.file.text === file.written;
  if (!own && !(await confirm(path)))
    return { outcome: 'refused', message: `${path} has changed since Deft made it, so it stays.` };
  const uri = uriOf(path);
  if (openDocument([uri])?.isDirty && own)
    return { outcome: 'refused', message: `${path} has unsaved changes, so it stays.` };
  try {
    await removeFile(uri);
  } catch (error) {
    return { outcome: 'refused', message: `${path} could not be deleted: ${messageOf(error)}` };
  }
  tracked.put(path, undefined);
  return { outcome: 'undone' };
}

/** To the trash where there is one. */
async function removeFile(uri: vscode.Uri): Promise<void> {
  try {
    await vscode.workspace.fs.delete(uri, { useTrash: true });
  } catch {
    await vscode.workspace.fs.delete(uri, { useTrash: false });
  }
}
